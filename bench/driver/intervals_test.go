package main

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestInterval(t *testing.T) {
	few := []float64{3, 1, 2}
	if i := intervalOf(few); !i.few || i.centre != 2 || i.low != 1 || i.high != 3 {
		t.Errorf("of three samples: %+v", i)
	}
	if !slices.Equal(few, []float64{3, 1, 2}) {
		t.Error("the samples were sorted in place")
	}
	if i := intervalOf([]float64{4, 1, 3, 2}); i.few || i.low != 1 || i.high != 4 || !i.wide() {
		t.Errorf("of four samples: %+v", i)
	}
	steady := []float64{1, 1.01, 0.99, 1, 1, 50, 1, 0.02, 1}
	if i := intervalOf(steady); i.few || i.wide() || i.centre != 1 {
		t.Errorf("of samples with an outlier on either side: %+v", i)
	}
	for _, one := range [][]float64{{1, 1, 1, 2}, {0.5, 1, 1, 1}} {
		if !intervalOf(one).wide() {
			t.Errorf("%v is narrow", one)
		}
	}
	if i := intervalOf(nil); !i.few || !math.IsNaN(i.centre) {
		t.Errorf("of none: %+v", i)
	}
}

func TestDecided(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		decided   bool
	}{
		{0.2, 0.8, true}, {0.2, 0.95, false}, {0.95, 1.05, true}, {0.95, 1.3, false},
		{1.2, 9, true}, {0.5, 2, false},
	} {
		if got := (interval{low: c.low, high: c.high}).decided(); got != c.decided {
			t.Errorf("%g to %g: decided %v", c.low, c.high, got)
		}
	}
}

// fill gives a row of a table the same ratio to a peer in so many turns, or the ratios that are named.
func fill(t *table, at row, ratios ...float64) {
	for _, r := range ratios {
		t.add("gompi", at, r)
		t.add("mpich", at, 1)
	}
}

func TestCertainty(t *testing.T) {
	for _, c := range []struct {
		ratios []float64
		want   certainty
	}{
		{[]float64{1, 1, 1}, tooFew},
		{[]float64{1, 1.02, 0.98, 1}, certain},
		{[]float64{0.1, 0.2, 0.5, 0.8}, certain}, // wide, and ahead all the same
		{[]float64{0.1, 0.5, 2, 8}, tooWide},
		{[]float64{1.09, 1.1, 1.11, 1.12}, certain}, // undecided, and narrow
	} {
		tab := newTable(benchmark{})
		fill(tab, row{x: 1}, c.ratios...)
		if got := tab.certaintyOf(row{x: 1}); got != c.want {
			t.Errorf("%v: %v, want %v", c.ratios, got, c.want)
		}
	}
	alone := newTable(benchmark{})
	for _, v := range []float64{10, 20, 30, 40} {
		alone.add("gompi", row{x: 1}, v)
		alone.add("gompi", row{x: 2}, 10)
	}
	if alone.certaintyOf(row{x: 1}) != tooWide || alone.certaintyOf(row{x: 2}) != certain {
		t.Error("without a peer the samples themselves count")
	}
	once := newTable(benchmark{runs: []launch{{}, {once: true}}})
	fill(once, row{x: 1}, 1)
	once.launchOf[row{x: 1}] = 1
	if once.certaintyOf(row{x: 1}) != single {
		t.Error("what is measured once has no interval")
	}
}

// The other state of gompi has to be told apart too.
func TestCertaintyAgainstBase(t *testing.T) {
	tab := newTable(benchmark{})
	at := row{x: 1}
	fill(tab, at, 1, 1, 1, 1)
	for _, v := range []float64{0.5, 1, 2, 3} {
		tab.add(base, at, v)
	}
	if got := tab.certaintyOf(at); got != tooWide {
		t.Errorf("%v, want too wide", got)
	}
}

func TestOpenNumbers(t *testing.T) {
	tab := newTable(benchmark{axis: byBytes})
	fill(tab, row{x: 8}, 1, 1, 1, 1)
	fill(tab, row{x: 64}, 0.1, 0.5, 2, 8)
	fill(tab, row{x: 512}, 0.1, 0.5, 2, 8)
	tab.launchOf = map[row]int{{x: 8}: 0, {x: 64}: 0, {x: 512}: 1}
	nobody := func(string) bool { return false }
	if numbers, open := tab.openNumbers(0, nobody); !open || !slices.Equal(numbers, []int{64}) {
		t.Errorf("numbers %v, open %v", numbers, open)
	}
	for _, gone := range []string{"gompi", "mpich"} {
		if _, open := tab.openNumbers(0, func(library string) bool { return library == gone }); open {
			t.Errorf("a comparison of %s is repeated, which has no turns left", gone)
		}
	}
}

func TestOnlySomeNumbers(t *testing.T) {
	l := launch{args: []string{"3", "5"}, numbers: []int{8, 64, 512}}
	if got := strings.Join(l.only(byBytes, []int{64}).command(), " "); got != "3 5 64" {
		t.Errorf("by bytes: %s", got)
	}
	if got := strings.Join(l.only(byRanks, []int{2}).command(), " "); got != "3 5 8 64 512" {
		t.Errorf("by ranks: %s", got)
	}
}

// What is certain is not repeated. What is not certain is repeated alone, and marked in the end.
func TestRepeatedUntilCertain(t *testing.T) {
	// The exchange of 64 KiB both ways takes 1 and 100 in turn; the other sizes are steady.
	unsteady := `[ "$program $3" = "exchange bothways" ] && [ "$4" = 65536 ] && { shift 4
		if [ -e ROOT/odd ]; then /bin/rm ROOT/odd; n=100; else : > ROOT/odd; n=1; fi
		for size in "$@"; do echo "result $size 10 bothways"; done
		echo "result 65536 $n bothways"; exit 0; }`
	b := newBench(t, fake{"gompi", 1, unsteady}, fake{"mpich", 1, ""})
	code, stdout, stderr := b.run(t.Context(), "-only", "exchanges", "-time", "1h")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	log := readFile(t, b.log)
	for words, want := range map[string]int{
		"ring 65536\n": 4, "bothways 65536 262144 1048576\n": 4, "bothways 65536\n": mostRounds - 4,
	} {
		if got := strings.Count(log, "gompi exchange 2 3 3 "+words); got != want {
			t.Errorf("%q ran %d times, want %d", words, got, want)
		}
	}
	if n := strings.Count(stdout, "(wide)"); n == 0 || strings.Contains(stdout, "(few)") {
		t.Errorf("%d points are marked as wide:\n%s", n, stdout)
	}
}
