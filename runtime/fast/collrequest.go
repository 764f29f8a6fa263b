package fast

import "sync/atomic"

// CollRequest is a nonblocking collective operation that was begun here: what this rank contributes is
// published. It belongs to the request of the same number, whose state is Collective as long as it waits for
// others. Package p2p takes it over, to go on where it was, as soon as a call waits there.
type CollRequest struct {
	Segment *NbcSegment
	K       uint64 // number of the operation
	Pattern Pattern
	Root    uint32 // NoRoot if there is none
	Next    uint32 // how many of those that have something for this rank have been dealt with
	Sources uint32 // of so many
	Serial  uint32 // NbcSegment.Serial of the operation
	Older   uint32 // the one begun before this one that waits still, by its request; NoRequest for none
	Newer   uint32 // and the one begun next

	Each   uint32             // blocks of all ranks have this size, in bytes; not used where Blocks are
	Listed uint32             // 1: what this rank receives is in Blocks
	Buf    uintptr            // where it goes
	Blocks [ListedRanks]Block // by rank, from Buf on

	// Of reductions:
	Send     uintptr // this rank's contribution
	Count    uint64  // elements of a contribution
	From     uint64  // the first of those that this rank combines
	Combined uint64  // how many these are; 0 on a rank that combines nothing
	Type, Op uintptr // handles of the predefined datatype and operation
}

// Block is a block of a buffer, in bytes.
type Block struct{ At, Bytes int64 }

// ListedRanks is how many ranks a communicator has at most whose operations with lists of blocks are begun
// here.
const ListedRanks = 16

// ready reports whether this rank may use its cell of operation k.
func (c *CellRing) ready(k uint64, contributes bool) bool {
	return c.Admits(k) && (!contributes || c.Free(k))
}

// beginColl enters the endpoint for the next operation of a segment and finds a request for it; nil when that
// is not possible now, and the endpoint is left. Nothing has happened before startColl.
func (e *Endpoint) beginColl(s *NbcSegment, p Pattern, root uint32, buf uintptr, each uint32) *CollRequest {
	contributes := p.Contributes(s.Me, s.N, root)
	if !e.enter() {
		return nil
	}
	k := s.Ring.Before + s.Ring.Turns + 1
	if e.Free == MaxRequests ||
		!s.Ring.ready(k, contributes) && (e.collProgress() != advanced || !s.Ring.ready(k, contributes)) {
		e.leave()
		return nil
	}
	x := e.CollRequest(e.Free)
	x.Segment = s
	x.K = k
	x.Next = 0
	x.Pattern = p
	x.Root = root
	x.Sources = p.Sources(s.Me, s.N, root)
	x.Buf = buf
	x.Each = each
	x.Listed = 0
	x.Op = 0
	return x
}

// place is where this rank's contribution goes.
func (x *CollRequest) place() uintptr { return x.Segment.Ring.Cell(x.K, x.Segment.Me).Data() }

// publish makes n bytes that were put into place visible to rank to, or to all if that is NoRoot, and wakes
// it.
//
//fast:hot
func (x *CollRequest) publish(n, to uint32) {
	s := x.Segment
	s.Ring.Publish(x.K, uint64(n), 0)
	first := uint32(0)
	end := s.N
	if to != NoRoot {
		first = to
		end = to + 1
	}
	s.Wake(first, end)
}

// contribute publishes n bytes.
func (x *CollRequest) contribute(data uintptr, n, to uint32) {
	move(x.place(), data, n)
	x.publish(n, to)
}

// take takes what rank from contributes; false when it is not what this rank expects, or does not stand in
// the cell.
//
//fast:hot
func (x *CollRequest) take(from uint32) bool {
	s := x.Segment
	cell := s.Ring.Cell(x.K, from)
	n := atomic.LoadUint64(&cell.Bytes)
	want := uint64(x.Each)
	to := x.Buf
	if x.Listed != 0 {
		want = uint64(x.Blocks[from].Bytes)
		to += uintptr(x.Blocks[from].At)
	} else if x.Pattern == Everyone || x.Pattern == ToRoot || x.Pattern == Crossed {
		to += uintptr(x.Each) * uintptr(from)
	}
	offset := uint32(0)
	switch x.Pattern {
	case Everyone, ToRoot, FromRoot:
	case Scattered, Crossed:
		if n != want*uint64(s.N) {
			return false
		}
		offset = uint32(want) * s.Me
		n = want
	case ScatteredV, CrossedV:
		if n > MaxNbcData {
			return false
		}
		begin, size := BlockIn(cell.Data(), uint32(n), s.N, s.Me)
		offset = begin
		n = uint64(size)
	default:
		return true // all are combined at the end
	}
	if n != want || n > MaxNbcData || atomic.LoadUint64(&cell.Mark) == ByMessage {
		return false
	}
	move(to, cell.Data()+uintptr(offset), uint32(n))
	return true
}

// advance goes on with an operation; engine when package coll has to.
func (x *CollRequest) advance(e *Endpoint) step {
	s := x.Segment
	for x.Next < x.Sources {
		from := x.Pattern.Source(x.Next, s.Me, s.N, x.Root)
		if !s.Ring.Published(x.K, from) {
			return idle
		}
		if !x.take(from) {
			return engine
		}
		x.Next++
	}
	if x.Op != 0 && !x.combine(e) {
		return engine
	}
	s.Ring.End(x.K)
	return advanced
}

// startColl begins an operation: what this rank contributes is published, and what it waits for is in x.
func (e *Endpoint) startColl(x *CollRequest, request *uintptr) Reason {
	s := x.Segment
	i := e.Free
	r := e.firstFree()
	s.Ring.Turns++
	s.Begun++
	s.Serial++
	x.Serial = s.Serial
	r.Ctx = s.Ctx
	r.Self = NoMessage
	r.State = Sent
	*request = e.handle(i)
	if x.advance(e) != advanced {
		r.State = Collective
		x.Newer = NoRequest
		x.Older = e.Newest
		if x.Older == NoRequest {
			e.Oldest = i
		} else {
			e.CollRequest(x.Older).Newer = i
		}
		e.Newest = i
		e.Collectives++
	}
	e.leave()
	return Done
}

// EndColl takes the operation of request i out of those that wait.
func (e *Endpoint) EndColl(i uint32) {
	x := e.CollRequest(i)
	if x.Older == NoRequest {
		e.Oldest = x.Newer
	} else {
		e.CollRequest(x.Older).Newer = x.Newer
	}
	if x.Newer == NoRequest {
		e.Newest = x.Older
	} else {
		e.CollRequest(x.Newer).Older = x.Older
	}
	e.Collectives--
}

// collProgress goes on with the collective operations that wait for others.
func (e *Endpoint) collProgress() step {
	result := idle
	i := e.Oldest
	for i != NoRequest {
		newer := e.CollRequest(i).Newer
		s := e.CollRequest(i).advance(e)
		if s == engine {
			return engine
		}
		if s == advanced {
			e.EndColl(i)
			e.Request(i).State = Sent
			result = advanced
		}
		i = newer
	}
	return result
}
