package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseOutput(t *testing.T) {
	got, err := parseOutput("noise\nresult 8 1.5\nresult 64 2 put, fence\nresult 8 3.5\nunsupported MPI_Put put, lock\n\nmore noise")
	if err != nil || len(got.order) != 2 || !slices.Equal(got.values[row{x: 8}], []float64{1.5, 3.5}) ||
		!slices.Equal(got.values[row{"put, fence", 64}], []float64{2}) || got.unsupported["put, lock"] != "MPI_Put" {
		t.Errorf("got %v, %v", got, err)
	}
	got, err = parseOutput("result 8 2 put\nbatches 8 1.5 2.5 put\n")
	if err != nil || got.batches[row{"put", 8}] != (batches{1.5, 2.5}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, text := range []string{"batches 8 1\nresult 8 1\n", "", "noise\n", "result 8\n", "result 8 fast\n", "result eight 1\n", "result 8 nan\n", "result 8 inf\n", "result 8 -1\n"} {
		if got, err := parseOutput(text); err == nil {
			t.Errorf("%q gives %v and no error", text, got)
		}
	}
}

func FuzzParseOutput(f *testing.F) {
	f.Add("result 8 1.5\nunsupported MPI_Put x")
	f.Fuzz(func(t *testing.T, text string) {
		said, _ := parseOutput(text)
		for at, values := range said.values {
			for _, v := range values {
				if !(v >= 0) || math.IsInf(v, 0) {
					t.Errorf("%v: %g", at, v)
				}
			}
		}
	})
}

func TestMedian(t *testing.T) {
	samples := []float64{4, 1, 3, 2}
	if median(samples) != 2.5 || highest(samples) != 4 {
		t.Errorf("median %g, highest %g", median(samples), highest(samples))
	}
	if !slices.Equal(samples, []float64{4, 1, 3, 2}) {
		t.Error("the samples were sorted in place")
	}
	if !math.IsNaN(median(nil)) || !math.IsNaN(highest(nil)) || median([]float64{7}) != 7 {
		t.Error("median of none or of one")
	}
}

func TestWhole(t *testing.T) {
	for more, best := range map[bool]float64{false: 1, true: 3} {
		w := whole{}.with(2, 10, more).with(1, 20, more).with(3, 30, more)
		if w.best != best || w.mean != 20 {
			t.Errorf("more is better %v: %+v", more, w)
		}
	}
}

func TestCompare(t *testing.T) {
	c, ok := compare([]float64{1, 2, 3}, []float64{2, 2, 2, 100})
	if !ok || c.centre != 1 || c.low != 0.5 || c.high != 1.5 || !c.few {
		t.Errorf("got %+v, %v", c, ok)
	}
	// Of the ratio of the medians the turns say nothing, because they have other samples.
	c, _ = compare([]float64{1, 1, 1, 1, 8, 8, 8, 8, 8}, []float64{1, 1, 1, 1})
	if c.centre != 8 || c.low != 1 || c.high != 8 || c.few {
		t.Errorf("got %+v", c)
	}
	for _, none := range [][2][]float64{{nil, {1}}, {{1}, nil}, {{1}, {0}}} {
		if _, ok := compare(none[0], none[1]); ok {
			t.Errorf("%v can be compared", none)
		}
	}
}

func TestBestPeer(t *testing.T) {
	for _, more := range []bool{false, true} {
		tab := newTable(benchmark{more: more})
		tab.add("gompi", row{x: 8}, 1)
		tab.add("mpich", row{x: 8}, 2)
		tab.add("openmpi", row{x: 8}, 3)
		if want := map[bool]string{false: "mpich", true: "openmpi"}[more]; tab.bestPeer(row{x: 8}) != want {
			t.Errorf("more is better %v: %s, want %s", more, tab.bestPeer(row{x: 8}), want)
		}
		if got := tab.bestPeer(row{x: 9}); got != "" {
			t.Errorf("best peer of a row without samples is %q", got)
		}
	}
}

func TestRowsKeepTheirOrder(t *testing.T) {
	tab := newTable(benchmark{})
	for _, x := range []int{64, 8, 1024, 8, 1, 512, 64} {
		tab.add("gompi", row{"b", x}, 1)
		tab.add("gompi", row{"a", x}, 1)
	}
	var want []row
	for _, series := range []string{"b", "a"} {
		for _, x := range []int{1, 8, 64, 512, 1024} {
			want = append(want, row{series, x})
		}
	}
	if !slices.Equal(tab.rows, want) {
		t.Errorf("rows %v, want %v", tab.rows, want)
	}
	if part := tab.part("a"); !slices.Equal(part.rows, want[5:]) || len(tab.rows) != 10 {
		t.Errorf("part %v of %v", part.rows, tab.rows)
	}
}

func TestStandings(t *testing.T) {
	for _, more := range []bool{false, true} {
		tab := newTable(benchmark{more: more})
		tab.add("gompi", row{x: 1}, 20)
		tab.add("mpich", row{x: 1}, 10)
		tab.add("gompi", row{x: 2}, 20) // without a peer
		got := tab.standings()
		if len(got) != 1 || got[0].behind() == more || got[0].ahead() != more {
			t.Errorf("more is better %v: %+v", more, got)
		}
	}
}

func TestWorstComesFirst(t *testing.T) {
	tab := newTable(benchmark{title: "T", unit: "s"})
	for x, cost := range map[int]float64{1: 1.5, 2: 3, 3: 1.05, 4: 0.1} {
		tab.add("gompi", row{x: x}, cost)
		tab.add("mpich", row{x: x}, 1)
	}
	r := &results{tables: []*table{tab}}
	worst := worstOf([]*results{r})
	if len(worst) != 2 || worst[0].at.x != 2 || worst[1].at.x != 1 {
		t.Errorf("worst %+v", worst)
	}
	if rows := r.overviewRows(); !slices.Equal(rows[1][:4], []string{"T", "2", "1", "1"}) {
		t.Errorf("sums %q", rows[1])
	}
}

func TestNames(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.12345: "0.123", 1.234: "1.23", 12.34: "12.3", 1234567: "1234567"} {
		if got := number(v); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 B", 8: "8 B", 1024: "1 KiB", 1500: "1500 B", 1 << 20: "1 MiB", 3 << 19: "1536 KiB"} {
		if got := bytesName(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	if got := firstLine("\n MPICH  Version:\t4 \nmore"); got != "MPICH Version: 4" {
		t.Errorf("first line %q", got)
	}
}

func newMeter(mpis []mpi, programs string, patience, limit time.Duration) *meter {
	return &meter{mpis: mpis, programs: programs, patience: patience, limit: limit, progress: io.Discard,
		spent: map[string]time.Duration{}, left: map[string]bool{}, failed: map[string]bool{}}
}

// A run that hangs is stopped with its children, and its library is left out of
// the rounds that follow.
func TestHangingRun(t *testing.T) {
	child := filepath.Join(t.TempDir(), "child")
	hang := `[ $program = pingpong ] && { /bin/sleep 60 & echo $! > ` + child + `; wait; }`
	b := newBench(t, fake{"gompi", 1, hang}, fake{"mpich", 1, ""})
	mpis := findMPIs(t.Context(), options{gompi: filepath.Join(b.root, "build")}, io.Discard)
	programs := filepath.Join(b.root, "programs")
	if mpis = buildPrograms(t.Context(), mpis, filepath.Join(b.root, "bench", "c"), programs,
		io.Discard); len(mpis) != 2 {
		t.Fatalf("%d libraries, want 2", len(mpis))
	}
	m := newMeter(mpis, programs, time.Minute, 3*time.Second)
	tab := newTable(allBenchmarks(plan{quick: true})[0])
	m.round(t.Context(), tab, 3)
	if len(tab.failures) != 1 || !strings.Contains(tab.failures[0].err.Error(), "did not end within") {
		t.Fatalf("failures: %v", tab.failures)
	}
	if got := b.calls(t, "pingpong"); got != "gompi mpich mpich mpich" {
		t.Errorf("runs: %s", got)
	}
	pid := strings.TrimSpace(readFile(t, child))
	for range 100 {
		// A process that has ended, reaped or not, has no command line.
		if line, err := os.ReadFile(filepath.Join("/proc", pid, "cmdline")); err != nil || len(line) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %s outlived its run", pid)
}

// An MPI that has used its time up has fewer rounds; each has one at least.
func TestPatience(t *testing.T) {
	b := newBench(t, fake{"gompi", 1, ""}, fake{"mpich", 1, "[ $program = pingpong ] && /bin/sleep 0.3"})
	mpis := findMPIs(t.Context(), options{gompi: filepath.Join(b.root, "build")}, io.Discard)
	programs := filepath.Join(b.root, "programs")
	mpis = buildPrograms(t.Context(), mpis, filepath.Join(b.root, "bench", "c"), programs, io.Discard)
	m := newMeter(mpis, programs, 250*time.Millisecond, time.Minute)
	m.round(t.Context(), newTable(allBenchmarks(plan{quick: true})[0]), 4)
	if got := strings.Count(b.calls(t, "pingpong"), "mpich"); got != 1 {
		t.Errorf("the slow MPI ran %d times, want once", got)
	}
}

// Another state of gompi is compared with on its own, and is no peer.
func TestBase(t *testing.T) {
	tab := newTable(benchmark{title: "T", unit: "us"})
	tab.rows = []row{{x: 1}, {x: 2}}
	for _, at := range tab.rows {
		tab.add("gompi", at, 12)
		tab.add(base, at, 10)
		tab.add("mpich", at, 20)
	}
	r := &results{tables: []*table{tab}}
	if peer := tab.bestPeer(row{x: 1}); peer != "mpich" {
		t.Errorf("the best peer is %q", peer)
	}
	r.mpis = []mpi{{name: "gompi", label: "gompi"}, {name: base, label: "before"}, {name: "mpich", label: "MPICH"}}
	if rows := r.cells(tab); strings.Join(rows[0][4:], "; ") != "gompi / better peer; gompi / before" ||
		strings.Join(rows[1][4:], "; ") != "0.60 (few); 1.20 (few)" {
		t.Errorf("columns %q, cells %q", rows[0], rows[1])
	}
	if rows := r.baseRows(); len(rows) != 2 || rows[1][1] != "1.200" {
		t.Errorf("12 us after 10 us: %q", rows)
	}
}
