package fast

// CollRequest is a nonblocking collective operation that was begun here: what this rank contributes is
// published. It belongs to the request of the same number, whose state is Collective as long as it waits for
// others. Package p2p takes it over, to go on where it was, as soon as a call waits there.
type CollRequest struct {
	Part   CollOp
	Ring   *CellRing
	Serial uint32 // CellRing.Serial of the operation
	Older  uint32 // the one begun before this one that waits still, by its request; NoRequest for none
	Newer  uint32 // and the one begun next

	// The lists of Part.In, because the program's may be gone when the operation ends.
	counts, displs [ListedRanks]int32
	types          [ListedRanks]uintptr
}

// CollTable is the nonblocking collective operations that wait for others.
type CollTable struct {
	CollRequests   *CollRequest // by request
	Collectives    uint32       // that wait for others
	Oldest, Newest uint32       // of these, by request; NoRequest when there are none
}

// CollRequests is how many requests can be collective: the first ones.
const CollRequests = FirstRequests

// ListedRanks is how many ranks a communicator has at most whose operations with lists of blocks are begun
// here.
const ListedRanks = 16

// keep keeps what is needed of an operation that has begun, with its lists. Fields are copied one by one
// because they have just been written so.
func (q *CollRequest) keep(x *CollOp, s *CellRing) {
	q.Ring = s
	p := &q.Part
	p.K = x.K
	p.Pattern = x.Pattern
	p.Root = x.Root
	p.Next = x.Next
	p.Sources = x.Sources
	p.Each = x.Each
	p.In.Base = x.In.Base
	p.In.counts = nil
	p.Op = x.Op
	if x.Op != 0 {
		p.Count = x.Count
		p.From = x.From
		p.Combined = x.Combined
		p.Own = x.Own
		p.Type = x.Type
	}
	if x.In.counts == nil {
		return
	}
	p.In.types = nil
	p.In.each = x.In.each
	for r := int32(0); r < int32(s.N); r++ {
		q.counts[r] = *intAt(x.In.counts, r)
		q.displs[r] = *intAt(x.In.displs, r)
		if x.In.types != nil {
			q.types[r] = *handleAt(x.In.types, r)
		}
	}
	p.In.counts = &q.counts[0]
	p.In.displs = &q.displs[0]
	if x.In.types != nil {
		p.In.types = &q.types[0]
	}
}

// ready reports whether this rank may use its cell of operation k.
func (s *CellRing) ready(k uint64, contributes bool) bool {
	return s.Admits(k) && (!contributes || s.Free(k, 0))
}

// start begins an operation: it publishes what this rank contributes, takes what the others have published
// already, and is done or leaves a request behind.
func (x *CollOp) start(e *Endpoint, s *CellRing, request uintptr) Reason {
	if x.In.counts != nil && s.N > ListedRanks {
		return NotPlain
	}
	if !e.enter() {
		return NoRoom
	}
	contributes := x.Pattern.Contributes(s.Me, s.N, x.Root)
	x.K = s.Seq + 1
	if e.Free == e.RequestsMade || e.Free >= CollRequests ||
		!s.ready(x.K, contributes) && (e.collProgress() != advanced || !s.ready(x.K, contributes)) {
		e.leave()
		return NoRoom
	}
	if contributes {
		x.publish(e, s)
		if x.Root != NoRoot && (x.Pattern == ToRoot || x.Pattern == Reduction) {
			s.Wake(x.Root, x.Root+1)
		} else {
			s.Wake(0, s.N)
		}
	}
	i := e.Free
	*wordAt(request) = e.doneCollective(s)
	s.Seq++
	s.Carried[x.Pattern]++
	s.Serial++
	x.keepOwn()
	x.Sources = x.Pattern.Sources(s.Me, s.N, x.Root)
	if x.goOn(e, s) == advanced {
		s.End(x.K)
	} else {
		e.Request(i).State = Collective
		e.addColl(i, x, s)
	}
	e.leave()
	return Done
}

// doneCollective makes the first free request, which there is, one of a collective operation that is done,
// and is its handle.
//
//fast:hot
func (t *RequestTable) doneCollective(s *CellRing) uintptr {
	i := t.Free
	r := t.firstFree()
	r.Ctx = s.Ctx
	r.Self = NoMessage
	r.State = Sent
	return t.handle(i)
}

// addColl adds an operation to those that wait for others, as that of request i.
func (t *CollTable) addColl(i uint32, x *CollOp, s *CellRing) {
	q := t.CollRequest(i)
	q.keep(x, s)
	q.Serial = s.Serial
	q.Newer = NoRequest
	q.Older = t.Newest
	if q.Older == NoRequest {
		t.Oldest = i
	} else {
		t.CollRequest(q.Older).Newer = i
	}
	t.Newest = i
	t.Collectives++
}

// EndColl takes the operation of request i out of those that wait.
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
