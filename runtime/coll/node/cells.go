package node

import (
	"gompi/runtime/coll/schedule"
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

// Group is the ranks of a node that carry out an operation through a coll segment.
type Group struct {
	*schedule.Exchange
	a          *collseg.Segment
	how        Choice
	goesToRoot func(x *schedule.Exchange, n int64) bool
}

// NewGroup is the ranks that share segment a, and go as has been chosen. goesToRoot reports whether an
// allreduce of n bytes is combined by rank 0.
func NewGroup(x *schedule.Exchange, a *collseg.Segment, how Choice,
	goesToRoot func(x *schedule.Exchange, n int64) bool) Group {
	return Group{x, a, how, goesToRoot}
}

// cellOp is one rank's part in such an operation.
type cellOp struct {
	Group
	// It ends when these ranks are done: they may read this rank's memory, or it measures them.
	drained, drainedEnd int
	spare               datatype.Buffer
	timing              collseg.Measured
}

// cells starts the next operation of the coll segment.
func (g Group) cells() cellOp {
	g.a.Begin()
	return cellOp{Group: g}
}

// end ends it. all says that this rank has waited for everybody.
func (s *cellOp) end(all bool) {
	s.CountAlgorithm(tool.Cells)
	if s.Dead {
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
		s.Note(s.Engine.WaitFor(d))
	}
}

// reserve waits for room for n bytes and tells where they go; false when package fast has published them
// already, or after a failure.
func (s *cellOp) reserve(n int64) (at uintptr, ok bool) {
	if s.Dead || s.a.HasPublished() {
		return 0, false
	}
	if !s.a.Free(n) {
		if s.Note(s.Engine.WaitFor(s.a.Room(n))); s.Dead {
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
		s.Remember(err)
		s.a.PublishSize(0) // all see that there is no contribution
		return
	}
	s.a.Publish()
}

// publishEmpty publishes that this rank has nothing to contribute, where what it should pass on has failed on
// it, here or in the operation that this one is a part of (schedule.Failure), and reports whether it has.
func (s *cellOp) publishEmpty() bool {
	failed := s.Err != nil || s.PartFailed
	if failed {
		s.publish(datatype.Raw(0, 0))
	}
	return failed
}

// copied is Exchange.CopyOwn of which no fault escapes.
func (s *cellOp) copied(dst, src datatype.Buffer) {
	defer s.Caught()
	s.Exchange.CopyOwn(dst, src)
}

// await waits for what the ranks from first up to, not including, end publish.
func (s *cellOp) await(first, end int) {
	if a := s.a.Await(first, end); !s.Dead && !a.Ready() {
		s.Note(s.Engine.WaitFor(a))
	}
}

// expect checks that what rank r publishes has the size that this rank expects.
func (s *cellOp) expect(r int, n, want int64) bool {
	if n == want || s.Dead {
		return !s.Dead
	}
	s.Note(schedule.Disagreement(r, n, want))
	return false
}

// inside checks that what rank r publishes, at addr, stands in its segment.
func (s *cellOp) inside(r int, addr uintptr) bool {
	if addr == fast.NoData && !s.Dead {
		s.Note(schedule.Malformed(r))
	}
	return !s.Dead
}

// piece is the room, in bytes, through which data comes that has gaps here.
const piece = 64 << 10

// take copies what stands at an address of a coll segment to b.
func (s *cellOp) take(b datatype.Buffer, at uintptr) {
	n := b.Bytes()
	if s.Dead || n == 0 {
		return
	}
	s.Remember(b.UnpackAt(0, at, n))
}

// pull copies what lies at an address of rank r's memory to b.
func (s *cellOp) pull(b datatype.Buffer, r int, where uintptr) {
	n := b.Bytes()
	if s.Dead || n == 0 {
		return
	}
	if b.Contiguous() {
		s.read(r, b.Start(), where, n)
		return
	}
	if s.spare.Count == 0 {
		s.spare = s.Raw(piece)
	}
	for from := int64(0); from < n && !s.Dead; from += piece {
		k := min(piece, n-from)
		s.read(r, s.spare.Addr, where+uintptr(from), k)
		b.Unpack(from, shm.Bytes(s.spare.Addr, k))
	}
}

// read copies n bytes of rank r's memory. That it could not be reached does not end the operation for the
// others.
func (s *cellOp) read(r int, dst, src uintptr, n int64) {
	if s.Dead {
		return
	}
	s.CountAlgorithm(tool.SingleCopy)
	err := s.Engine.ReadPeer(s.Context, r, dst, src, n)
	if peer := s.Context.Peers.Of(r); err != nil && s.Engine.Perished(peer, err) {
		s.Note(s.Engine.Lost(peer))
		return
	}
	if err != nil {
		s.Remember(mpierr.New(mpierr.ErrBuffer, "%d bytes could not be read from rank %d: one of the buffers is no memory, or the process has ended", n, r))
	}
}

// takeWhole copies all that rank r publishes, which has to be as much as b holds.
func (s *cellOp) takeWhole(b datatype.Buffer, r int) {
	if s.await(r, r+1); s.Dead {
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
func (s *cellOp) stepped(r int) bool { return !s.Dead && s.a.Pipelined(r) }

// Barrier waits for everybody.
func (g Group) Barrier() {
	s := g.cells()
	s.publish(datatype.Raw(0, 0))
	s.await(0, s.Size)
	s.end(true)
}

// AllReach reports whether all ranks can read each other's memory, by how many each cannot read.
func (g Group) AllReach(outOfReach uint64) bool {
	s := g.cells()
	closed := s.Raw(8)
	*shm.Word64(closed.Addr) = outOfReach
	s.publish(closed)
	s.await(0, s.Size)
	direct := !s.Dead
	for r := range s.Size {
		at, n := s.a.Contribution(r)
		direct = direct && at != 0 && n == 8 && *shm.Word64(at) == 0
	}
	s.end(true)
	return direct
}
