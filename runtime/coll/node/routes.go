package node

import (
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Long data of blocking operations goes through shared memory or by single copies, whichever is the quicker
// here (collseg.Route).

// route is the route of this rank's data in an operation of a kind with at most n bytes for one rank. It
// begins with the route first. The rank decider chooses for all, by what it measures. dense says that the
// data has no gaps: data with gaps would have to be packed as a whole first.
func (s *cellOp) route(k collseg.Kind, n int64, decider int, first collseg.Route, dense bool) collseg.Route {
	switch {
	case s.Dead || s.a.HasPublished() || s.how.Single == Never:
		return collseg.Shared
	case s.how.Single == Always && dense:
		return collseg.Single
	case s.how.Single == Always:
		return collseg.Shared
	}
	w := first
	if s.Rank == decider {
		w, s.timing = s.a.PickRoute(k, n, first)
	} else {
		w = s.a.ToldRoute(decider, k, n, first)
	}
	if w == collseg.Single && !dense && first != w {
		s.timing = collseg.Measured{}
		return first
	}
	return w
}

// routeAtRoot is route for an operation in which the root alone has data. If it is measured, it ends when
// all others have their data: the root measures that, and not what it does itself.
func (s *cellOp) routeAtRoot(k collseg.Kind, n int64, first collseg.Route, dense bool) collseg.Route {
	w := s.route(k, n, s.Rank, first, dense)
	if s.timing.On() {
		s.drainOf(0, s.Size)
	}
	return w
}

// arrived waits for what all others publish, if the operation is measured: how late they are says nothing of
// the route.
func (s *cellOp) arrived() {
	if s.timing.On() {
		since := shm.Now()
		s.await(0, s.Size)
		s.timing.Skip(since)
	}
}

// firstOfAlltoall is the route by which an alltoall begins whose blocks have at most n bytes.
func firstOfAlltoall(a *collseg.Segment, n int64) collseg.Route {
	if !a.Crowded() && a.Size() > alltoallInSteps && n > 2*a.Chunk() {
		return collseg.Single
	}
	return collseg.Shared
}

// publishAddress publishes where b lies, for the ranks from first up to, not including, end, who read all of
// it.
func (s *cellOp) publishAddress(b datatype.Buffer, first, end int) {
	s.drainOf(first, end)
	s.CountAlgorithm(tool.SingleCopy)
	if at, ok := s.reserve(EntrySize); ok {
		setEntry(at, 0, b.Start(), b.Bytes())
		s.a.PublishTable()
	}
}
