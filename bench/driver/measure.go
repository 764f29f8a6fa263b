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

// failure is a run that did not end well. What it printed before counts.
type failure struct {
	mpi   string // name
	ranks int
	err   error
}

// results is everything that the report shows of one kind of processor.
type results struct {
	machine  machine
	raw      []rawLimits // one for each time that the machine was looked at
	date     time.Time
	duration time.Duration
	rounds   int // that were begun
	quick    bool
	part     bool // not all was asked for
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
	mpis       []mpi
	programs   string        // folder of the programs, one folder for each MPI
	busy       string        // the program that runs beside others
	busyError  error         // why there is none
	patience   time.Duration // how long one MPI may take in all over one launch
	limit      time.Duration // after which a single run counts as hanging
	end        time.Time     // after which nothing is begun; zero for never
	byInterval bool          // what is certain is not repeated
	progress   io.Writer
	bar        *bar // how far the round is, nil for none
	spent      map[string]time.Duration
	left       map[string]bool // out: launches that an MPI does not support, or that failed without a point
	failed     map[string]bool // launches whose failure is noted
	turn       int
}

// key names a launch of a benchmark under an MPI.
func key(t *table, launch int, library string) string {
	return t.name + " " + strconv.Itoa(launch) + " " + library
}

func (m *meter) over(ctx context.Context) bool {
	return ctx.Err() != nil || (!m.end.IsZero() && time.Now().After(m.end))
}

// out says whether an MPI has no turns left in a launch.
func (m *meter) out(k string) bool { return m.left[k] || m.spent[k] > m.patience }

// due is the launch as the next turn has to run it: with the points alone that are not certain, and not at
// all where there are none.
func (m *meter) due(t *table, number int) (launch, bool) {
	l := t.runs[number]
	switch {
	case !t.begun:
		return l, true
	case l.once:
		return l, false
	case !m.byInterval:
		return l, true
	}
	out := func(library string) bool { return m.out(key(t, number, library)) }
	numbers, open := t.openNumbers(number, out)
	return l.only(t.axis, numbers), open
}

// round runs a benchmark: every MPI in turn, and who begins changes from turn to
// turn. An MPI that failed, or that used up its patience, is left out later. It says
// whether there was anything to run.
func (m *meter) round(ctx context.Context, t *table, turns int) bool {
	begin := time.Now()
	ran := false
	for range max(turns, 1) {
		for number := range t.runs {
			l, due := m.due(t, number)
			if !due {
				continue
			}
			for i := range m.mpis {
				library := m.mpis[(m.turn+i)%len(m.mpis)]
				k := key(t, number, library.name)
				if m.out(k) || m.over(ctx) {
					continue
				}
				start := time.Now()
				m.once(ctx, t, library, number, l)
				m.spent[k] += time.Since(start)
				ran = true
			}
		}
		m.turn++
		t.begun = true
	}
	if ran {
		fmt.Fprintf(m.progress, "%-16s %5.1f s\n", t.name, time.Since(begin).Seconds())
	}
	return ran
}

// once runs a launch under one MPI and files what it says. A run that failed after some points is repeated
// like any other: its points are compared with those of the other libraries in all rounds.
func (m *meter) once(ctx context.Context, t *table, library mpi, number int, l launch) {
	start := time.Now()
	k := key(t, number, library.name)
	said, err := m.runOnce(ctx, library, l)
	for _, at := range said.order {
		place := t.rowOf(l, at)
		t.add(library.name, place, median(said.values[at]))
		t.launchOf[place] = number
		if b, told := said.batches[at]; told {
			t.addWhole(library.name, place, b)
		}
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

// runOnce starts a program and returns what it measured, also what it printed
// before it failed.
func (m *meter) runOnce(ctx context.Context, library mpi, l launch) (output, error) {
	command := append([]string{}, library.launcher...)
	command = append(command, "-n", strconv.Itoa(l.ranks), filepath.Join(m.programs, library.name, l.program))
	if l.beside > 0 {
		if m.busyError != nil {
			return output{}, fmt.Errorf("there is no busy program to run beside: %w", m.busyError)
		}
		stop, err := startBusy(m.busy, l.beside)
		if err != nil {
			return output{}, err
		}
		defer stop()
	}
	start := time.Now()
	text, err := execute(ctx, m.limit, nil, append(command, l.command()...)...)
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
