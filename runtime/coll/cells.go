package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Blocking collectives among ranks of one node go through shared memory. Whoever contributes publishes its
// data to all others, at once if it is short or else in steps (steps.go); whoever needs the data reads it.
// Long data may be published by where it lies instead, and is read out of the other process's memory by a
// single copy (routes.go). By which route its data goes each rank decides by its own size and by what is
// quick here, so that nothing has to be agreed on; a rank with another size finds out by what is published.

// cellOp is one rank's part in such an operation.
type cellOp struct {
	Team
	a *collseg.Segment
	// It ends when these ranks are done: they may read this rank's memory, or it measures them.
	drained, drainedEnd int
	spare               datatype.Buffer
	timing              collseg.Measured
}

// sharedArea is the coll segment to use for a blocking operation on c; nil when it goes by messages. The
// answer is the same on all ranks.
func sharedArea(c *comm.Comm) *collseg.Segment {
	a := c.Segment()
	if a == nil || a.Opened() {
		return a
	}
	return openArea(c, a)
}

// openArea agrees on where the numbers of the coll segment begin and on whether all can read each other's
// memory. Nobody has ever used the coll segments of MPI_COMM_WORLD before, so its ranks agree through these
// themselves.
func openArea(c *comm.Comm, a *collseg.Segment) *collseg.Segment {
	t := join(c, tagOpen)
	if a.First() {
		a.Open(0, false)
		all := meet(c, a)
		if t.note(all.leave(true)); t.err == nil {
			s := begin(c, a)
			closed := s.raw(8)
			*shm.Word64(closed.Addr) = t.outOfReach()
			s.publish(closed)
			s.await(0, s.size)
			direct := !s.dead
			for r := range s.size {
				at, n := a.Contribution(r)
				direct = direct && at != 0 && n == 8 && *shm.Word64(at) == 0
			}
			t.note(s.leave(true))
			a.SetDirect(direct)
		}
	} else {
		last := t.greatest(a.Last())
		if closed := t.greatest(t.outOfReach()); !t.dead { // all are there once they have told their numbers
			a.Open(last, closed == 0)
		}
	}
	if t.finish() != nil {
		return nil // messages tell the user
	}
	offer(c, a)
	return a
}

// offer lets package fast carry out small operations, with the limits that hold here: which way an operation
// goes has to be the same on all ranks, whether package fast or this one deals with it. Sums of many elements
// are left to the kernels.
func offer(c *comm.Comm, a *collseg.Segment) {
	const reduceStub = 8 << 10
	a.Bcasts, a.Gathers, a.Spreads = collseg.MaxData, maxGathered, maxSpread
	if a.ChoosesAll() {
		a.Bcasts, a.Gathers = collseg.LeastSingle, collseg.LeastSingle
	}
	a.Reduces = uint32(min(maxCombined/a.Size(), reduceStub))
	if !c.HasFailedRanks() {
		a.Offer(c.Handle)
	}
}

// outOfReach is the number of ranks whose memory this one cannot read. They have to be there.
func (t *Team) outOfReach() uint64 {
	n := uint64(0)
	for r := range t.size {
		if !t.dead && !t.e.CanRead(t.x, r) {
			n++
		}
	}
	return n
}

// greatest is the greatest of the numbers that all ranks give.
func (t *Team) greatest(mine uint64) uint64 {
	out, in := t.raw(8), t.raw(8)
	for k := 1; k < t.size && !t.dead; k <<= 1 {
		*shm.Word64(out.Addr) = mine
		t.exchange(out, (t.rank+k)%t.size, in, (t.rank-k+t.size)%t.size)
		mine = max(mine, *shm.Word64(in.Addr))
	}
	return mine
}

// begin starts the next operation of the coll segment.
func begin(c *comm.Comm, a *collseg.Segment) cellOp {
	a.Begin()
	return cellOp{Team: join(c, 0), a: a}
}

// end ends it, and counts it.
func (s *cellOp) end(all bool) error {
	s.countAlgorithm(tool.Cells)
	s.c.Count(s.algorithm)
	return s.leave(all)
}

// leave ends it. all says that this rank has waited for everybody.
func (s *cellOp) leave(all bool) error {
	if s.dead {
		return s.finish()
	}
	s.a.End(all)
	s.drain()
	s.timing.End()
	return s.finish()
}

// drainOf has the operation end when the ranks from first up to, not including, end are done with it.
func (s *cellOp) drainOf(first, end int) { s.drained, s.drainedEnd = first, end }

// drain waits until nobody needs the memory of this rank any more, of which it may have published addresses.
func (s *cellOp) drain() {
	if s.drained == s.drainedEnd {
		return
	}
	if d := s.a.Drain(s.drained, s.drainedEnd); !d.Ready() {
		s.note(s.e.WaitFor(d))
	}
}

// reserve waits for room for n bytes and tells where they go; false when package fast has published them
// already, or after a failure.
func (s *cellOp) reserve(n int64) (at uintptr, ok bool) {
	if s.dead || s.a.HasPublished() {
		return 0, false
	}
	if !s.a.Free(n) {
		if s.note(s.e.WaitFor(s.a.Room(n))); s.dead {
			return 0, false
		}
	}
	return s.a.OwnData(n), true
}

// publish publishes b at once. Of what is too long for that, which is more than this rank itself expects of
// others, it publishes the size alone, by which they see the mistake.
func (s *cellOp) publish(b datatype.Buffer) {
	n := b.Bytes()
	if n > collseg.MaxData {
		if _, ok := s.reserve(0); ok {
			s.a.PublishSize(n)
		}
		return
	}
	at, ok := s.reserve(n)
	if !ok {
		return
	}
	if err := b.PackAt(0, at, n); err != nil {
		s.faulted(err)
		s.a.PublishSize(0) // all see that there is no contribution
		return
	}
	s.a.Publish()
}

// publishEmpty publishes that this rank has nothing to contribute, where what it should pass on has failed
// on it, here or in the operation that this one is a part of (Team.passes), and reports whether it has.
func (s *cellOp) publishEmpty() bool {
	failed := s.err != nil || s.c.Spoilt
	if failed {
		s.publish(datatype.Raw(0, 0))
	}
	return failed
}

// copied is Team.copied of which no fault escapes.
func (s *cellOp) copied(dst, src datatype.Buffer) {
	defer s.caught()
	s.Team.copied(dst, src)
}

// caught is deferred where memory of the program is read or written.
func (s *cellOp) caught() {
	if p := recover(); p != nil {
		s.faulted(datatype.Fault(p))
	}
}

// faulted notes that an address of the program's is no memory. The call fails, but this rank plays its part,
// so that the others need not wait for it.
func (s *cellOp) faulted(err error) {
	if s.err == nil {
		s.err = err
	}
}

// await waits for what the ranks from first up to, not including, end publish.
func (s *cellOp) await(first, end int) {
	if a := s.a.Await(first, end); !s.dead && !a.Ready() {
		s.note(s.e.WaitFor(a))
	}
}

// expect checks that what rank r publishes has the size that this rank expects.
func (s *cellOp) expect(r int, n, want int64) bool {
	if n == want || s.dead {
		return !s.dead
	}
	s.note(disagreement(r, n, want))
	return false
}

// inside checks that what rank r publishes, at addr, stands in its segment.
func (s *cellOp) inside(r int, addr uintptr) bool {
	if addr == fast.NoData && !s.dead {
		s.note(malformed(r))
	}
	return !s.dead
}

// piece is the room, in bytes, through which data comes that has gaps here.
const piece = 64 << 10

// take copies what stands at an address of an coll segment to b.
func (s *cellOp) take(b datatype.Buffer, at uintptr) {
	n := b.Bytes()
	if s.dead || n == 0 {
		return
	}
	s.faulted(b.UnpackAt(0, at, n))
}

// pull copies what lies at an address of rank r's memory to b.
func (s *cellOp) pull(b datatype.Buffer, r int, where uintptr) {
	n := b.Bytes()
	if s.dead || n == 0 {
		return
	}
	if b.Contiguous() {
		s.read(r, b.Start(), where, n)
		return
	}
	if s.spare.Count == 0 {
		s.spare = s.raw(piece)
	}
	for from := int64(0); from < n && !s.dead; from += piece {
		k := min(piece, n-from)
		s.read(r, s.spare.Addr, where+uintptr(from), k)
		b.Unpack(from, shm.Bytes(s.spare.Addr, k))
	}
}

// read copies n bytes of rank r's memory. That it could not be reached does not end the operation for the
// others.
func (s *cellOp) read(r int, dst, src uintptr, n int64) {
	if s.dead {
		return
	}
	s.countAlgorithm(tool.SingleCopy)
	err := s.e.ReadPeer(s.x, r, dst, src, n)
	if peer := s.x.Peers.Of(r); err != nil && s.e.Perished(peer, err) {
		s.note(s.e.Lost(peer))
		return
	}
	if err != nil && s.err == nil {
		s.err = mpierr.New(mpierr.ErrBuffer, "%d bytes could not be read from rank %d: one of the buffers is no memory, or the process has ended", n, r)
	}
}

// takeWhole copies all that rank r publishes, which has to be as much as b holds.
func (s *cellOp) takeWhole(b datatype.Buffer, r int) {
	if s.await(r, r+1); s.dead {
		return
	}
	if s.a.HasPointers(r) {
		if where, n := s.entryOf(r, 0, 1); s.expect(r, n, b.Bytes()) {
			s.pull(b, r, where)
		}
		return
	}
	if at, n := s.a.Contribution(r); s.expect(r, n, b.Bytes()) && s.inside(r, at) {
		s.take(b, at)
	}
}

// stepped reports whether rank r, which has published something, goes in steps, having more data than this
// rank.
func (s *cellOp) stepped(r int) bool { return !s.dead && s.a.Pipelined(r) }

// sharedBarrier is a barrier in which everybody says that it has come and waits for everybody.
func sharedBarrier(c *comm.Comm, a *collseg.Segment) error {
	s := meet(c, a)
	return s.end(true)
}

// meet waits for everybody.
func meet(c *comm.Comm, a *collseg.Segment) cellOp {
	s := begin(c, a)
	s.publish(datatype.Raw(0, 0))
	s.await(0, s.size)
	return s
}
