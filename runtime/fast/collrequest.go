package fast

// CollRequest is a nonblocking collective operation that was begun here: what this rank contributes is
// published. It belongs to a request, whose state is Collective as long as it waits for others. Package p2p
// takes it over, to go on where it was, as soon as a call waits there.
type CollRequest struct {
	Part    CollOp
	Ring    *CellRing
	Request uint32 // number of its request
	Serial  uint32 // CellRing.Serial of the operation
	Older   uint32 // the one begun before this one that waits still; NoRequest for none
	// the one begun next; of one that is free: how much further than i+1 the next free one is
	Newer uint32
	Form  uint32 // of the program's blocks: ListedBlocks, TypedBlocks, or 0 where all have the same size

	// The lists of Part.In, because the program's may be gone when the operation ends. Blocks without gaps
	// consist of bytes.
	counts  [ListedRanks]int32
	offsets [ListedRanks]int64
	types   [ListedRanks]uintptr // if there are any with gaps
}

// Forms of the blocks of an operation.
const (
	ListedBlocks uint32 = 1 + iota // a size each
	TypedBlocks                    // and a datatype each
)

// CollTable is the nonblocking collective operations that wait for others. They have numbers of their own.
type CollTable struct {
	CollRequests   *CollRequest
	FreeColl       uint32 // the first free one; CollRequests when there is none
	Collectives    uint32 // that wait for others
	Oldest, Newest uint32 // of these; NoRequest when there are none
}

// CollRequests is how many there can be. Memory that is zero holds all of them free.
const CollRequests = 2048

// ListedRanks is how many ranks a communicator has at most, or this one neighbors, whose operations with
// lists of blocks are begun here.
const ListedRanks = 32

// keep keeps what is needed of an operation that has begun, with its lists. Fields are copied one by one
// because they have just been written so.
func (q *CollRequest) keep(e *Endpoint, x *CollOp, s *CellRing) {
	q.Ring = s
	q.Form = 0
	p := &q.Part
	p.K = x.K
	p.Pattern = x.Pattern
	p.Root = x.Root
	p.Next = x.Next
	p.Sources = x.Sources
	p.Each = x.Each
	p.In.Base = x.In.Base
	p.In.counts = nil
	p.In.offsets = nil
	p.In.types = nil
	p.In.each = x.In.each
	p.In.unit = x.In.unit
	p.Op = x.Op
	if x.Op != 0 {
		p.Count = x.Count
		p.From = x.From
		p.Combined = x.Combined
		p.Own = x.Own
		p.Type = x.Type
	}
	n := x.lists(s)
	if n == 0 {
		return
	}
	if x.In.types != nil {
		q.Form = TypedBlocks
	} else if x.In.counts != nil {
		q.Form = ListedBlocks
	}
	p.In.counts = &q.counts[0]
	p.In.offsets = &q.offsets[0]
	p.In.each = 1
	for i := uint32(0); i < n; i++ {
		size, t := e.block(&x.In, i)
		q.types[i] = 0
		if t != nil {
			size /= uint32(t.Size)
			q.types[i] = x.In.typeOf(i)
			p.In.types = &q.types[0]
		}
		q.counts[i] = int32(size)
		q.offsets[i] = int64(x.In.at(i) - x.In.Base)
	}
}

// lists is how many blocks are listed in what is kept of an operation: none where all have the same size and
// no gaps.
func (x *CollOp) lists(s *CellRing) uint32 {
	if x.In.counts == nil && x.In.gapped == 0 {
		return 0
	}
	if x.Pattern >= Neighbors {
		return s.Neighborhood.In
	}
	return s.N
}

// sharesIn is whether this rank contributes anything for others, and how many ranks contribute something for
// it, or neighbors that there may not be.
//
//fast:hot
func (x *CollOp) sharesIn(s *CellRing) (contributes bool, sources uint32) {
	if x.Pattern >= Neighbors {
		return s.Neighborhood.Readers != 0, s.Neighborhood.In
	}
	n := x.Pattern.Sources(s.Me, s.N, x.Root)
	return x.Pattern.Contributes(s.Me, s.N, x.Root), n
}

// ready reports whether this rank may use its cell of operation k.
func (s *CellRing) ready(k uint64, contributes bool) bool {
	return s.Admits(k) && (!contributes || s.Free(k, 0))
}

// start begins an operation: it publishes what this rank contributes, takes what the others have published
// already, and is done or leaves a request behind.
func (x *CollOp) start(e *Endpoint, s *CellRing, request uintptr) Reason {
	if s.Begun != 0 || x.lists(s) > ListedRanks {
		return NotPlain
	}
	if !e.enter() {
		return NoRoom
	}
	contributes, sources := x.sharesIn(s)
	x.K = s.Seq + 1
	if e.Free == e.RequestsMade || e.FreeColl == CollRequests ||
		!s.ready(x.K, contributes) && (e.collProgress() != advanced || !s.ready(x.K, contributes)) {
		e.leave()
		return NoRoom
	}
	if contributes && x.Pattern >= Neighbors {
		x.publishNeighbors(e, s)
	} else if contributes {
		x.publish(e, s)
		if x.Root != NoRoot && (x.Pattern == ToRoot || x.Pattern == Reduction) {
			s.Wake(x.Root, x.Root+1)
		} else {
			s.Wake(0, s.N)
		}
	}
	i := e.Free
	*wordAt(request) = e.doneRequest(s.Ctx)
	s.Seq++
	s.Carried[x.Pattern]++
	s.Serial++
	x.keepOwn()
	x.Sources = sources
	if x.goOn(e, s) == advanced {
		s.End(x.K)
	} else {
		x.addColl(e, i, s)
	}
	e.leave()
	return Done
}

// doneRequest makes the first free request, which there is, one of an operation in a context that is done and
// has no status, and is its handle.
//
//fast:hot
func (t *RequestTable) doneRequest(ctx uint32) uintptr {
	i := t.Free
	r := t.firstFree()
	r.Ctx = ctx
	r.Self = NoMessage
	r.State = Sent
	return t.handle(i)
}

// addColl adds an operation to those that wait for others, as that of a request. There is a free record.
func (x *CollOp) addColl(e *Endpoint, request uint32, s *CellRing) {
	i := e.FreeColl
	q := e.CollRequest(i)
	e.FreeColl += 1 + q.Newer
	q.keep(e, x, s)
	q.Request = request
	r := e.Request(request)
	r.State = Collective
	r.Next = i
	q.Serial = s.Serial
	q.Newer = NoRequest
	q.Older = e.Newest
	if q.Older == NoRequest {
		e.Oldest = i
	} else {
		e.CollRequest(q.Older).Newer = i
	}
	e.Newest = i
	e.Collectives++
}

// EndColl takes operation i out of those that wait. What its record says stays until the next one begins.
func (t *CollTable) EndColl(i uint32) {
	q := t.CollRequest(i)
	if q.Older == NoRequest {
		t.Oldest = q.Newer
	} else {
		t.CollRequest(q.Older).Newer = q.Newer
	}
	if q.Newer == NoRequest {
		t.Newest = q.Older
	} else {
		t.CollRequest(q.Newer).Older = q.Older
	}
	t.Collectives--
	q.Newer = t.FreeColl - i - 1
	t.FreeColl = i
}

// advance goes on with an operation; engine when package coll has to.
func (q *CollRequest) advance(e *Endpoint) step {
	how := q.Part.goOn(e, q.Ring)
	if how == advanced {
		q.Ring.End(q.Part.K)
	}
	return how
}

// goOn goes on with an operation that does not block. A function of the program's that it calls may come here
// again, which leaves all collective operations as they are.
func (x *CollOp) goOn(e *Endpoint, s *CellRing) step {
	if x.Pattern >= Neighbors {
		return x.advanceNeighbors(e, s, false)
	}
	if x.Op-FirstOp < Ops || x.Op == 0 {
		return x.advance(e, s, false)
	}
	before := e.Calling
	e.Calling = 1
	how := x.advance(e, s, false)
	e.Calling = before
	return how
}

// collProgress goes on with the collective operations that wait for others.
func (e *Endpoint) collProgress() step {
	result := idle
	if e.Calling != 0 {
		return idle
	}
	i := e.Oldest
	for i != NoRequest {
		q := e.CollRequest(i)
		newer := q.Newer
		s := q.advance(e)
		if s == engine {
			return engine
		}
		if s == advanced {
			e.EndColl(i)
			e.Request(q.Request).State = Sent
			result = advanced
		}
		i = newer
	}
	return result
}
