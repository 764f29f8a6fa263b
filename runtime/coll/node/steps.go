package node

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Long data goes through shared memory in steps. Whoever has data copies it to its cells, one chunk after the
// other, and whoever needs it copies it out, or combines it, while the next chunk is on its way: these cells,
// the chunks, stay in the caches, and two copies by processes that work at the same time take less time than
// one by the kernel, which has to look up every page. Data with gaps is packed into cells and unpacked out of
// them as it goes. What a rank needs of its own data it takes from where that lies: a chunk that another rank
// reads at the same time would go back and forth between their caches.

// steps is one rank's part in such an operation.
type steps struct {
	cellOp
	past bool // what this rank gets is too much for the caches
}

// tooMuch is from how many bytes on what the ranks get together stays in no cache. There a store past the
// caches saves reading the memory that it is about to write, unless that has just been read, as in place.
const tooMuch = 32 << 20

// stepping begins an operation in which each rank gets n bytes.
func (g Group) stepping(n int64) steps {
	return steps{cellOp: g.cells(), past: isPast(g.a, n)}
}

// isPast reports whether n bytes for each rank are too much for the caches.
func isPast(a *collseg.Segment, n int64) bool { return n > tooMuch/int64(a.Size()) }

// close ends an operation that had n steps.
func (s *steps) close(n uint64) {
	s.CountAlgorithm(tool.Steps)
	if !s.Dead {
		s.leaveSteps(n)
	}
}

// leaveSteps ends what had n steps.
func (s *steps) leaveSteps(n uint64) {
	s.a.Close(n)
	s.drain()
	s.timing.End()
}

// follow ends a part of n steps of an operation, and begins the next one, in which each rank gets bytes.
func (s *steps) follow(n uint64, bytes int64) {
	s.leaveSteps(n)
	s.a.Begin()
	s.drainOf(0, 0)
	s.timing, s.past = collseg.Measured{}, isPast(s.a, bytes)
}

// roomFor waits until this rank's cell of step k may be written; the ranks from first to end read it.
func (s *steps) roomFor(k uint64, first, end int) bool {
	if room := s.a.RoomAt(k, first, end); !s.Dead && !room.Ready() {
		s.Note(s.Engine.WaitFor(room))
	}
	return !s.Dead
}

// early reports whether this rank should publish step k before it reads step now: when it has to, and when
// there is room for it anyway. Ranks that share a core get on by several steps then before the next one has
// its turn.
func (s *steps) early(k, now uint64) bool {
	return !s.Dead && (k <= now || k < now+s.a.Ahead() && s.a.RoomAt(k, 0, s.Size).Ready())
}

// awaitStep waits until the ranks from first to end have published step k.
func (s *steps) awaitStep(k uint64, first, end int) bool {
	if published := s.a.PublishedAt(k, first, end); !s.Dead && !published.Ready() {
		s.Note(s.Engine.WaitFor(published))
	}
	return !s.Dead
}

// fill copies the bytes of b from at on, at most n, to addr.
func (s *steps) fill(addr uintptr, b datatype.Buffer, at, n int64) {
	if n > 0 {
		s.Remember(b.PackAt(at, addr, n))
	}
}

// drop copies n bytes at addr to the bytes of b from at on.
func (s *steps) drop(b datatype.Buffer, at int64, addr uintptr, n int64) {
	defer s.Caught()
	switch {
	case n <= 0:
	case !b.Contiguous():
		b.Unpack(at, shm.Bytes(addr, n))
	case s.past:
		shm.CopyPast(b.Start()+uintptr(at), addr, n)
	default:
		shm.Copy(b.Start()+uintptr(at), addr, n)
	}
}

// publishChunk publishes chunk k of b to the ranks from first to end, with the number of all of b's bytes.
func (s *steps) publishChunk(b datatype.Buffer, k uint64, first, end int) {
	if !s.roomFor(k, first, end) {
		return
	}
	total := b.Bytes()
	c := s.a.ChunkOf(total)
	at := int64(k) * c
	s.fill(s.a.DataAt(s.Rank, k), b, at, min(c, total-at))
	what := collseg.Step
	if at+c >= total {
		what = collseg.LastStep
	}
	s.a.PublishAt(k, total, what, first, end)
}

// takeChunk copies chunk k of what rank r publishes to b, which is as long as that.
func (s *steps) takeChunk(b datatype.Buffer, r int, k uint64) {
	total := b.Bytes()
	c := s.a.ChunkOf(total)
	at := int64(k) * c
	s.drop(b, at, s.a.DataAt(r, k), min(c, total-at))
}

// allInSteps reports, once all have published step 0, whether all are in an operation of steps. Where one is
// not, because it has less data than the others say, nobody goes on, and all say so. Those that are may
// publish where their data lies instead.
func (s *steps) allInSteps() bool {
	for r := range s.Size {
		if r != s.Rank && !s.stepped(r) && !s.a.HasPointers(r) {
			s.Note(mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes, fewer than this rank expects",
				r, s.a.Bytes(r)))
			return false
		}
	}
	return true
}

// Bcast has the root publish its data to all others.
func (g Group) Bcast(b datatype.Buffer, root int) {
	s := g.stepping(b.Bytes())
	s.bcast(b, root)
}

// bcast is that, in an operation that has begun.
func (s *steps) bcast(b datatype.Buffer, root int) {
	if s.Rank != root {
		s.takeBcast(b, root)
		return
	}
	if !s.publishEmpty() {
		switch w := s.routeAtRoot(collseg.Bcasts, b.Bytes(), collseg.Shared, b.Contiguous()); {
		case w == collseg.Single:
			s.publishAddress(b, 0, s.Size)
		case s.how.By == tool.Cells:
			s.publish(b)
		default:
			n := s.a.StepsOf(b.Bytes())
			for k := uint64(0); k < n && !s.Dead; k++ {
				s.publishChunk(b, k, 0, s.Size)
			}
			s.close(n)
			return
		}
	}
	s.end(false)
}

// takeBcast takes the root's data, however it publishes that.
func (s *steps) takeBcast(b datatype.Buffer, root int) {
	if s.await(root, root+1); !s.stepped(root) {
		s.takeWhole(b, root)
		s.end(false)
		return
	}
	total, _, _ := s.a.BytesAt(root, 0)
	n, fits := s.a.StepsOf(total), s.expect(root, total, b.Bytes())
	for k := uint64(0); k < n && s.awaitStep(k, root, root+1); k++ {
		if fits {
			s.takeChunk(b, root, k)
		}
		s.a.DoneAt(k, root, root+1)
	}
	s.close(n)
}

// allgather has everybody publish its contribution to everybody, of which the largest has most bytes.
func (s *steps) allgather(send datatype.Buffer, recv *partition.Blocks, most int64) {
	own := recv.Of(s.Rank)
	var total [collseg.MaxRanks]int64 // what the others publish in steps, as far as it fits
	mine := uint64(0)                 // steps of this rank
	switch w := s.route(collseg.Allgathers, most, 0, collseg.Shared, send.Contiguous()); {
	case s.publishEmpty():
	case w == collseg.Single:
		s.publishAddress(send, 0, s.Size)
	case s.how.By == tool.Cells:
		s.publish(send)
	default:
		mine = s.a.StepsOf(send.Bytes())
		s.publishChunk(send, 0, 0, s.Size)
	}
	published := uint64(1)
	if send.Addr != own.Addr {
		s.copied(own, send)
	}
	s.arrived()
	if !s.awaitStep(0, 0, s.Size) || !s.alikeInSteps() {
		s.close(1)
		return
	}
	all := max(mine, 1)
	for i := 1; i < s.Size; i++ {
		r := (s.Rank + i) % s.Size
		if !s.stepped(r) {
			s.takeWhole(recv.Of(r), r)
			continue
		}
		n, _, _ := s.a.BytesAt(r, 0)
		all = max(all, s.a.StepsOf(n))
		if b := recv.Of(r); s.expect(r, n, b.Bytes()) {
			total[r] = n
		}
	}
	for k := uint64(0); k < all && !s.Dead; k++ {
		for published < mine && s.early(published, k) {
			s.publishChunk(send, published, 0, s.Size)
			published++
		}
		for i := 1; i < s.Size && !s.Dead; i++ {
			r := (s.Rank + i) % s.Size
			if total[r] > int64(k)*s.a.ChunkOf(total[r]) && s.awaitStep(k, r, r+1) {
				s.takeChunk(recv.Of(r), r, k)
			}
		}
		if !s.Dead {
			s.a.DoneAt(k, 0, s.Size)
		}
	}
	s.close(all)
}

// alikeInSteps tells, once all have published something, whether nobody publishes data at once while others
// go in steps. Where that is so, because they do not agree on how much data there is, nobody goes on, and all
// say so.
func (s *steps) alikeInSteps() bool {
	atOnce, inSteps := -1, -1
	for r := range s.Size {
		switch {
		case s.stepped(r):
			inSteps = r
		case !s.a.HasPointers(r):
			atOnce = r
		}
	}
	if atOnce >= 0 && inSteps >= 0 && !s.Dead {
		s.Note(mpierr.New(mpierr.ErrTruncate, "rank %d contributes less than rank %d expects", atOnce, inSteps))
	}
	return atOnce < 0 || inSteps < 0
}
