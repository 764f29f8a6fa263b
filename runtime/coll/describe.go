package coll

import (
	"gompi/launch/state"
	"gompi/runtime/fast"
)

// patterns are what reports call the nonblocking operations of each pattern.
var patterns = [...]string{
	fast.Everyone: "allgather", fast.FromRoot: "broadcast", fast.ToRoot: "gather",
	fast.Scattered: "scatter", fast.ScatteredV: "scatter", fast.Crossed: "alltoall",
	fast.CrossedV: "alltoall", fast.Meeting: "barrier", fast.Reduction: "reduction",
	fast.Shares: "reduce-scatter", fast.PrefixIn: "scan", fast.PrefixEx: "scan",
	fast.Neighbors: "neighborhood operation", fast.NeighborsV: "neighborhood operation",
}

// Describe implements p2p.Describer, for what goes over the nonblocking segment: those whose part is missing.
func (s *Schedule) Describe(n *state.Need) {
	w := &s.nbc
	n.Kind = state.Collective
	if w.pattern == fast.PatternNone || int(w.pattern) >= len(patterns) {
		return
	}
	n.Name = "a nonblocking " + patterns[w.pattern]
	switch w.stage {
	case taking:
		for i := w.next; i < w.sources(); i++ {
			if from := w.source(i); from >= 0 && !w.row.Published(uint32(from), w.k) {
				n.Absent = append(n.Absent, int32(from))
			}
		}
	case showing:
		for r := range w.size {
			if r != w.rank && w.row.DoneBy(uint32(r))+w.row.Cells < w.k {
				n.Absent = append(n.Absent, int32(r))
			}
		}
	}
}
