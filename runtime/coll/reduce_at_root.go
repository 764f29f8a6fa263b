package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// Where ranks share cores, one rank combines all contributions to a reduction. To share the work takes each
// rank a turn on its core for each step of that, a few tens of microseconds for each rank on a core, in which
// some hundred KiB are combined.

// atRootMost is how many bytes one rank combines at a time, for each rank on a core.
const atRootMost = 256 << 10

// isReducedAtRoot reports whether one rank combines contributions of n bytes.
func isReducedAtRoot(a *collseg.Segment, n int64) bool {
	return a.Crowded() && !isAtOnce(a, n) &&
		min(n, collseg.MaxData)*int64(a.Size()) <= int64(a.PerCore())*atRootMost
}

// reducesAtRoot reports whether one rank combines contributions like b.
func reducesAtRoot(a *collseg.Segment, b datatype.Buffer) bool {
	return isReducedAtRoot(a, b.Bytes()) && reducesInSteps(b)
}

// reducesAtRootAtOnce reports whether it does so with contributions that are published at once.
func reducesAtRootAtOnce(a *collseg.Segment, b datatype.Buffer) bool {
	return b.Bytes() <= collseg.MaxData && reducesAtRoot(a, b)
}

// sharedAllreduce has all combine what all publish at once; or rank 0 alone, who publishes the outcome in an
// operation that follows. A rank to which the others' contributions have another size takes part in that as
// well.
func sharedAllreduce(c *comm.Comm, a *collseg.Segment, send, recv datatype.Buffer, o *op.Op,
	alone bool) error {
	s := begin(c, a)
	s.publish(send)
	combines := !alone || s.rank == 0
	if combines {
		s.await(0, s.size)
		s.combinePublished(o, 0, recv)
	}
	if alone || s.err != nil && s.outcomeFollows() {
		return s.publishOutcome(recv, combines)
	}
	return s.end(true)
}

// publishOutcome ends the operation in which all contribute to an allreduce, as leave does, and is the one in
// which rank 0 publishes the outcome; nothing if there is none, by which the others see it.
func (s *cellOp) publishOutcome(recv datatype.Buffer, all bool) error {
	if !s.dead {
		s.a.End(all)
		s.drain()
		s.a.Begin()
	}
	switch {
	case s.rank != 0 && s.err == nil:
		s.takeWhole(recv, 0)
	case s.rank == 0 && !s.publishEmpty():
		s.publish(recv)
	}
	return s.end(false)
}

// outcomeFollows reports, once all have published something, whether ranks will take the outcome of an
// allreduce from rank 0.
func (s *cellOp) outcomeFollows() bool {
	for r := range s.size {
		if n, _, _ := s.a.BytesAt(r, 0); !s.dead && isReducedAtRoot(s.a, n) {
			return true
		}
	}
	return false
}

// reduceAtRoot is a reduction in steps that the root carries out alone. n is the number of steps.
func (s *steps) reduceAtRoot(send datatype.Buffer, result *datatype.Buffer, o *op.Op, root int) (n uint64) {
	p, total := inSteps(s.a, send), send.Bytes()
	route := s.chooseReduction(send, root)
	piece := p.of(send, 0)
	if s.rank == root {
		piece = piece.Slice(0, 0) // nobody reads it
	}
	s.publishFirst(piece, send, total, route)
	if s.arrived(); !s.agree(total) {
		return 1
	}
	if s.lends(route) {
		return s.combineSingle(send, result, o, root)
	}
	if s.rank == root {
		s.combineAtRoot(send, *result, o, p)
		return p.steps()
	}
	for k := uint64(1); k < p.steps() && !s.dead; k++ {
		s.publishPieceTo(p.of(send, k), k, total, root, root+1)
	}
	return p.steps()
}

// combineAtRoot is the rest of a reduction of b, whose division is p, on the root that combines all.
func (s *steps) combineAtRoot(b, result datatype.Buffer, o *op.Op, p division) {
	size := b.Type.Size()
	each := min(p.each, max(valuesRoom/int64(s.size)/size, 1))
	x := s.tree(o, b.Type, each*size)
	spare := x.scratch + uintptr(int64(x.g.levels+2)*x.level)
	for k, n := uint64(0), p.steps(); k < n && s.awaitStep(k, 0, s.size); k++ {
		x.step = k
		piece, outcome := p.of(b, k), p.of(result, k)
		for from := int64(0); from < piece.Count; from += each {
			own := piece.Slice(from, min(each, piece.Count-from))
			out := outcome.Slice(from, own.Count)
			x.skip, x.own = uintptr(from*size), own.Start()
			if own.Addr == out.Addr && s.rank < s.size-1 {
				x.own = spare // a left operand may not stand where the outcome goes
				s.fill(spare, own, 0, own.Bytes())
			}
			x.combineTo(out.Start(), out.Count)
		}
		s.a.DoneAt(k, 0, s.size)
	}
}

// allreduceAtRoot has rank 0 combine all contributions in steps. It sends the outcome to the others in an
// operation that follows; nothing if there is none.
func allreduceAtRoot(c *comm.Comm, a *collseg.Segment, send, recv datatype.Buffer, o *op.Op) error {
	var result *datatype.Buffer
	if c.Rank() == 0 {
		result = &recv
	}
	s := stepping(c, a, send.Bytes()/2)
	n := s.reduceAtRoot(send, result, o, 0)
	if s.dead {
		return s.close(n)
	}
	s.follow(n, recv.Bytes())
	return s.bcast(recv, 0)
}
