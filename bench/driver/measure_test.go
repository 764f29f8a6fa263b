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

func TestParseResults(t *testing.T) {
	got, err := parseResults("noise\nresult 8 1.5\nresult 64 2\nresult 8 3.5\nresult 8 2.5\n\nmore noise")
	if err != nil || len(got) != 2 || got[8] != 2.5 || got[64] != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	for _, text := range []string{"", "noise\n", "result 8\n", "result 8 fast\n", "result eight 1\n", "result 8 nan\n", "result 8 inf\n", "result 8 -1\n", "result 8 1 us\n"} {
		if got, err := parseResults(text); err == nil {
			t.Errorf("%q gives %v and no error", text, got)
		}
	}
}

func FuzzParseResults(f *testing.F) {
	f.Add("result 8 1.5\n")
	f.Fuzz(func(t *testing.T, text string) {
		values, err := parseResults(text)
		for bytes, v := range values {
			if err != nil || !(v >= 0) || math.IsInf(v, 0) {
				t.Errorf("%d: %g, error %v", bytes, v, err)
			}
		}
	})
}

func TestQuantile(t *testing.T) {
	samples := []float64{4, 1, 3, 2}
	for q, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 1: 4} {
		if got := quantile(samples, q); got != want {
			t.Errorf("quantile %g is %g, want %g", q, got, want)
		}
	}
	if !slices.Equal(samples, []float64{4, 1, 3, 2}) {
		t.Error("the samples were sorted in place")
	}
	if !math.IsNaN(median(nil)) || median([]float64{7}) != 7 {
		t.Error("median of none or of one")
	}
}

func TestCompare(t *testing.T) {
	c, ok := compare([]float64{1, 2, 3}, []float64{2, 2, 2, 100})
	if !ok || c.ratio != 1 || c.low != 0.75 || c.high != 1.25 {
		t.Errorf("got %+v, %v", c, ok)
	}
	for _, none := range [][2][]float64{{nil, {1}}, {{1}, nil}, {{1}, {0}}} {
		if _, ok := compare(none[0], none[1]); ok {
			t.Errorf("%v can be compared", none)
		}
	}
}

func TestBestPeer(t *testing.T) {
	for _, more := range []bool{false, true} {
		tab := &table{benchmark: benchmark{more: more}, samples: map[string]map[int][]float64{}}
		tab.add("gompi", 8, 1)
		tab.add("mpich", 8, 2)
		tab.add("openmpi", 8, 3)
		if want := map[bool]string{false: "mpich", true: "openmpi"}[more]; tab.bestPeer(8) != want {
			t.Errorf("more is better %v: %s, want %s", more, tab.bestPeer(8), want)
		}
		if got := tab.bestPeer(9); got != "" {
			t.Errorf("best peer of a row without samples is %q", got)
		}
	}
}

func TestRowsKeepTheirOrder(t *testing.T) {
	tab := &table{samples: map[string]map[int][]float64{}}
	for _, row := range []int{64, 8, 1024, 8, 1, 512, 64} {
		tab.add("gompi", row, 1)
	}
	if want := []int{1, 8, 64, 512, 1024}; !slices.Equal(tab.rows, want) {
		t.Errorf("rows %v, want %v", tab.rows, want)
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

// A run that hangs is stopped with its children, and its library is left out of
// the rounds that follow.
func TestHangingRun(t *testing.T) {
	child := filepath.Join(t.TempDir(), "child")
	hang := `[ $program = pingpong ] && { /bin/sleep 60 & echo $! > ` + child + `; wait; }`
	b := newBench(t, fake{"gompi", 1, hang}, fake{"mpich", 1, ""})
	mpis := findMPIs(t.Context(), options{gompi: filepath.Join(b.root, "build")}, io.Discard)
	programs := filepath.Join(b.root, "programs")
	if mpis = buildPrograms(t.Context(), mpis, filepath.Join(b.root, "bench", "c"), programs, io.Discard); len(mpis) != 2 {
		t.Fatalf("%d libraries, want 2", len(mpis))
	}
	m := meter{mpis: mpis, programs: programs, rounds: 3, patience: time.Minute, limit: 3 * time.Second, progress: io.Discard}
	tab := m.measure(t.Context(), allBenchmarks(true)[0])
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
	m := meter{mpis: mpis, programs: programs, rounds: 4, patience: 250 * time.Millisecond, limit: time.Minute, progress: io.Discard}
	m.measure(t.Context(), allBenchmarks(true)[0])
	if got := strings.Count(b.calls(t, "pingpong"), "mpich"); got != 1 {
		t.Errorf("the slow MPI ran %d times, want once", got)
	}
}
