package fast

// Persistent collective operations (MPI 5.0, 6.13). Package coll makes their requests, and leaves them here
// between two rounds as long as that can be so. Each has a ring of its own, on which no two of its rounds are
// under way together, unless its communicator has one rank. It has a record for as long as it is here, which
// says what this rank does in a round.

// mostLasting is how many records persistent operations have at most, so that others find some.
const mostLasting = CollRequests / 2

// DrawColl takes a record for a persistent operation; NoRequest when there is none.
func (t *CollTable) DrawColl() uint32 {
	i := t.FreeColl
	if i == CollRequests || t.Lasting == mostLasting {
		return NoRequest
	}
	q := t.CollRequest(i)
	t.FreeColl += 1 + q.Newer
	t.Lasting++
	q.Lasts = 1
	q.Queued = 0
	return i
}

// ReturnColl gives it back. Nothing waits there.
func (t *CollTable) ReturnColl(i uint32) {
	t.CollRequest(i).Lasts = 0
	t.Lasting--
	t.freeColl(i)
}

// startRound starts a round of the operation, whose request is r.
//
//fast:cold
func (q *CollRequest) startRound(e *Endpoint, r *Request) Reason {
	s := q.Ring
	if s == nil {
		return q.startAlone(e, r)
	}
	contributes, sources := q.Part.sharesIn(s)
	s.Seq++
	s.Carried[q.Part.Pattern]++
	q.Part.K = s.Seq
	q.Part.Next = 0
	q.Part.Sources = sources
	r.State = Collective
	e.Collectives++
	room := s.ready(q.Part.K, contributes)
	if unlikely(!room) {
		q.Part.keepOwn()
		e.enqueue(r.Next)
		return Done
	}
	if contributes {
		q.Part.show(e, s)
	}
	q.Part.keepOwn()
	if q.Part.goOn(e, s) == advanced {
		s.End(q.Part.K)
		r.State = Sent
		e.Collectives--
	} else {
		e.appendColl(&e.Begun, r.Next)
	}
	return Done
}

// startAlone is startRound on a communicator of one rank, which the program may have freed.
func (q *CollRequest) startAlone(e *Endpoint, r *Request) Reason {
	c := e.known(q.Alone)
	if c == nil || c.Alone == nil || !tryMove(q.Part.OwnTo, q.Part.OwnFrom, q.Part.OwnBytes) {
		return NotPlain
	}
	c.Alone.Carried[q.Part.Pattern]++
	r.State = Sent
	return Done
}
