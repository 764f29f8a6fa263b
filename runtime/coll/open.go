package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/shm"
)

// What the ranks of a communicator agree on before they use their shared memory for the first time.

// segmentOf is the coll segment to use for a blocking operation on c; nil when it goes by messages. The
// answer is the same on all ranks.
func segmentOf(c *comm.Comm) *collseg.Segment {
	a := c.Segment()
	if a == nil || a.Opened() {
		return a
	}
	return openSegment(c, a)
}

// openSegment agrees on where the numbers of the coll segment begin and on whether all can read each other's
// memory. Nobody has ever used the coll segments of MPI_COMM_WORLD before, so its ranks agree through these
// themselves.
func openSegment(c *comm.Comm, a *collseg.Segment) *collseg.Segment {
	t := join(c, tagOpen)
	if a.First() {
		a.Open(0, false)
		all := t.cells(a)
		all.barrier()
		all.end(true)
		if t.err == nil {
			a.SetDirect(t.allReachAll(a))
		}
	} else {
		last := t.agreed(a.Last())
		if closed := t.agreed(t.outOfReach()); !t.dead { // all are there once they have told their numbers
			a.Open(last, closed == 0)
		}
	}
	if t.finish() != nil {
		return nil // messages tell the user
	}
	offer(c, a)
	return a
}

// offer lets package fast carry out small operations, with the limits that hold here: by which route an
// operation goes has to be the same on all ranks, whether package fast or this one deals with it. Sums of
// many elements are left to the kernels.
func offer(c *comm.Comm, a *collseg.Segment) {
	a.Bcasts, a.Gathers, a.Spreads = collseg.MaxData, maxGathered, maxSpread
	if a.ChoosesAll() {
		a.Bcasts, a.Gathers = collseg.LeastSingle, collseg.LeastSingle
	}
	a.Reduces = uint32(min(maxCombined/a.Size(), reduceStub))
	if !c.Recovery.Hurt() {
		a.Offer(c.Handle)
	}
}

// outOfReach is the number of ranks whose memory this one cannot read. They have to be there.
func (t *Team) outOfReach() uint64 {
	n := uint64(0)
	for r := range t.size {
		if !t.dead && !t.e.CanRead(t.context, r) {
			n++
		}
	}
	return n
}

// allReachAll reports whether all ranks can read each other's memory, by what they tell in the coll segment.
func (t *Team) allReachAll(a *collseg.Segment) bool {
	s := t.cells(a)
	closed := s.raw(8)
	*shm.Word64(closed.Addr) = t.outOfReach()
	s.publish(closed)
	s.await(0, s.size)
	direct := !s.dead
	for r := range s.size {
		at, n := a.Contribution(r)
		direct = direct && at != 0 && n == 8 && *shm.Word64(at) == 0
	}
	s.end(true)
	return direct
}

// agreed is the greatest of the numbers that all ranks give.
func (t *Team) agreed(mine uint64) uint64 {
	number := t.number(mine)
	t.greatest(number)
	return *shm.Word64(number.Addr)
}
