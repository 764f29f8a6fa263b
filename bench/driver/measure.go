package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// row is a point of a benchmark: the number on its axis, and which of its series.
type row struct {
	series string
	x      int
}

// table holds the samples of a benchmark.
type table struct {
	benchmark
	rows        []row                        // as measured: the series in the order in which they came
	samples     map[string]map[row][]float64 // by MPI and row, one for each turn
	unsupported map[string]map[string]string // by MPI and series, the function that is missing
	failures    []failure
}

func newTable(b benchmark) *table {
	return &table{benchmark: b, samples: map[string]map[row][]float64{},
		unsupported: map[string]map[string]string{}}
}

// failure is a run that did not end well. What it printed before counts.
type failure struct {
	mpi   string // name
	ranks int
	err   error
}

// results is everything that the report shows.
type results struct {
	machine  machine
	raw      []rawLimits // one for each round
	date     time.Time
	duration time.Duration
	rounds   int // that were begun
	quick    bool
	mpis     []mpi
	tables   []*table
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
	patience time.Duration // how long one MPI may take in all over one launch
	limit    time.Duration // after which a single run counts as hanging
	end      time.Time     // after which nothing is begun; zero for never
	progress io.Writer
	spent    map[string]time.Duration
	left     map[string]bool // out: launches that an MPI does not support, or that failed without a point
	failed   map[string]bool // launches whose failure is noted
	turn     int
}

// key names a launch of a benchmark under an MPI.
func key(t *table, launch int, library string) string {
	return t.name + " " + strconv.Itoa(launch) + " " + library
}

func (m *meter) over(ctx context.Context) bool {
	return ctx.Err() != nil || (!m.end.IsZero() && time.Now().After(m.end))
}

// round runs a benchmark: every MPI in turn, and who begins changes from turn to
// turn. An MPI that failed, or that used up its patience, is left out later.
func (m *meter) round(ctx context.Context, t *table, first bool, turns int) {
	begin := time.Now()
	for range max(turns, 1) {
		for number, l := range t.runs {
			if l.once && !first {
				continue
			}
			for i := range m.mpis {
				library := m.mpis[(m.turn+i)%len(m.mpis)]
				k := key(t, number, library.name)
				if m.left[k] || m.spent[k] > m.patience || m.over(ctx) {
					continue
				}
				start := time.Now()
				m.once(ctx, t, library, l, k)
				m.spent[k] += time.Since(start)
			}
		}
		m.turn++
		first = false // what is done once has been done
	}
	fmt.Fprintf(m.progress, "%-16s %5.1f s\n", t.name, time.Since(begin).Seconds())
}

// once runs a launch under one MPI and files what it says. A run that failed after some points is repeated
// like any other: its points are compared with those of the other libraries in all rounds.
func (m *meter) once(ctx context.Context, t *table, library mpi, l launch, k string) {
	start := time.Now()
	said, err := m.runOnce(ctx, library, l)
	for _, at := range said.order {
		t.add(library.name, t.rowOf(l, at), median(said.values[at]))
	}
	for series, function := range said.unsupported {
		if l.series != "" {
			series = strings.TrimSpace(l.series)
		}
		if t.unsupported[library.name] == nil {
			t.unsupported[library.name] = map[string]string{}
		}
		t.unsupported[library.name][series] = function
	}
	if len(said.order) == 0 && len(said.unsupported) > 0 {
		m.left[k] = true
		return
	}
	if err != nil {
		m.left[k] = len(said.order) == 0 || time.Since(start) >= m.limit
		if !m.failed[k] {
			m.failed[k] = true
			t.failures = append(t.failures, failure{library.name, l.ranks, err})
		}
		fmt.Fprintf(m.progress, "%s, %d ranks: %s: %v\n", t.name, l.ranks, library.label, err)
	}
}

// rowOf is where a result of a launch belongs in the table.
func (t *table) rowOf(l launch, at row) row {
	if l.series != "" {
		at.series = strings.TrimSpace(l.series)
	}
	switch t.axis {
	case byRanks:
		at.x = l.ranks
	case byCall:
		at.x = 0
	}
	return at
}

// add stores a sample. Rows of a series stand together, in the order of their
// numbers.
func (t *table) add(name string, at row, value float64) {
	if !slices.Contains(t.rows, at) {
		place, known := len(t.rows), false
		for i, r := range t.rows {
			if r.series != at.series {
				continue
			}
			if r.x > at.x {
				place, known = i, true
				break
			}
			place, known = i+1, true
		}
		if !known {
			place = len(t.rows)
		}
		t.rows = slices.Insert(t.rows, place, at)
	}
	if t.samples[name] == nil {
		t.samples[name] = map[row][]float64{}
	}
	t.samples[name][at] = append(t.samples[name][at], value)
}

// series are the names of the table's series, in order.
func (t *table) series() []string {
	var all []string
	for _, r := range t.rows {
		if !slices.Contains(all, r.series) {
			all = append(all, r.series)
		}
	}
	return all
}

// part is the table with one of its series alone.
func (t *table) part(series string) *table {
	only := *t
	only.rows = slices.DeleteFunc(slices.Clone(t.rows), func(r row) bool { return r.series != series })
	return &only
}

// runOnce starts a program and returns what it measured, also what it printed
// before it failed.
func (m *meter) runOnce(ctx context.Context, library mpi, l launch) (output, error) {
	command := append([]string{}, library.launcher...)
	command = append(command, "-n", strconv.Itoa(l.ranks), filepath.Join(m.programs, library.name, l.program))
	start := time.Now()
	text, err := execute(ctx, m.limit, nil, append(command, l.args...)...)
	wall := time.Since(start)
	if l.wall && err == nil {
		if n := strings.Count(text, "hello from rank"); n != l.ranks {
			return output{}, fmt.Errorf("%d of %d ranks said hello", n, l.ranks)
		}
		at := row{}
		return output{order: []row{at}, values: map[row][]float64{at: {wall.Seconds() * 1e3}}}, nil
	}
	said, unread := parseOutput(text)
	if err == nil {
		err = unread
	}
	return said, err
}

// output is what a program printed for the driver.
type output struct {
	order       []row // of the values
	values      map[row][]float64
	unsupported map[string]string // function by series
}

// parseOutput reads the lines "result <x> <value> [<series>]" and "unsupported
// <function> [<series>]"; several values for one point are those of several ranks.
// What stands before a line that cannot be read is returned with the error.
func parseOutput(text string) (output, error) {
	said := output{values: map[row][]float64{}, unsupported: map[string]string{}}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) >= 2 && words[0] == "unsupported":
			said.unsupported[strings.Join(words[2:], " ")] = words[1]
			continue
		case len(words) == 0 || words[0] != "result":
			continue
		}
		if len(words) < 3 {
			return said, fmt.Errorf("cannot read %q", strings.TrimSpace(line))
		}
		x, err := strconv.Atoi(words[1])
		if err != nil {
			return said, fmt.Errorf("cannot read %q", strings.TrimSpace(line))
		}
		value, err := strconv.ParseFloat(words[2], 64)
		if err != nil || value < 0 || value-value != 0 {
			return said, fmt.Errorf("cannot read %q", strings.TrimSpace(line))
		}
		at := row{strings.Join(words[3:], " "), x}
		if said.values[at] == nil {
			said.order = append(said.order, at)
		}
		said.values[at] = append(said.values[at], value)
	}
	if len(said.order) == 0 && len(said.unsupported) == 0 {
		return said, errors.New("no result was printed")
	}
	return said, nil
}
