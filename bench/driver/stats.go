package main

import (
	"math"
	"slices"
)

// median of the samples; NaN if there are none.
func median(samples []float64) float64 { return intervalOf(samples).centre }

// highest of the samples; NaN if there are none.
func highest(samples []float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	return slices.Max(samples)
}

// comparison is how gompi stands to another MPI in a row: the ratio of the medians, gompi over the other, and
// between what bounds it lies.
type comparison struct {
	interval
}

// compare relates two series of samples that were taken in turn. The bounds come from the ratios turn by
// turn, because what the machine did in a turn hit both. They take in the ratio of the medians, to which the
// turns that only one of them has count as well.
func compare(ours, theirs []float64) (comparison, bool) {
	if len(ours) == 0 || len(theirs) == 0 || median(theirs) == 0 {
		return comparison{}, false
	}
	var ratios []float64
	for i := range min(len(ours), len(theirs)) {
		if theirs[i] != 0 {
			ratios = append(ratios, ours[i]/theirs[i])
		}
	}
	if len(ratios) == 0 {
		return comparison{}, false
	}
	i := intervalOf(ratios)
	i.centre = median(ours) / median(theirs)
	i.low, i.high = min(i.low, i.centre), max(i.high, i.centre)
	return comparison{i}, true
}

// bestPeer is the name of the peer with the best median in a row, "" if none
// has one.
func (t *table) bestPeer(at row) string {
	best, name := math.NaN(), ""
	for peer, rows := range t.samples {
		m := median(rows[at])
		if peer == "gompi" || peer == base || math.IsNaN(m) {
			continue
		}
		if name == "" || (t.more && m > best) || (!t.more && m < best) || (m == best && peer < name) {
			best, name = m, peer
		}
	}
	return name
}
