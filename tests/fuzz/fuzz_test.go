package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// fixedBatches is how many batches a run without FUZZ_SECONDS has, in short mode a fifth of it. Their seeds
// are the same every time, so that a change is judged by what it does and not by the day.
const fixedBatches = 240

// TestCallsWithAnyArguments runs batches of calls: fixed ones, or for FUZZ_SECONDS those whose seeds begin
// with FUZZ_SEED, else with those of the day.
func TestCallsWithAnyArguments(t *testing.T) {
	d := newDriver(t)
	batches := fixedBatches
	if testing.Short() {
		batches /= 5
	}
	first, more := 1, func(i int) bool { return i < batches }
	begin := time.Now()
	if limit := time.Duration(number(t, "FUZZ_SECONDS", 0)) * time.Second; limit > 0 {
		first = number(t, "FUZZ_SEED", int(begin.Unix()/86400)*1_000_000)
		more = func(int) bool { return time.Since(begin) < limit }
	}
	ran, failures := 0, 0
	for ; more(ran) && failures < 5; ran++ {
		if report := d.run(batchOf(ran, first+ran)); report != "" {
			failures++
			t.Error(report)
		}
	}
	t.Logf("%d batches in %v, %d of them late; seeds from %d on", ran, time.Since(begin), d.late, first)
}

// TestOneBatch repeats the batch whose arguments FUZZ_BATCH holds, as a failure prints it.
func TestOneBatch(t *testing.T) {
	text := os.Getenv("FUZZ_BATCH")
	if text == "" {
		t.Skip("FUZZ_BATCH is not set")
	}
	b, err := parseBatch(text)
	if err != nil {
		t.Fatal(err)
	}
	if report := newDriver(t).run(b); report != "" {
		t.Error(report)
	}
}

// TestFailuresAreSeen holds the driver to what it says: batches that crash, hang, write beside a buffer or
// show a trace fail.
func TestFailuresAreSeen(t *testing.T) {
	d := newDriver(t)
	d.patience = 2 * time.Second
	for _, fault := range []string{"crash", "hang", "overrun", "trace"} {
		for _, ranks := range []int{1, 2} {
			b := batch{ranks: ranks, seed: 1, calls: 3, words: []string{"fault=" + fault}}
			if d.run(b) == "" {
				t.Errorf("%s is not seen with %d ranks", fault, ranks)
			}
		}
	}
}

func number(t *testing.T, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// newDriver builds the program with the wrapper that make has built.
func newDriver(t *testing.T) *driver {
	t.Helper()
	build := filepath.Join(root, "build")
	for _, file := range []string{"bin/mpicc", "bin/mpiexec", "lib/libmpi_abi.so.1"} {
		if _, err := os.Stat(filepath.Join(build, file)); err != nil {
			t.Skip("gompi is not built (run make): ", err)
		}
	}
	d := &driver{dir: t.TempDir(), mpiexec: filepath.Join(build, "bin/mpiexec"), patience: 60 * time.Second}
	if err := d.compile(filepath.Join(build, "bin/mpicc")); err != nil {
		t.Fatal(fmt.Errorf("building the program: %w", err))
	}
	return d
}
