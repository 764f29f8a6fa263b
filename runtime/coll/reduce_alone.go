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

// aloneMost is how many bytes one rank combines at a time, for each rank on a core.
const aloneMost = 256 << 10

// isAlone reports whether one rank combines contributions of n bytes.
func isAlone(a *collseg.Segment, n int64) bool {
	return a.PerCore() > 1 && !isAtOnce(a, n) &&
		min(n, collseg.MaxData)*int64(a.Size()) <= int64(a.PerCore())*aloneMost
}

// combinesAlone reports whether one rank combines contributions like b.
func combinesAlone(a *collseg.Segment, b datatype.Buffer) bool {
	return isAlone(a, b.Bytes()) && reducesInSteps(b) && b.Contiguous()
}

// combinesAloneAtOnce reports whether it does so with contributions that are published at once.
func combinesAloneAtOnce(a *collseg.Segment, b datatype.Buffer) bool {
	return b.Bytes() <= collseg.MaxData && combinesAlone(a, b)
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
func (s *sharing) publishOutcome(recv datatype.Buffer, all bool) error {
	if !s.dead {
		s.a.End(all)
		s.drain()
		s.a.Begin()
	}
	switch {
	case s.rank != 0 && s.err == nil:
		s.takeWhole(recv, 0)
	case s.rank == 0 && s.err == nil:
		s.publish(recv)
	case s.rank == 0:
		s.publish(datatype.Raw(0, 0))
	}
	return s.end(false)
}

// outcomeFollows reports, once all have published something, whether ranks will take the outcome of an
// allreduce from rank 0.
func (s *sharing) outcomeFollows() bool {
	for r := range s.size {
		n := s.a.Bytes(r)
		if !s.dead && !s.stepped(r) && !s.a.HasPointers(r) && n <= collseg.MaxData && isAlone(s.a, n) {
			return true
		}
	}
	return false
}
