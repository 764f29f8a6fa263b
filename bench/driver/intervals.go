package main

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// confidence of the intervals: four turns reach it without an assumption about the distribution.
const confidence = 0.85

// narrow is how far an interval may reach from its centre, as a share of it.
const narrow = 0.1

// interval is a median with the bounds between which it lies.
type interval struct {
	centre, low, high float64
	few               bool // too few samples for the confidence; the bounds are those of the samples
}

// intervalOf takes the samples as they come, from any distribution.
func intervalOf(samples []float64) interval {
	if len(samples) == 0 {
		return interval{math.NaN(), math.NaN(), math.NaN(), true}
	}
	thresholds := benchmath.DefaultThresholds
	s := benchmath.NewSample(slices.Clone(samples), &thresholds)
	sum := benchmath.AssumeNothing.Summary(s, confidence)
	if math.IsInf(sum.Lo, 0) || math.IsInf(sum.Hi, 0) || len(samples) < 2 {
		return interval{sum.Center, slices.Min(samples), slices.Max(samples), true}
	}
	return interval{centre: sum.Center, low: sum.Lo, high: sum.Hi}
}

// wide says that the interval reaches further than is narrow.
func (i interval) wide() bool {
	return i.high-i.centre > narrow*i.centre || i.centre-i.low > narrow*i.centre
}

// decided says that a ratio is ahead, even or behind wherever in the interval it lies.
func (i interval) decided() bool {
	return i.high < 1/even || i.low > even || (i.low >= 1/even && i.high <= even)
}

// certainty is how far an interval says what it was measured for.
type certainty int

const (
	certain certainty = iota
	tooWide           // the interval neither is narrow nor decides a comparison
	tooFew            // there are too few turns for an interval
	single            // measured in one turn on purpose
)

// mark stands behind a figure that is not certain.
func (c certainty) mark() string {
	return map[certainty]string{tooWide: " (wide)", tooFew: " (few)", single: " (once)"}[c]
}

// certaintyOf judges a row: by the ratios of gompi to the better peer and to its base, or, where there is
// nobody to compare with, by the samples themselves.
func (t *table) certaintyOf(at row) certainty {
	if t.once(at) {
		return single
	}
	worst := certain
	compared := false
	for _, other := range []string{t.bestPeer(at), base} {
		if c, ok := compare(t.samples["gompi"][at], t.samples[other][at]); ok {
			compared = true
			worst = max(worst, c.certainty())
		}
	}
	if compared {
		return worst
	}
	for _, rows := range t.samples {
		if i := intervalOf(rows[at]); len(rows[at]) > 0 && i.few {
			worst = max(worst, tooFew)
		} else if len(rows[at]) > 0 && i.wide() {
			worst = max(worst, tooWide)
		}
	}
	return worst
}

// certainty of a comparison.
func (c comparison) certainty() certainty {
	switch {
	case c.few:
		return tooFew
	case c.wide() && !c.decided():
		return tooWide
	}
	return certain
}

// openNumbers are the numbers of a launch at which a row is not certain yet and could become so, and whether
// there is any; a launch without numbers on the table's axis has none and may still be open. `out` says whether
// an MPI has no turns left in this launch: a comparison with it cannot become better.
func (t *table) openNumbers(launch int, out func(library string) bool) (numbers []int, open bool) {
	for _, at := range t.rows {
		if t.launchOf[at] != launch {
			continue
		}
		if c := t.certaintyOf(at); c == certain || c == single {
			continue
		}
		peer := t.bestPeer(at)
		if out("gompi") || (peer != "" && out(peer)) {
			continue
		}
		open = true
		if !slices.Contains(numbers, at.x) {
			numbers = append(numbers, at.x)
		}
	}
	return numbers, open
}
