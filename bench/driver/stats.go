package main

import (
	"math"
	"slices"
)

// median of the samples; NaN if there are none.
func median(samples []float64) float64 { return quantile(samples, 0.5) }

// quantile between 0 and 1, with linear interpolation between the samples.
func quantile(samples []float64, q float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(samples))
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// comparison is how gompi stands to another MPI in a row.
type comparison struct {
	ratio     float64 // of the medians, gompi over the other
	low, high float64 // quartiles of the ratios round by round
}

// compare relates two series of samples that were taken in turn. The rounds
// that only one of them has do not enter the spread.
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
	return comparison{
		ratio: median(ours) / median(theirs),
		low:   quantile(ratios, 0.25),
		high:  quantile(ratios, 0.75),
	}, true
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
