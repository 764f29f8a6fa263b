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
	results *results // nil where it does not matter
	table   *table
	at      row
	peer    string  // name
	cost    float64 // above 1 gompi is behind, whether more or less is better
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
		c, ok := compare(t.samples["gompi"][at], t.samples[peer][at])
		cost := c.centre
		if t.more {
			cost = 1 / cost
		}
		if !ok || math.IsNaN(cost) || math.IsInf(cost, 0) || cost <= 0 {
			continue
		}
		all = append(all, standing{table: t, at: at, peer: peer, cost: cost})
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

// worstOf are the points at which gompi is behind on any kind of processor, the worst first.
func worstOf(all []*results) []standing {
	var behind []standing
	for _, r := range all {
		for _, t := range r.tables {
			for _, s := range t.standings() {
				if s.behind() {
					s.results = r
					behind = append(behind, s)
				}
			}
		}
	}
	slices.SortStableFunc(behind, func(a, b standing) int { return cmp.Compare(b.cost, a.cost) })
	return behind
}

// worstRows describe those points, at most so many.
func worstRows(all []*results, most int) [][]string {
	rows := [][]string{{"benchmark", "point", "processor", "behind", "gompi", "better peer", ""}}
	for i, s := range worstOf(all) {
		if i == most {
			break
		}
		rows = append(rows, []string{s.table.title, s.table.rowName(s.at), s.results.machine.kind(),
			fmt.Sprintf("%.2f x%s", s.cost, s.table.certaintyOf(s.at).mark()),
			number(median(s.table.samples["gompi"][s.at])), number(median(s.table.samples[s.peer][s.at])),
			s.table.unit + ", " + s.results.label(s.peer)})
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
		behind, ahead, open := 0, 0, 0
		for _, s := range all {
			if c := t.certaintyOf(s.at); c == tooWide || c == tooFew {
				open++
			}
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
			fmt.Sprint(len(all) - behind - ahead), fmt.Sprint(ahead), fmt.Sprint(open), words}})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.mean, a.mean) })
	rows := [][]string{{"benchmark", "points behind", "even", "ahead", "not certain", "in the geometric mean"}}
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
