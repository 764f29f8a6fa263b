package coll

import (
	"gompi/runtime/collseg"
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
	*Team
	a *collseg.Segment
	// It ends when these ranks are done: they may read this rank's memory, or it measures them.
	drained, drainedEnd int
	spare               datatype.Buffer
	timing              collseg.Measured
}

// cells starts the next operation of the coll segment.
func (t *Team) cells(a *collseg.Segment) cellOp {
	a.Begin()
	return cellOp{Team: t, a: a}
}

// end ends it. all says that this rank has waited for everybody.
func (s *cellOp) end(all bool) {
	s.countAlgorithm(tool.Cells)
	if s.dead {
		return
	}
	s.a.End(all)
	s.drain()
	s.timing.End()
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
		s.remember(err)
		s.a.PublishSize(0) // all see that there is no contribution
		return
	}
	s.a.Publish()
}

// publishEmpty publishes that this rank has nothing to contribute, where what it should pass on has failed on
// it, here or in the operation that this one is a part of (failure.passes), and reports whether it has.
func (s *cellOp) publishEmpty() bool {
	failed := s.err != nil || s.partFailed
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

// take copies what stands at an address of a coll segment to b.
func (s *cellOp) take(b datatype.Buffer, at uintptr) {
	n := b.Bytes()
	if s.dead || n == 0 {
		return
	}
	s.remember(b.UnpackAt(0, at, n))
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
	err := s.e.ReadPeer(s.context, r, dst, src, n)
	if peer := s.context.Peers.Of(r); err != nil && s.e.Perished(peer, err) {
		s.note(s.e.Lost(peer))
		return
	}
	if err != nil {
		s.remember(mpierr.New(mpierr.ErrBuffer, "%d bytes could not be read from rank %d: one of the buffers is no memory, or the process has ended", n, r))
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

// barrier waits for everybody.
func (s *cellOp) barrier() {
	s.publish(datatype.Raw(0, 0))
	s.await(0, s.size)
}
