package fast

// Messages of a rank to itself are copied once, from the buffer of the send to that of the receive. One that
// finds no receive is offered: its request keeps where its data stands until the receive comes. Package p2p
// counts it among the unexpected messages (Endpoint.Waiting, Unexpected), so receives and probes that
// could match it do not go past it. Package p2p takes offered messages over before it looks for an unexpected
// one, before it sends this rank anything itself, and when the program waits for the send.
//
// Buffers that are no memory are the error of one call, as they are in package p2p: copies fail, and package
// p2p finds out which buffer it was.

// maxSelf is the largest of these messages that is sent here, in bytes.
const maxSelf = 256 << 10

// mostOffered is how many messages are offered at a time. The tables of package p2p take less time for more.
const mostOffered = 64

// onlyOffered reports whether package p2p has no unexpected messages of its own, and nothing that every call
// has to go on with.
func (e *Endpoint) onlyOffered() bool { return e.Watched == 0 && e.AllUnexpected == e.Offered }

// meet gives a message of this rank to the oldest posted receive that it matches; idle when there is none.
//
//fast:cold
func (e *Endpoint) meet(c *Comm, buf uintptr, size uint32, tag int32) step {
	if e.Observed != 0 {
		return engine
	}
	at := e.oldest(c.Ctx, c.Rank, tag)
	if at == NoRequest {
		return idle
	}
	r := e.Request(at)
	if r.State != Posted || uint64(size) > r.Size || !tryMove(r.Buf, buf, size) {
		return engine
	}
	e.Unpost(r)
	r.receive(c.Rank, tag, size)
	ring(e.Bell) // another thread may wait for it
	return advanced
}

// settable reports whether a request can be written. As for the buffers, package p2p says what is wrong.
func settable(request *uintptr) bool { return tryMove(RequestAt(request), RequestAt(request), 8) }

// settable is the same for a status, which may be nil.
func (s *Status) settable() bool {
	return s == nil || tryMove(s.address(), s.address(), statusSize)
}

// isendSelf is a nonblocking send to this rank. There is a free request.
//
//fast:cold
func (e *Endpoint) isendSelf(c *Comm, buf uintptr, size uint32, tag int32, request *uintptr) Reason {
	if !settable(request) {
		return NotPlain
	}
	s := e.meet(c, buf, size, tag)
	if s == engine || s == idle && (e.Offered == mostOffered || !e.onlyOffered() || !readable(buf, size)) {
		return NeedsEngine
	}
	i := e.Free
	r := e.firstFree()
	r.State = Sent
	r.Ctx = c.Ctx
	r.Src = c.Rank
	r.Self = c.Rank
	r.Tag = tag
	r.Peer = e.Me
	if s == idle {
		r.Buf = buf
		r.Size = uint64(size)
		e.offerSelf(r, i)
	}
	*request = e.handle(i)
	return Done
}

// offerSelf appends request i to the messages that are offered.
func (e *Endpoint) offerSelf(r *Request, i uint32) {
	r.State = Offered
	r.Next = NoRequest
	if e.Offered == 0 {
		e.FirstOffered = i
	} else {
		e.Request(e.LastOffered).Next = i
	}
	e.LastOffered = i
	e.countOffered(r, 1)
}

// countOffered counts a message among the offered and the unexpected ones, or not any more (minusOne).
func (e *Endpoint) countOffered(r *Request, by uint32) {
	e.Offered += by
	e.CountUnexpected(r.Ctx, r.Tag, by)
}

const minusOne uint32 = 1<<32 - 1

// withdraw takes an offered message out of the list. before is the one ahead of it.
func (e *Endpoint) withdraw(r *Request, before uint32) {
	if before == NoRequest {
		e.FirstOffered = r.Next
	} else {
		e.Request(before).Next = r.Next
		if r.Next == NoRequest {
			e.LastOffered = before
		}
	}
	e.countOffered(r, minusOne)
}

// TakeOffered takes the oldest offered message out of the list for package p2p; NoRequest when there is none.
// The request is Extended then.
func (e *Endpoint) TakeOffered() uint32 {
	if e.Offered == 0 {
		return NoRequest
	}
	i := e.FirstOffered
	r := e.Request(i)
	e.withdraw(r, NoRequest)
	r.State = Extended
	return i
}

// ownMessage is what has come of a receive of an offered message: advanced when it has been copied, idle when
// there is none and the receive may be posted.
type ownMessage struct {
	how  step
	tag  int32
	size uint32
}

// takeSelf receives the oldest offered message that matches, for a receive that must not be posted past what
// is unexpected.
//
//fast:cold
func (e *Endpoint) takeSelf(c *Comm, buf uintptr, room uint32, source, tag int32) ownMessage {
	m := ownMessage{how: engine}
	if e.Offered == 0 || !e.onlyOffered() {
		return m
	}
	before := NoRequest
	at := e.FirstOffered
	for at != NoRequest && !e.Request(at).isFor(c, source, tag) {
		before = at
		at = e.Request(at).Next
	}
	if at == NoRequest {
		m.how = idle
		return m
	}
	r := e.Request(at)
	if r.Size <= uint64(room) && tryMove(buf, r.Buf, uint32(r.Size)) {
		e.withdraw(r, before)
		r.State = Sent
		m.how = advanced
		m.tag = r.Tag
		m.size = uint32(r.Size)
	}
	return m
}

// recvSelf is a blocking receive that must not be posted past what is unexpected; Waiting when there is no
// message for it.
func (e *Endpoint) recvSelf(c *Comm, buf uintptr, room uint32, source, tag int32, status *Status) Reason {
	if !status.settable() {
		return NeedsEngine
	}
	m := e.takeSelf(c, buf, room, source, tag)
	if m.how == idle {
		return Waiting
	}
	if m.how == engine {
		return NeedsEngine
	}
	if status != nil {
		status.set(c.Rank, m.tag, uint64(m.size))
	}
	return Done
}

// irecvSelf is a nonblocking receive that must not be posted past what is unexpected. There is a free
// request.
//
//fast:cold
func (e *Endpoint) irecvSelf(c *Comm, buf uintptr, room uint32, source, tag int32, request *uintptr) Reason {
	m := e.takeSelf(c, buf, room, source, tag)
	if m.how == engine {
		return NeedsEngine
	}
	i := e.Free
	if m.how == idle {
		e.postNew(c, buf, room, source, tag)
	} else {
		r := e.firstFree()
		r.received(c.Ctx, c.Rank, m.tag, m.size)
	}
	*request = e.handle(i)
	return Done
}

// isFor reports whether an offered message is for a receive.
func (r *Request) isFor(c *Comm, source, tag int32) bool {
	return r.Ctx == c.Ctx && (r.Src == source || source == AnySource) && (r.Tag == tag || tag == AnyTag)
}

// sendrecvSelf is MPI_Sendrecv to this rank: Done when the message was for the receive of the same call,
// SentOnly when it was for another one.
//
//fast:cold
func (e *Endpoint) sendrecvSelf(c *Comm, buf uintptr, size uint32, tag int32, to uintptr, room uint32,
	source, want int32, status *Status) Reason {
	s := e.meet(c, buf, size, tag)
	if s == advanced {
		return SentOnly
	}
	if s == engine || size > room || source != c.Rank && source != AnySource ||
		tag != want && want != AnyTag || e.Offered != 0 || !e.onlyOffered() || !status.settable() ||
		!tryMove(to, buf, size) {
		return NeedsEngine
	}
	if status != nil {
		status.set(c.Rank, tag, uint64(size))
	}
	return Done
}
