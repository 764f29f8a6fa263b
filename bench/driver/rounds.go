package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"
)

// measurement is a run of the driver. What it measures while the cores lie near to one another and while they
// lie far apart are results of their own.
type measurement struct {
	benchmarks []benchmark
	template   results // what all results have in common
	byPlace    map[place]*results
	looks      map[place]int // turns of benchmarks
	raw        string        // the program that tells the places, "" for none
	last       place         // as it was found last
	memcpy     []rawLimits   // one for each round
	turns      func(*table) int
}

// measureAll finds the MPI libraries, builds the programs and measures.
func measureAll(ctx context.Context, opt options, progress io.Writer) (*measurement, error) {
	build := filepath.Join(opt.root, "build", "bench", "programs")
	benchmarks, err := chooseBenchmarks(allBenchmarks(plan{quick: opt.quick,
		file: filepath.Join(build, "io.data")}), opt.only)
	if err != nil {
		return nil, err
	}
	live := newBar(progress)
	defer live.end()
	progress = live
	mpis := findMPIs(ctx, opt, progress)
	if len(mpis) == 0 {
		return nil, errors.New("there is no MPI to measure")
	}
	if mpis = buildPrograms(ctx, mpis, filepath.Join(opt.root, "bench", "c"), build, progress); len(mpis) == 0 {
		return nil, errors.New("no MPI could compile the benchmarks")
	}
	m := &meter{
		mpis:       mpis,
		programs:   build,
		patience:   30 * time.Second,
		limit:      20 * time.Second,
		byInterval: opt.rounds == 0,
		progress:   progress,
		bar:        live,
		spent:      map[string]time.Duration{},
		left:       map[string]bool{},
		failed:     map[string]bool{},
	}
	if opt.rounds == 0 {
		m.end = opt.started.Add(opt.time)
	}
	m.busy, m.busyError = buildBusy(ctx, opt.root, build)
	all := &measurement{
		benchmarks: inOrder(benchmarks),
		template: results{machine: describeMachine(ctx, opt.root), date: time.Now(), quick: opt.quick,
			part: opt.part(), mpis: mpis},
		byPlace: map[place]*results{},
		looks:   map[place]int{},
		raw:     buildRaw(ctx, opt.root, build, progress),
	}
	all.turns = func(t *table) int {
		if opt.rounds > 0 || opt.quick {
			return 1
		}
		return t.turns
	}
	most := mostRounds
	switch {
	case opt.rounds > 0:
		most = min(opt.rounds, mostRounds)
	case opt.quick:
		most = 1
	}
	rounds := all.measure(ctx, m, most, opt.started)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	if len(all.byPlace) == 0 {
		all.at("")
	}
	for _, r := range all.byPlace {
		r.raw = append(r.raw, all.memcpy...)
		r.rounds, r.duration = rounds, time.Since(opt.started)
		r.sortTables(benchmarks)
	}
	return all, nil
}

// measure goes through all benchmarks again and again, until the rounds are done, the time is up or all is
// certain. Whatever the machine does for a while then hits a part of each benchmark's samples, and no
// benchmark alone.
func (all *measurement) measure(ctx context.Context, m *meter, most int, started time.Time) (rounds int) {
	for ; rounds < most && !m.over(ctx); rounds++ {
		fmt.Fprintf(m.progress, "round %d, %.0f s\n", rounds+1, time.Since(started).Seconds())
		ran := false
		if all.raw != "" {
			if limits, ok := measureRaw(ctx, all.raw); ok {
				limits.CachelineNanoseconds = 0 // it is looked at before each benchmark
				all.memcpy = append(all.memcpy, limits)
			}
		}
		for number := range all.benchmarks {
			m.bar.show(number, len(all.benchmarks), fmt.Sprintf("round %d: %s", rounds+1, all.benchmarks[number].name))
			if !m.over(ctx) && all.turn(ctx, m, number) {
				ran = true
			}
		}
		if !ran {
			break
		}
	}
	return rounds
}

// turn measures a benchmark once, for the place in which the cores are just now.
func (all *measurement) turn(ctx context.Context, m *meter, number int) bool {
	before := usageNow()
	limits, looked := all.look(ctx)
	from := usageNow()
	at := all.last
	r := all.at(at)
	t := r.tables[number]
	if !m.round(ctx, t, all.turns(t)) {
		return false
	}
	l := loadBetween(from, usageNow())
	if looked {
		// Two pinned processes on two cores wait for nobody but others.
		l.Waited = pressureBetween(before, from)
		r.raw = append(r.raw, limits)
	}
	t.loads = append(t.loads, l)
	all.looks[at]++
	return true
}

// looksAtMove is how often a place is looked at that seems to have changed: other programs make a cache line
// slower, and never quicker.
const looksAtMove = 3

// look finds out where the cores are just now, and says whether it could. Where it could not, the place is
// the last one.
func (all *measurement) look(ctx context.Context) (rawLimits, bool) {
	if all.raw == "" {
		return rawLimits{}, false
	}
	least, looked := rawLimits{}, false
	for range looksAtMove {
		l, ok := measureRaw(ctx, all.raw, "cacheline")
		took := l.CachelineNanoseconds
		if ok && took < farBelow && (!looked || took < least.CachelineNanoseconds) {
			least, looked = l, true
		}
		if looked && placeOf(least.CachelineNanoseconds) == all.last {
			break
		}
	}
	if looked {
		all.last = placeOf(least.CachelineNanoseconds)
	}
	return least, looked
}

// at are the results of a place.
func (all *measurement) at(where place) *results {
	if r := all.byPlace[where]; r != nil {
		return r
	}
	r := all.template
	r.machine.place = where
	for _, b := range all.benchmarks {
		r.tables = append(r.tables, newTable(b))
	}
	all.byPlace[where] = &r
	return &r
}

// worthKeeping divides the results: those of the place in which most was measured, and of others that have
// all benchmarks too; and those in which some are missing.
func (all *measurement) worthKeeping() (kept, left []*results) {
	places := slices.Sorted(maps.Keys(all.byPlace))
	slices.SortStableFunc(places, func(a, b place) int { return all.looks[b] - all.looks[a] })
	for i, at := range places {
		r := all.byPlace[at]
		if i == 0 || !slices.ContainsFunc(r.tables, func(t *table) bool { return len(t.rows) == 0 }) {
			kept = append(kept, r)
		} else {
			left = append(left, r)
		}
	}
	return kept, left
}

func (all *measurement) failed(library string) bool {
	for _, r := range all.byPlace {
		if r.failed(library) {
			return true
		}
	}
	return false
}

// inOrder are the benchmarks as they are measured: those with a target first, lest
// there be no time for them.
func inOrder(benchmarks []benchmark) []benchmark {
	var first, others []benchmark
	for _, b := range benchmarks {
		if slices.ContainsFunc(targets, func(g target) bool { return g.benchmark == b.name }) {
			first = append(first, b)
		} else {
			others = append(others, b)
		}
	}
	return append(first, others...)
}

// sortTables brings them into the order of the report.
func (r *results) sortTables(benchmarks []benchmark) {
	place := func(t *table) int {
		return slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == t.name })
	}
	slices.SortStableFunc(r.tables, func(a, b *table) int { return place(a) - place(b) })
}
