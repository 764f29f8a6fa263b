package main

import (
	"slices"
	"strings"
	"testing"
)

// What users' programs do most, and what has been slow for them, stays among the points.
func TestPointsOfPrograms(t *testing.T) {
	for _, p := range []struct {
		benchmark, program, words string
		numbers                   []int
		ranks                     []int
		beside                    int
	}{
		{"exchanges", "exchange", "roundtrip", []int{16 << 10, 256 << 10}, []int{2}, 0},
		{"exchanges", "exchange", "isends", []int{256 << 10}, []int{2}, 0},
		{"exchanges", "exchange", "ring", []int{64 << 10}, []int{2}, 0},
		{"exchanges", "exchange", "bothways", []int{64 << 10, 256 << 10, 1 << 20}, []int{2}, 0},
		{"exchanges", "exchange", "faces", nil, []int{2}, 0},
		{"datatypes", "datatype", "", []int{256 << 10}, []int{2}, 0},
		{"rma-allocated", "rma", "allocated", []int{4 << 10}, []int{2}, 0},
		{"rma-private", "rma", "private", []int{4 << 10, 1 << 20}, []int{2}, 0},
		{"collectives-2", "collective", "blocking all", []int{64 << 10}, []int{2}, 0},
		{"collectives-2", "collective", "MPI_Alltoall,MPI_Allgather", []int{1 << 20}, []int{2}, 0},
		{"collectives-4", "collective", "MPI_Alltoall", []int{1 << 20}, []int{4}, 0},
		{"io", "darray", "", []int{16 << 20}, []int{4}, 0},
		{"matching", "matching", "posted", []int{10}, []int{2}, 0},
		{"matching", "matching", "unexpected", []int{10}, []int{2}, 0},
		{"barrier", "percentiles", "barrier", nil, []int{8, 16, 32, 64}, 0},
		{"applications", "heat2d", "", nil, []int{8, 16, 32}, 0},
		{"applications", "cg", "", nil, []int{8, 16, 32}, 0},
		{"applications", "sort", "", nil, []int{8, 16, 32}, 0},
		{"beside", "percentiles", "roundtrip", nil, []int{2}, 4},
		{"beside", "percentiles", "fence", nil, []int{2}, 1},
		{"beside", "percentiles", "pscw", nil, []int{2}, 1},
		{"local", "local", "", []int{8}, []int{2}, 0},
	} {
		for _, ranks := range p.ranks {
			fits := func(l launch) bool {
				return l.program == p.program && l.ranks == ranks && l.beside == p.beside && !l.once &&
					strings.Contains(strings.Join(l.args, " "), p.words) &&
					!slices.ContainsFunc(p.numbers, missingIn(l.numbers))
			}
			found := false
			for _, b := range allBenchmarks(plan{}) {
				found = found || b.name == p.benchmark && slices.ContainsFunc(b.runs, fits)
			}
			if !found {
				t.Errorf("%s: no launch of %s %s %v on %d ranks beside %d", p.benchmark, p.program, p.words,
					p.numbers, ranks, p.beside)
			}
		}
	}
}

func missingIn(numbers []int) func(int) bool {
	return func(n int) bool { return !slices.Contains(numbers, n) }
}

// Two benchmarks of one name would share their chart.
func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range allBenchmarks(plan{}) {
		if seen[b.name] {
			t.Errorf("%s stands there twice", b.name)
		}
		seen[b.name] = true
	}
}
