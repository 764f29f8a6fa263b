package main

import (
	"fmt"
	"math"
	"strconv"
)

// number writes a value with three significant digits, large ones in full.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case v == 0:
		return "0"
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// bytesName writes a size in the unit that leaves no fraction.
func bytesName(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}

// rowName is the series and the number of a row, as far as there are any.
func (t *table) rowName(at row) string {
	name := t.numberName(at)
	switch {
	case at.series == "":
		return name
	case t.axis == byCall:
		return at.series
	case t.axis != byBytes:
		name += " " + string(t.axis)
	}
	return at.series + ", " + name
}

func (t *table) numberName(at row) string {
	if t.axis == byBytes {
		return bytesName(at.x)
	}
	return strconv.Itoa(at.x)
}

// heading is the title with the unit and the direction.
func (t *table) heading() string {
	direction := "less is better"
	if t.more {
		direction = "more is better"
	}
	return fmt.Sprintf("%s (%s, %s)", t.title, t.unit, direction)
}

// cells are the rows of a table as text, the heads of the columns first. Each
// MPI has its median with the interval behind it; then come gompi's ratios to the better
// peer and to its other state, where the program tells it also by the best batches and by
// the means.
func (r *results) cells(t *table) [][]string {
	head := []string{string(t.axis)}
	for _, m := range r.mpis {
		head = append(head, m.label)
	}
	var others []func(row) string // whom gompi is compared with
	if r.has("gompi") && (r.has("mpich") || r.has("openmpi")) {
		head = append(head, r.ratioHead(t, "better peer")...)
		others = append(others, t.bestPeer)
	}
	if r.has("gompi") && r.has(base) {
		head = append(head, r.ratioHead(t, r.label(base))...)
		others = append(others, func(row) string { return base })
	}
	rows := [][]string{head}
	for _, at := range t.rows {
		cells := []string{t.rowName(at)}
		for _, m := range r.mpis {
			cells = append(cells, spread(t.samples[m.name][at]))
		}
		for _, other := range others {
			cells = append(cells, t.ratios(at, other(at))...)
		}
		if len(others) == 0 && len(cells) > 1 {
			cells[len(cells)-1] += t.certaintyOf(at).mark()
		}
		rows = append(rows, cells)
	}
	return rows
}

func (r *results) ratioHead(t *table, other string) []string {
	head := []string{"gompi / " + other}
	if t.hasWhole() {
		head = append(head, "by best batches", "by means")
	}
	return head
}

// ratios are gompi's to another library in a row.
func (t *table) ratios(at row, other string) []string {
	cells := []string{"-"}
	if c, ok := compare(t.samples["gompi"][at], t.samples[other][at]); ok {
		mark := c.certainty().mark()
		if t.once(at) {
			mark = single.mark()
		}
		cells[0] = c.String() + mark
	}
	if !t.hasWhole() {
		return cells
	}
	ours, theirs := t.whole["gompi"][at], t.whole[other][at]
	if ours.turns == 0 || theirs.turns == 0 || theirs.best == 0 || theirs.mean == 0 {
		return append(cells, "-", "-")
	}
	return append(cells, ratio(ours.best/theirs.best), ratio(ours.mean/theirs.mean))
}

// spread is the median with the interval in which it lies, where there are samples enough.
func spread(samples []float64) string {
	i := intervalOf(samples)
	if len(samples) < 2 || i.low == i.high {
		return number(i.centre)
	}
	return fmt.Sprintf("%s (%s to %s)", number(i.centre), number(i.low), number(i.high))
}

// String is the ratio with its interval.
func (c comparison) String() string {
	if c.low == c.high {
		return ratio(c.centre)
	}
	return fmt.Sprintf("%s (%s to %s)", ratio(c.centre), ratio(c.low), ratio(c.high))
}

// ratio writes two decimals, or two digits where those say nothing.
func ratio(v float64) string {
	if v < 0.1 {
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func (r *results) has(name string) bool {
	for _, m := range r.mpis {
		if m.name == name {
			return true
		}
	}
	return false
}
