package coll

import (
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
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
	t := join(c, schedule.TagOpen)
	if a.First() {
		a.Open(0, false)
		t.group().Barrier()
		if t.Err == nil {
			a.SetDirect(t.group().AllReach(t.outOfReach()))
		}
	} else {
		last := t.agreed(a.Last())
		if closed := t.agreed(t.outOfReach()); !t.Dead { // all are there once they have told their numbers
			a.Open(last, closed == 0)
		}
	}
	if t.finish() != nil {
		return nil // messages tell the user
	}
	offer(c, a)
	return a
}

// offer lets package fast carry out small operations.
func offer(c *comm.Comm, a *collseg.Segment) {
	q := &question{ranks: a.Size()}
	q.within(a)
	a.Most = limits(c, q)
	if !c.Recovery.Impaired() {
		a.Offer(c.Handle)
	}
}

// offered is the operations that package fast carries out, by pattern.
var offered = [fast.Patterns]struct {
	is     bool
	op     tool.Operation
	uneven bool // in a v or w form as well
	spread bool // a rank has something else for each other
}{
	fast.Meeting: {is: true, op: tool.Barrier}, fast.FromRoot: {is: true, op: tool.Bcast},
	fast.ToRoot: {is: true, op: tool.Gather}, fast.Everyone: {is: true, op: tool.Allgather},
	fast.Scattered:  {is: true, op: tool.Scatter, spread: true},
	fast.ScatteredV: {is: true, op: tool.Scatter, spread: true},
	fast.Crossed:    {is: true, op: tool.Alltoall, spread: true},
	fast.CrossedV:   {is: true, op: tool.Alltoall, spread: true},
	fast.Reduction:  {is: true, op: tool.Reduce}, fast.ReductionToAll: {is: true, op: tool.Allreduce},
	fast.Shares:   {is: true, op: tool.ReduceScatter},
	fast.PrefixIn: {is: true, op: tool.Scan}, fast.PrefixEx: {is: true, op: tool.Exscan},
}

// reduceStub is how many bytes package fast combines at most by itself: more elements are left to the
// kernels.
const reduceStub = 8 << 10

// limits is how much package fast may deal with, by pattern: what goes through cells at once by the table.
// All ranks have to go the same way, whether package fast or this one deals with an operation.
func limits(c *comm.Comm, q *question) (most [fast.Patterns]uint32) {
	room := int64(collseg.MaxData)
	if q.at&onNodeNbc != 0 {
		room = fast.MaxNbcData
	}
	q.contiguous, q.dense = true, true
	for p, o := range offered {
		if !o.is {
			continue
		}
		q.op = o.op
		n := q.atOnce(c.Pins()[o.op])
		switch {
		case o.spread && n > 0:
			n = min(n, room) * int64(q.ranks)
		case p >= int(fast.Reduction):
			n = min(n, reduceStub, maxCombined/int64(q.ranks))
		}
		most[p] = uint32(min(n, room))
	}
	return most
}

// outOfReach is the number of ranks whose memory this one cannot read. They have to be there.
func (t *Team) outOfReach() uint64 {
	n := uint64(0)
	for r := range t.Size {
		if !t.Dead && !t.Engine.CanRead(t.Context, r) {
			n++
		}
	}
	return n
}

// agreed is the greatest of the numbers that all ranks give.
func (t *Team) agreed(mine uint64) uint64 {
	number := t.Number(mine)
	t.Greatest(number)
	return *shm.Word64(number.Addr)
}
