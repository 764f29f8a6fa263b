package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// table holds the samples of a benchmark.
type table struct {
	benchmark
	rows     []int                        // bytes or ranks, as measured
	samples  map[string]map[int][]float64 // by MPI and row, one for each round
	failures []failure
}

// failure is a run that gave no result.
type failure struct {
	mpi   string // name
	ranks int
	err   error
}

// results is everything that the report shows.
type results struct {
	machine machine
	date    time.Time
	quick   bool
	mpis    []mpi
	tables  []*table
}

// failed says whether a run under the named MPI failed.
func (r *results) failed(name string) bool {
	for _, t := range r.tables {
		for _, f := range t.failures {
			if f.mpi == name {
				return true
			}
		}
	}
	return false
}

// table finds the table of a benchmark, nil if it was not measured.
func (r *results) table(name string) *table {
	for _, t := range r.tables {
		if t.name == name {
			return t
		}
	}
	return nil
}

// meter runs benchmarks.
type meter struct {
	mpis     []mpi
	programs string        // folder of the programs, one folder for each MPI
	rounds   int           // 0 for the benchmark's own
	patience time.Duration // how long one MPI may take over the rounds of a launch
	limit    time.Duration // after which a single run counts as hanging
	progress io.Writer
}

// measure takes the samples of a benchmark: in each round every MPI runs once,
// and who begins changes from round to round. An MPI that failed, or that used
// up its patience, is left out of the rounds that follow.
func (m meter) measure(ctx context.Context, b benchmark) *table {
	t := &table{benchmark: b, samples: map[string]map[int][]float64{}}
	rounds := b.rounds
	if m.rounds > 0 {
		rounds = m.rounds
	}
	for _, l := range b.runs {
		begin := time.Now()
		spent := map[string]time.Duration{}
		failed := map[string]bool{}
		for round := range rounds {
			for i := range m.mpis {
				library := m.mpis[(round+i)%len(m.mpis)]
				if failed[library.name] || spent[library.name] > m.patience || ctx.Err() != nil {
					continue
				}
				start := time.Now()
				values, err := m.runOnce(ctx, library, l)
				spent[library.name] += time.Since(start)
				if err != nil {
					failed[library.name] = true
					t.failures = append(t.failures, failure{library.name, l.ranks, err})
					fmt.Fprintf(m.progress, "%s, %d ranks: %s: %v\n", b.name, l.ranks, library.label, err)
					continue
				}
				for bytes, v := range values {
					t.add(library.name, t.rowOf(l, bytes), v)
				}
			}
		}
		fmt.Fprintf(m.progress, "%-10s %2d ranks  %5.1f s\n", b.name, l.ranks, time.Since(begin).Seconds())
	}
	return t
}

func (t *table) rowOf(l launch, bytes int) int {
	if t.axis == byRanks {
		return l.ranks
	}
	return bytes
}

// add stores a sample; rows keep their order.
func (t *table) add(name string, row int, value float64) {
	known := false
	at := len(t.rows)
	for i, r := range t.rows {
		if r == row {
			known = true
		}
		if r > row && i < at {
			at = i
		}
	}
	if !known {
		t.rows = append(t.rows[:at], append([]int{row}, t.rows[at:]...)...)
	}
	if t.samples[name] == nil {
		t.samples[name] = map[int][]float64{}
	}
	t.samples[name][row] = append(t.samples[name][row], value)
}

// runOnce starts a program and returns what it measured, by message size.
func (m meter) runOnce(ctx context.Context, library mpi, l launch) (map[int]float64, error) {
	command := append([]string{}, library.launcher...)
	command = append(command, "-n", strconv.Itoa(l.ranks), filepath.Join(m.programs, library.name, l.program))
	start := time.Now()
	text, err := execute(ctx, m.limit, nil, append(command, l.args...)...)
	wall := time.Since(start)
	if err != nil {
		return nil, err
	}
	if l.wall {
		if n := strings.Count(text, "hello from rank"); n != l.ranks {
			return nil, fmt.Errorf("%d of %d ranks said hello", n, l.ranks)
		}
		return map[int]float64{0: wall.Seconds() * 1e3}, nil
	}
	return parseResults(text)
}

// parseResults reads the lines "result <bytes> <value>". Several values for one
// size, of several ranks, give their median.
func parseResults(text string) (map[int]float64, error) {
	all := map[int][]float64{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "result" {
			continue
		}
		if len(words) != 3 {
			return nil, fmt.Errorf("cannot read %q", strings.TrimSpace(line))
		}
		bytes, err := strconv.Atoi(words[1])
		if err != nil {
			return nil, fmt.Errorf("cannot read %q", strings.TrimSpace(line))
		}
		value, err := strconv.ParseFloat(words[2], 64)
		if err != nil || value < 0 || value-value != 0 {
			return nil, fmt.Errorf("cannot read %q", strings.TrimSpace(line))
		}
		all[bytes] = append(all[bytes], value)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no result was printed")
	}
	values := map[int]float64{}
	for bytes, v := range all {
		values[bytes] = median(v)
	}
	return values, nil
}
