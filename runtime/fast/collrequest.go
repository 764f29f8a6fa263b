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
	// 1: this rank has published nothing, because there is no room. Older and Newer are others of its ring
	// then
	Queued uint32
	Lasts  uint32  // 1: the request is persistent, and has this record between its rounds
	Alone  uintptr // of a persistent one without a ring: the handle of its communicator, which has one rank
}

// CollLists are the lists of blocks of a CollRequest, because the program's may be gone when the operation
// ends. Blocks without gaps consist of bytes.
type CollLists struct {
	in  keptBlocks
	out keptBlocks // as long as the operation is queued
}

type keptBlocks struct {
	counts  [ListedRanks]int32
	offsets [ListedRanks]int64
	types   [ListedRanks]uintptr // if there are any with gaps
}

// Forms of the blocks of an operation.
const (
	ListedBlocks uint32 = 1 + iota // a size each
	TypedBlocks                    // and a datatype each
)

// CollTable is the nonblocking collective operations that wait. They have numbers of their own.
type CollTable struct {
	CollRequests *CollRequest
	CollLists    *CollLists
	FreeColl     uint32    // the first free one; CollRequests when there is none
	Collectives  uint32    // that wait for others, or for room
	Lasting      uint32    // records of persistent operations
	Begun        CollList  // those that wait for others
	Queues       *CellRing // a ring with operations that wait for room; nil when there is none
}

// CollRequests is how many there can be. Memory that is zero holds all of them free.
const CollRequests = 2048

// ListedRanks is how many ranks a communicator has at most, or this one neighbors, whose operations with
// lists of blocks are begun here.
const ListedRanks = 32

// keep keeps what is needed of operation i, which has begun or is queued, with its lists. Fields are copied
// one by one because they have just been written so.
func (x *CollOp) keep(e *Endpoint, i uint32, s *CellRing, queued uint32) {
	q := e.CollRequest(i)
	q.Ring = s
	q.Form = 0
	q.Queued = queued
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
	n := x.lists(&x.In, s)
	if n != 0 {
		if x.In.types != nil {
			q.Form = TypedBlocks
		} else if x.In.counts != nil {
			q.Form = ListedBlocks
		}
		lists := e.ListsOf(i)
		p.In.keep(e, &x.In, n, &lists.in)
	}
	if queued != 0 {
		x.keepOut(e, i, s)
	}
}

// keepOut keeps what this rank contributes to operation i, which is queued.
func (x *CollOp) keepOut(e *Endpoint, i uint32, s *CellRing) {
	p := &e.CollRequest(i).Part
	p.Bytes = x.Bytes
	p.Gaps = x.Gaps
	p.Type = x.Type
	p.Out.Base = x.Out.Base
	p.Out.counts = nil
	p.Out.offsets = nil
	p.Out.types = nil
	p.Out.gapped = 0
	p.Out.each = x.Out.each
	p.Out.unit = x.Out.unit
	n := x.lists(&x.Out, s)
	if n != 0 {
		lists := e.ListsOf(i)
		p.Out.keep(e, &x.Out, n, &lists.out)
	}
}

// keep makes b the n blocks of from by lists that last.
func (b *blocks) keep(e *Endpoint, from *blocks, n uint32, l *keptBlocks) {
	b.counts = &l.counts[0]
	b.offsets = &l.offsets[0]
	b.each = 1
	for i := uint32(0); i < n; i++ {
		size, t := e.block(from, i)
		l.types[i] = 0
		if t != nil {
			size /= uint32(t.Size)
			l.types[i] = from.typeOf(i)
			b.types = &l.types[0]
		}
		l.counts[i] = int32(size)
		l.offsets[i] = int64(from.at(i) - from.Base)
	}
}

// lists is how many blocks are listed in what is kept of an operation's blocks: none where all have the same
// size and no gaps.
func (x *CollOp) lists(b *blocks, s *CellRing) uint32 {
	if b.counts == nil && b.gapped == 0 {
		return 0
	}
	if x.Pattern < Neighbors {
		return s.N
	}
	if b == &x.In {
		return s.Neighborhood.In
	}
	return s.Neighborhood.Out
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
//
//fast:hot
func (s *CellRing) ready(k uint64, contributes bool) bool {
	return s.Admits(k) && (!contributes || s.Free(k, 0))
}

// start begins an operation: it publishes what this rank contributes, takes what the others have published
// already, and is done or leaves a request behind. Where there is no room the request waits for that as well.
func (x *CollOp) start(e *Endpoint, s *CellRing, request uintptr) Reason {
	if s.Begun != 0 || x.lists(&x.In, s) > ListedRanks {
		return NotPlain
	}
	if !e.enter() {
		return NoRoom
	}
	contributes, sources := x.sharesIn(s)
	x.K = s.Seq + 1
	if e.Free == e.RequestsMade || e.FreeColl == CollRequests || s.Elsewhere != 0 {
		e.leave()
		return NoRoom
	}
	room := s.ready(x.K, contributes)
	if unlikely(!room) {
		makeRoomQuickly(e)
		room = s.ready(x.K, contributes)
		if !room && x.lists(&x.Out, s) > ListedRanks {
			e.leave()
			return NoRoom
		}
	}
	i := e.Free
	*wordAt(request) = e.doneRequest(s.Ctx)
	s.Seq++
	s.Carried[x.Pattern]++
	s.Serial++
	x.Sources = sources
	if unlikely(!room) {
		x.keepOwn()
		x.queue(e, i, s)
		e.leave()
		return Done
	}
	if contributes {
		x.show(e, s)
	}
	x.keepOwn()
	if x.goOn(e, s) == advanced {
		s.End(x.K)
	} else {
		x.addColl(e, i, s)
	}
	e.leave()
	return Done
}

// show publishes what this rank contributes, and wakes those that sleep.
//
//fast:hot
func (x *CollOp) show(e *Endpoint, s *CellRing) {
	if x.Pattern >= Neighbors {
		x.publishNeighbors(e, s)
		return
	}
	x.publish(e, s)
	if x.Root != NoRoot && (x.Pattern == ToRoot || x.Pattern == Reduction) {
		s.Wake(x.Root, x.Root+1)
	} else {
		s.Wake(0, s.N)
	}
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

// newColl takes a record, which there is, for an operation that waits, as that of a request.
//
//fast:hot
func (x *CollOp) newColl(e *Endpoint, request uint32, s *CellRing, queued uint32) uint32 {
	i := e.FreeColl
	q := e.CollRequest(i)
	e.FreeColl += 1 + q.Newer
	x.keep(e, i, s, queued)
	q.Request = request
	q.Serial = s.Serial
	r := e.Request(request)
	r.State = Collective
	r.Next = i
	e.Collectives++
	return i
}

// addColl adds an operation to those that wait for others.
func (x *CollOp) addColl(e *Endpoint, request uint32, s *CellRing) {
	i := x.newColl(e, request, s, 0)
	e.appendColl(&e.Begun, i)
}

// CollList is operations in their order; NoRequest for none.
type CollList struct{ First, Last uint32 }

// appendColl makes operation i the last one of a list.
//
//fast:hot
func (t *CollTable) appendColl(l *CollList, i uint32) {
	q := t.CollRequest(i)
	q.Newer = NoRequest
	q.Older = l.Last
	if q.Older == NoRequest {
		l.First = i
	} else {
		t.CollRequest(q.Older).Newer = i
	}
	l.Last = i
}

// removeColl takes operation i out of a list.
//
//fast:hot
func (t *CollTable) removeColl(l *CollList, i uint32) {
	q := t.CollRequest(i)
	if q.Older == NoRequest {
		l.First = q.Newer
	} else {
		t.CollRequest(q.Older).Newer = q.Newer
	}
	if q.Newer == NoRequest {
		l.Last = q.Older
	} else {
		t.CollRequest(q.Newer).Older = q.Older
	}
}

// EndColl takes operation i out of those that wait. What its record says stays until the next one begins, and
// of a persistent one longer.
func (t *CollTable) EndColl(i uint32) {
	q := t.CollRequest(i)
	if unlikely(q.Queued != 0) {
		t.unqueue(i)
	} else {
		t.removeColl(&t.Begun, i)
	}
	t.Collectives--
	if q.Lasts == 0 {
		t.freeColl(i)
	}
}

// freeColl makes record i a free one.
//
//fast:hot
func (t *CollTable) freeColl(i uint32) {
	q := t.CollRequest(i)
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

// collProgress goes on with the collective operations that wait.
func (e *Endpoint) collProgress() step {
	result := idle
	if e.Calling != 0 {
		return idle
	}
	i := e.Begun.First
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
	if unlikely(e.Queues != nil) && showQueued(e) {
		return advanced
	}
	return result
}
