package node

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// Where ranks share cores, one rank combines all contributions to a reduction. To share the work takes each
// rank a turn on its core for each step of that, a few tens of microseconds for each rank on a core, in which
// some hundred KiB are combined.

// AllreduceAtOnce has all combine what all publish at once; or rank 0 alone, who publishes the outcome in an
// operation that follows. A rank to which the others' contributions have another size takes part in that as
// well.
func (g Group) AllreduceAtOnce(send, recv datatype.Buffer, o *op.Op, atRoot bool) {
	s := g.cells()
	s.publish(send)
	combines := !atRoot || s.Rank == 0
	if combines {
		s.await(0, s.Size)
		s.combinePublished(o, 0, recv)
	}
	if atRoot || s.Err != nil && s.outcomeFollows() {
		s.publishOutcome(recv, combines)
	} else {
		s.end(true)
	}
}

// publishOutcome ends the operation in which all contribute to an allreduce, as end does, and is the one in
// which rank 0 publishes the outcome; nothing if there is none, by which the others see it.
func (s *cellOp) publishOutcome(recv datatype.Buffer, all bool) {
	if !s.Dead {
		s.a.End(all)
		s.drain()
		s.a.Begin()
	}
	switch {
	case s.Rank != 0 && s.Err == nil:
		s.takeWhole(recv, 0)
	case s.Rank == 0 && !s.publishEmpty():
		s.publish(recv)
	}
	s.end(false)
}

// outcomeFollows reports, once all have published something, whether ranks will take the outcome of an
// allreduce from rank 0.
func (s *cellOp) outcomeFollows() bool {
	for r := range s.Size {
		if n, _, _ := s.a.BytesAt(r, 0); !s.Dead && s.goesToRoot(s.Exchange, n) {
			return true
		}
	}
	return false
}

// reduceAtRoot is a reduction in steps that the root carries out alone. n is the number of steps.
func (s *stepReduction) reduceAtRoot() (n uint64) {
	piece := s.p.Of(s.send, 0)
	if s.Rank == s.root {
		piece = piece.Slice(0, 0) // nobody reads it
	}
	n, over := s.begin(piece)
	switch {
	case over:
	case s.Rank == s.root:
		s.combineAtRoot()
	default:
		for k := uint64(1); k < n && !s.Dead; k++ {
			s.publishPiece(s.p.Of(s.send, k), k, s.total, s.root, s.root+1)
		}
	}
	return n
}

// combineAtRoot is the rest of it on the root, which combines all.
func (s *stepReduction) combineAtRoot() {
	b, size := s.send, s.send.Type.Size()
	each := min(s.p.Each, max(valuesRoom/int64(s.Size)/size, 1))
	var x stepTree
	x.begin(&s.steps, s.o, b.Type, each*size)
	spare := x.tree.scratch + uintptr(int64(x.g.Levels+2)*x.level)
	for k, n := uint64(0), s.p.Steps(); k < n && s.awaitStep(k, 0, s.Size); k++ {
		piece, outcome := s.p.Of(b, k), s.p.Of(s.result, k)
		for from := int64(0); from < piece.Count; from += each {
			own := piece.Slice(from, min(each, piece.Count-from))
			out := outcome.Slice(from, own.Count)
			at := own.Start()
			if own.Addr == out.Addr && s.Rank < s.Size-1 {
				at = spare // a left operand may not stand where the outcome goes
				s.fill(spare, own, 0, own.Bytes())
			}
			x.in(k, uintptr(from*size), at)
			x.combineTo(out.Start(), out.Count)
		}
		s.a.DoneAt(k, 0, s.Size)
	}
}

// AllreduceAtRoot has rank 0 combine all contributions in steps. It sends the outcome to the others in an
// operation that follows; nothing if there is none.
func (g Group) AllreduceAtRoot(send, recv datatype.Buffer, o *op.Op) {
	var result *datatype.Buffer
	if g.Rank == 0 {
		result = &recv
	}
	s := g.reducing(send.Bytes()/2, send, result, o, 0)
	n := s.reduceAtRoot()
	if s.Dead {
		s.close(n)
		return
	}
	s.follow(n, recv.Bytes())
	s.bcast(recv, 0)
}
