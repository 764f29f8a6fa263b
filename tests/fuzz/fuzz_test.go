package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// seconds is how long the test runs; FUZZ_SECONDS overrides it.
const seconds = 30

// fixedBatches is how many batches of each run have the same seeds every time.
const fixedBatches = 40

// TestCallsWithAnyArguments runs batches of calls, first with fixed seeds, then with those of the day. FUZZ_SEED
// is another seed to begin with.
func TestCallsWithAnyArguments(t *testing.T) {
	d := newDriver(t)
	limit := time.Duration(number(t, "FUZZ_SECONDS", seconds)) * time.Second
	end := time.Now().Add(limit)
	first := number(t, "FUZZ_SEED", int(time.Now().Unix()/86400)*1_000_000)
	ran, failures := 0, 0
	for i := 0; time.Now().Before(end) && failures < 5; i++ {
		seed := i + 1
		if i >= fixedBatches {
			seed = first + i
		}
		b := batchOf(i, seed)
		ran++
		if report := d.run(b); report != "" {
			failures++
			t.Error(report)
		}
	}
	t.Logf("%d batches in %v, %d of them late; the seeds of the day begin with %d", ran, limit, d.late, first)
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

// TestFailuresAreSeen holds the driver to what it says: batches that crash, hang, write beside a buffer or show a
// trace fail.
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
