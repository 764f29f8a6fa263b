package node

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Operations in which a rank has something else for each other rank, in steps: at the begin of a step's cell
// stands a table, for each rank where its part is and how long, and behind it the parts. Whoever reads goes
// on until there is nothing more to come, so that nobody has to know how much the others have for each other.

// parts are the blocks of one rank on their way into its cells.
type parts struct {
	*partition.Blocks
	even      bool                    // all steps have as much for each rank
	inPlace   bool                    // what is not published yet stands where the others' blocks are to go
	published [collseg.MaxRanks]int64 // bytes
	left      int64                   // bytes that are not published yet, for all
	steps     uint64                  // published
}

// partGrain is what parts in cells are multiples of, but for the last ones.
const partGrain = 64

// publishParts publishes the next parts for the ranks from first up to, not including, end.
func (s *steps) publishParts(p *parts, k uint64, first, end int) {
	if !s.roomFor(k, first, end) {
		return
	}
	data := s.a.DataAt(s.Rank, k)
	at := (int64(s.Size)*EntrySize + partGrain - 1) &^ (partGrain - 1)
	each := (s.a.Chunk() - at) / int64(max(s.Size-1, 1)) &^ (partGrain - 1)
	waiting := int64(0) // ranks for which there is something left
	for r := first; r < end; r++ {
		if b := p.Of(r); r != s.Rank && b.Bytes() > p.published[r] {
			waiting++
		}
	}
	for r := first; r < end; r++ {
		if r == s.Rank {
			continue
		}
		b := p.Of(r)
		n := b.Bytes() - p.published[r]
		if n > 0 && !p.even { // what is not needed for short blocks the others may have
			each = s.a.Chunk() - at
			if p.left > each {
				each = each / waiting &^ (partGrain - 1)
			}
			waiting--
		}
		n = min(n, each)
		s.fill(data+uintptr(at), b, p.published[r], n)
		*shm.Word64(data + uintptr(r)*EntrySize) = uint64(at)
		*shm.Word64(data + uintptr(r)*EntrySize + 8) = uint64(n)
		p.published[r] += n
		p.left -= n
		at = min((at+n+7)&^7, s.a.Chunk())
	}
	what := collseg.Step
	if p.left == 0 {
		what = collseg.LastStep
	}
	s.a.PublishAt(k, at, what, first, end)
	p.steps++
}

// takePart copies the part for this rank that rank r publishes in step k to b, of which taken bytes are there
// already, and tells how many there are then, and whether that was all. p are this rank's own parts, if it
// has any.
func (s *steps) takePart(p *parts, b datatype.Buffer, r int, k uint64, taken int64) (now int64, last bool) {
	_, last, _ = s.a.BytesAt(r, k)
	data := s.a.DataAt(r, k)
	mine := data + uintptr(s.Rank)*EntrySize
	at, n := *shm.Word64(mine), int64(*shm.Word64(mine + 8))
	if room := s.a.Chunk(); n < 0 || at > uint64(room) || n > room-int64(at) {
		s.Note(schedule.Malformed(r))
		return taken, true
	}
	s.spareBefore(p, r, taken+n)
	s.drop(b, taken, data+uintptr(at), min(n, b.Bytes()-taken))
	if now = taken + n; last {
		s.expect(r, now, b.Bytes())
	}
	return now, last
}

// spareBefore makes way for the first n bytes of rank r's block where they replace what this rank has for it.
// Ranks that are in place as well publish as much in a step as this one. Others may be ahead, or show all of
// their data at once: what this rank has not published yet it then moves to memory of its own, and goes on as
// they do.
func (s *steps) spareBefore(p *parts, r int, n int64) {
	if p == nil || !p.inPlace || n <= p.published[r] || p.published[r] == p.bytesFor(r) {
		return
	}
	moved := &partition.Blocks{Buffer: s.Raw(p.left), Counts: make([]int64, s.Size),
		Displs: make([]int64, s.Size)}
	at := int64(0)
	for to := range s.Size {
		if to == s.Rank {
			continue
		}
		b, done := p.Of(to), p.published[to]
		moved.Counts[to], moved.Displs[to] = b.Bytes(), at-done // as if all of it stood there
		s.fill(moved.Addr+uintptr(at), b, done, b.Bytes()-done)
		at += b.Bytes() - done
	}
	p.Blocks, p.inPlace, p.even = moved, false, false
}

// bytesFor is how many bytes there are for a rank.
func (p *parts) bytesFor(r int) int64 {
	b := p.Of(r)
	return b.Bytes()
}

// partsOf is what this rank has for the others.
func (s *steps) partsOf(b *partition.Blocks) parts {
	return parts{Blocks: b, left: b.Others(s.Size, s.Rank)}
}

// Alltoall has everybody publish everybody its block. In place each block is published before the one that
// takes its place is read, part for part.
func (g Group) Alltoall(send, recv *partition.Blocks) {
	s := g.stepping(recv.Total(g.Size))
	p := s.partsOf(partition.Outgoing(send, recv))
	route := collseg.Shared
	if p.inPlace = send.InPlace(); p.inPlace {
		p.even = true
	} else {
		s.copied(recv.Of(s.Rank), send.Of(s.Rank))
		n := send.Largest(s.Size)
		route = s.route(collseg.Alltoalls, n, 0, firstOfAlltoall(s.a, n), send.Dense(s.Size, s.Rank))
	}
	alike := p.Counts == nil
	if route == collseg.Single || !alike && s.how.By == tool.Cells {
		if route == collseg.Shared {
			s.CountAlgorithm(tool.Cells)
		}
		s.spread(p.Blocks, route)
		p.left, p.inPlace = 0, false
	} else {
		s.publishParts(&p, 0, 0, s.Size)
	}
	s.arrived()
	s.takeAll(&p, recv, alike)
}

// takeAll takes all blocks for this rank, and publishes what it has for the others as there is room for it.
// alike says that all blocks have the same size.
func (s *steps) takeAll(p *parts, recv *partition.Blocks, alike bool) {
	var taken [collseg.MaxRanks]int64
	var over [collseg.MaxRanks]bool
	k := uint64(0)
	for more := true; more && !s.Dead; k++ {
		if k == 0 && alike && s.awaitStep(0, 0, s.Size) && !s.allInSteps() {
			s.close(1)
			return
		}
		for !p.inPlace && p.left > 0 && s.early(p.steps, k) {
			s.publishParts(p, p.steps, 0, s.Size)
		}
		more = false
		for i := 1; i < s.Size; i++ {
			r := (s.Rank + i) % s.Size
			if over[r] || !s.awaitStep(k, r, r+1) {
				continue
			}
			b := recv.Of(r)
			if k == 0 && !s.stepped(r) {
				s.spareBefore(p, r, b.Bytes())
				s.fetch(b, r, alike)
				over[r] = true
				continue
			}
			taken[r], over[r] = s.takePart(p, b, r, k, taken[r])
			more = more || !over[r]
		}
		if s.Dead {
			break
		}
		s.a.DoneAt(k, 0, s.Size)
		if p.inPlace && p.left > 0 {
			s.publishParts(p, k+1, 0, s.Size)
		}
		more = more || p.steps > k+1 || p.left > 0
	}
	s.close(k)
}

// scatter publishes everybody its part, on the root.
func (s *steps) scatter(send *partition.Blocks, recv datatype.Buffer) {
	p := s.partsOf(send)
	k := uint64(0)
	for more := true; more && !s.Dead; k++ {
		s.publishParts(&p, k, 0, s.Size)
		more = p.left > 0
	}
	s.copied(recv, send.Of(s.Rank))
	s.close(k)
}

// takeParts takes all that the root publishes for this rank.
func (s *steps) takeParts(recv datatype.Buffer, root int) {
	k, taken := uint64(0), int64(0)
	for last := false; !last && s.awaitStep(k, root, root+1); k++ {
		taken, last = s.takePart(nil, recv, root, k, taken)
		s.a.DoneAt(k, root, root+1)
	}
	s.close(k)
}

// GatherInSteps has everybody publish its contribution to the root, which tells the others in how many steps
// the longest goes.
func (g Group) GatherInSteps(send datatype.Buffer, recv *partition.Blocks, root int) error {
	a := g.a
	if g.Rank == root {
		return g.gatherInStepsHere(send, recv)
	}
	s := g.stepping(0)
	if s.publishEmpty() {
		s.end(false)
		return nil
	}
	mine := uint64(0)
	if !s.publishesAddressTo(collseg.Gathers, send, root) {
		mine = a.StepsOf(send.Bytes())
		s.publishChunk(send, 0, root, root+1)
	}
	if !s.awaitStep(0, root, root+1) {
		return nil
	}
	all, _, stepped := s.a.BytesAt(root, 0)
	if !stepped { // the root says that it expected less
		mine, all = 0, 1
	}
	for k := uint64(1); k < min(mine, uint64(all)) && !s.Dead; k++ {
		s.publishChunk(send, k, root, root+1)
	}
	s.close(uint64(all))
	return nil
}

func (g Group) gatherInStepsHere(send datatype.Buffer, recv *partition.Blocks) error {
	own := recv.Of(g.Rank)
	if err := partition.Distinct(send, own); err != nil {
		return err
	}
	s := g.stepping(recv.Total(g.Size) / int64(g.Size))
	s.route(collseg.Gathers, own.Bytes(), s.Rank, collseg.Shared, true)
	s.copied(own, send)
	s.arrived()
	if !s.awaitStep(0, 0, s.Size) || !s.roomFor(0, 0, s.Size) {
		return nil
	}
	n := uint64(1)
	if s.allInSteps() {
		for r := range s.Size {
			if b := recv.Of(r); r != s.Rank && s.stepped(r) {
				n = max(n, s.a.StepsOf(b.Bytes()))
			}
		}
	}
	s.a.PublishAt(0, int64(n), collseg.Step, 0, s.Size)
	var reads [collseg.MaxRanks]uint64 // how many steps of each are read
	for k := uint64(0); k < n && !s.Dead; k++ {
		for i := 1; i < s.Size; i++ {
			r := (s.Rank + i) % s.Size
			if k > 0 && k >= reads[r] || !s.awaitStep(k, r, r+1) {
				continue
			}
			b := recv.Of(r)
			if k == 0 && s.a.HasPointers(r) {
				s.takeWhole(b, r)
				continue
			}
			if k == 0 {
				total, _, stepped := s.a.BytesAt(r, 0)
				if !s.expect(r, total, b.Bytes()) || !stepped {
					continue
				}
				reads[r] = s.a.StepsOf(total)
			}
			s.takeChunk(b, r, k)
		}
		if !s.Dead {
			s.a.DoneAt(k, 0, s.Size)
		}
	}
	s.close(n)
	return nil
}
