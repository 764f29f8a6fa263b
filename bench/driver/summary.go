package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// standing is how gompi compares with the better peer at one point.
type standing struct {
	table *table
	at    row
	peer  string  // name
	cost  float64 // above 1 gompi is behind, whether more or less is better
}

// Within a tenth nobody is ahead: so much differs from run to run.
const even = 1.1

func (s standing) behind() bool { return s.cost > even }
func (s standing) ahead() bool  { return s.cost < 1/even }

// standings are all points that gompi and a peer have.
func (t *table) standings() []standing { return t.against(t.bestPeer) }

// against are all points that gompi and the other library at a point have.
func (t *table) against(other func(row) string) []standing {
	var all []standing
	for _, at := range t.rows {
		peer := other(at)
		ours, theirs := median(t.samples["gompi"][at]), median(t.samples[peer][at])
		cost := ours / theirs
		if t.more {
			cost = theirs / ours
		}
		if peer == "" || math.IsNaN(cost) || math.IsInf(cost, 0) || cost <= 0 {
			continue
		}
		all = append(all, standing{t, at, peer, cost})
	}
	return all
}

// geometricMean of the costs.
func geometricMean(all []standing) float64 {
	sum := 0.0
	for _, s := range all {
		sum += math.Log(s.cost)
	}
	return math.Exp(sum / float64(len(all)))
}

// worst are the points at which gompi is behind, the worst first.
func (r *results) worst() []standing {
	var all []standing
	for _, t := range r.tables {
		for _, s := range t.standings() {
			if s.behind() {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b standing) int { return cmp.Compare(b.cost, a.cost) })
	return all
}

// worstRows describe the points at which gompi is behind, at most so many.
func (r *results) worstRows(most int) [][]string {
	rows := [][]string{{"benchmark", "point", "behind", "gompi", "better peer", ""}}
	for i, s := range r.worst() {
		if i == most {
			break
		}
		rows = append(rows, []string{s.table.title, s.table.rowName(s.at), fmt.Sprintf("%.2f x", s.cost),
			number(median(s.table.samples["gompi"][s.at])), number(median(s.table.samples[s.peer][s.at])),
			s.table.unit + ", " + r.label(s.peer)})
	}
	return rows
}

// overviewRows sum the tables up, those in which gompi is furthest behind first.
func (r *results) overviewRows() [][]string {
	type line struct {
		mean  float64
		cells []string
	}
	var lines []line
	for _, t := range r.tables {
		all := t.standings()
		if len(all) == 0 {
			continue
		}
		behind, ahead := 0, 0
		for _, s := range all {
			if s.behind() {
				behind++
			} else if s.ahead() {
				ahead++
			}
		}
		mean := geometricMean(all)
		words := fmt.Sprintf("%.2f x behind", mean)
		switch {
		case mean < 1/even:
			words = fmt.Sprintf("%.2f x ahead", 1/mean)
		case mean <= even:
			words = "even"
		}
		lines = append(lines, line{mean, []string{t.title, fmt.Sprint(behind),
			fmt.Sprint(len(all) - behind - ahead), fmt.Sprint(ahead), words}})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.mean, a.mean) })
	rows := [][]string{{"benchmark", "points behind", "even", "ahead", "in the geometric mean"}}
	for _, l := range lines {
		rows = append(rows, l.cells)
	}
	return rows
}

// baseRows say how gompi stands to its other state, the furthest behind first: the geometric mean of a
// benchmark, and its worst point.
func (r *results) baseRows() [][]string {
	type line struct {
		mean  float64
		cells []string
	}
	var lines []line
	for _, t := range r.tables {
		all := t.against(func(row) string { return base })
		if len(all) == 0 {
			continue
		}
		worst := slices.MaxFunc(all, func(a, b standing) int { return cmp.Compare(a.cost, b.cost) })
		mean := geometricMean(all)
		lines = append(lines, line{mean, []string{t.title, fmt.Sprintf("%.3f", mean), fmt.Sprintf("%.2f",
			worst.cost), t.rowName(worst.at)}})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.mean, a.mean) })
	rows := [][]string{{"benchmark", "geometric mean", "worst point", ""}}
	for _, l := range lines {
		rows = append(rows, l.cells)
	}
	return rows
}

// notYet lists what gompi does not have, by table: the series and the functions.
func (r *results) notYet() [][]string {
	rows := [][]string{{"benchmark", "what is not there yet"}}
	for _, t := range r.tables {
		var missing []string
		for series, function := range t.unsupported["gompi"] {
			text := function
			if series != "" && !strings.HasPrefix(series, function) {
				text = series + " (" + function + ")"
			}
			missing = append(missing, text)
		}
		if len(missing) > 0 {
			slices.Sort(missing)
			rows = append(rows, []string{t.title, strings.Join(missing, "; ")})
		}
	}
	return rows
}
