package main

import (
	"slices"
	"strconv"
	"strings"
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
	whole       map[string]map[row]whole     // by MPI and row, where the program tells it
	launchOf    map[row]int                  // which of the runs measures a row
	loads       []load                       // of other programs, one for each turn
	begun       bool
	unsupported map[string]map[string]string // by MPI and series, the function that is missing
	failures    []failure
}

func newTable(b benchmark) *table {
	return &table{benchmark: b, samples: map[string]map[row][]float64{}, whole: map[string]map[row]whole{},
		launchOf: map[row]int{}, unsupported: map[string]map[string]string{}}
}

// whole is what all batches of all turns say together, where a sample is the median batch of a turn.
type whole struct {
	best, mean float64
	turns      int
}

// with adds a turn.
func (w whole) with(best, mean float64, more bool) whole {
	if w.turns == 0 || (more && best > w.best) || (!more && best < w.best) {
		w.best = best
	}
	w.turns++
	w.mean += (mean - w.mean) / float64(w.turns)
	return w
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
	t.samples[name][at] = append(t.samples[name][at], measured(value))
}

// measured is a value without the digits that were not measured, so that a file of results holds all that the
// report is made of.
func measured(value float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 5, 64), 64)
	if err != nil {
		return value
	}
	return rounded
}

// addWhole stores what the batches of a turn say.
func (t *table) addWhole(name string, at row, b batches) {
	if t.whole[name] == nil {
		t.whole[name] = map[row]whole{}
	}
	t.whole[name][at] = t.whole[name][at].with(b.best, b.mean, t.more)
}

// hasWhole says whether an MPI has told of its batches at any row.
func (t *table) hasWhole() bool { return len(t.whole) > 0 }

// once says that a row is measured in one turn alone, so that it has no interval.
func (t *table) once(at row) bool {
	number, known := t.launchOf[at]
	return known && number < len(t.runs) && t.runs[number].once
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
