package node

import (
	"gompi/runtime/fast"
	"gompi/wire/state"
)

// patterns are the functions of the operations that the stubs begin, by pattern.
var patterns = [...]string{
	fast.Everyone: "MPI_Iallgather", fast.FromRoot: "MPI_Ibcast", fast.ToRoot: "MPI_Igather",
	fast.Scattered: "MPI_Iscatter", fast.ScatteredV: "MPI_Iscatterv", fast.Crossed: "MPI_Ialltoall",
	fast.CrossedV: "MPI_Ialltoallv", fast.Meeting: "MPI_Ibarrier", fast.Reduction: "MPI_Ireduce",
	fast.ReductionToAll: "MPI_Iallreduce",
	fast.Shares:         "MPI_Ireduce_scatter or MPI_Ireduce_scatter_block", fast.PrefixIn: "MPI_Iscan",
	fast.PrefixEx: "MPI_Iexscan", fast.Neighbors: "MPI_Ineighbor_allgather",
	fast.NeighborsV: "MPI_Ineighbor_alltoall",
}

// called is the function of an operation that a stub has begun; "" where it is not known.
func called(q *fast.CollRequest) string {
	x := &q.Part
	if int(x.Pattern) >= len(patterns) {
		return ""
	}
	name := patterns[x.Pattern]
	switch {
	case q.Form == fast.ListedBlocks && x.Pattern != fast.CrossedV:
		name += "v"
	case q.Form == fast.TypedBlocks && x.Pattern == fast.CrossedV:
		name = "MPI_Ialltoallw"
	case q.Form == fast.TypedBlocks:
		name += "w"
	}
	return name
}

// Describe implements p2p.Describer, for what goes over the nonblocking segment: those whose part is missing.
func (s *Operation) Describe(n *state.Need) {
	w := &s.nbc
	n.Kind = state.Collective
	if w.pattern == fast.PatternNone {
		return
	}
	if n.Name == "" {
		n.Name = w.called
	}
	switch w.stage {
	case taking:
		for i := w.next; i < w.sources(); i++ {
			if from := w.source(i); from >= 0 && !w.row.Published(uint32(from), w.k) {
				n.Absent = append(n.Absent, int32(from))
			}
		}
	case publishing:
		for r := range w.size {
			late := w.row.DoneBy(uint32(r))+w.row.Cells < w.k
			if w.published > 0 { // there is no room for more pieces
				late = w.row.DoneBy(uint32(r)) < w.k && !s.onNbc.segment.Reads(r, w.k)
			}
			if r != w.rank && late {
				n.Absent = append(n.Absent, int32(r))
			}
		}
	}
}
