package fast

import "sync/atomic"

// Messages of a rank to itself are copied once, from the buffer of the send to that of the receive, where
// that can be. One that finds no receive is filed as an unexpected one. A send that is to leave its buffer at
// once, one of data with gaps, and one that fits into the record is copied then. Any other is offered: the
// data stays at the sender until the receive comes. A synchronous send is offered whether or not its data is
// copied. When the program waits for an offered send first, package p2p buffers the message if it is small.
//
// Buffers that are no memory are the error of one call, as they are in package p2p: copies fail, and package
// p2p finds out which buffer it was.

// maxSelf is the largest of these messages that is sent here, in bytes.
const maxSelf = 256 << 10

// hand moves data of whole elements from one buffer to another, each by a record if it has gaps; false when
// one of them is no memory. Data with gaps on both sides, in one packet at most, goes by way of memory that
// is used for images otherwise.
//
//fast:hot
func hand(e *Endpoint, to uintptr, unpacked *Type, from uintptr, packed *Type, size uint32) bool {
	if unpacked == nil && packed == nil {
		return tryMove(to, from, size)
	}
	return handGaps(e, to, unpacked, from, packed, size)
}

//fast:cold
func handGaps(e *Endpoint, to uintptr, unpacked *Type, from uintptr, packed *Type, size uint32) bool {
	if unpacked == nil || packed == nil {
		return tryElements(to, unpacked, from, packed, size, 0)
	}
	if !e.takeRoom() {
		return false
	}
	done := tryElements(to, unpacked, from, packed, size, e.Room)
	atomic.StoreUint32(&e.RoomTaken, 0)
	return done
}

// present reports whether there is memory where the data of a buffer begins, and where it ends if it has no
// gaps.
func present(buf uintptr, t *Type, size uint32) bool {
	if t != nil {
		return readable(buf+uintptr(t.TrueLB), 1)
	}
	return readable(buf, size)
}

// meet gives a message of this rank in a context to the oldest posted receive that it matches; idle when
// there is none.
//
//fast:cold
func (e *Endpoint) meet(ctx uint32, rank int32, buf uintptr, t *Type, size uint32, tag int32) step {
	if e.Observed != 0 {
		return engine
	}
	at := e.oldest(ctx, rank, tag)
	if at == NoRequest {
		return idle
	}
	r := e.Request(at)
	if r.State != Posted || uint64(size) > r.Size {
		return engine
	}
	own := e.typed(r)
	if !whole(own, size) || !hand(e, r.Buf, own, buf, t, size) {
		return engine
	}
	e.Unpost(r)
	r.receive(rank, tag, size)
	ring(e.Bell) // another thread may wait for it
	return advanced
}

// settable reports whether a request can be written. As for the buffers, package p2p says what is wrong.
func settable(request *uintptr) bool { return tryMove(RequestAt(request), RequestAt(request), 8) }

// settable is the same for a status, which may be nil.
func (s *Status) settable() bool {
	return s == nil || tryMove(s.address(), s.address(), statusSize)
}

// isendSelf is a nonblocking send to this rank. mode is the flags of its request. There is a free request.
//
//fast:cold
func isendSelf(e *Endpoint, c *Comm, buf uintptr, t *Type, size uint32, tag int32, mode uint32,
	request *uintptr) Reason {
	if !settable(request) {
		return NotPlain
	}
	i := e.Free
	r := e.Request(i)
	r.Ctx = c.Ctx
	r.Src = c.Rank
	r.Self = c.Rank
	r.Tag = tag
	r.Peer = e.Me
	r.Buf = buf
	r.Size = uint64(size)
	state := e.beginOwn(r, t, mode)
	if state == Free {
		return NeedsEngine
	}
	e.firstFree()
	r.State = state
	r.Flags = mode & Synch
	*request = e.handle(i)
	return Done
}

// beginOwn begins the send to this rank that a request describes, and is the state of the request then; Free
// when package p2p has to begin it.
func (e *Endpoint) beginOwn(r *Request, t *Type, mode uint32) uint32 {
	size := uint32(r.Size)
	s := e.meet(r.Ctx, r.Self, r.Buf, t, size, r.Tag)
	if s == advanced {
		return Sent
	}
	if s == engine {
		return Free
	}
	state := Sent
	flags := uint32(0)
	if mode&Synch != 0 {
		state = Offered
		flags = Sync
	}
	if t != nil || mode&Buffered != 0 || mode&Synch == 0 && size <= InlineSize {
		if !keepSelf(e, r.Ctx, r.Self, r.Buf, t, size, r.Tag, e.index(r), flags) {
			return Free
		}
		return state
	}
	if e.Watched != 0 || e.Spare() == NoRequest || !readable(r.Buf, size) {
		return Free
	}
	e.fileOwn(r.Ctx, r.Self, r.Tag, e.index(r), r.Buf, size, AtSender)
	return Offered
}

// sendSelf is a send to this rank that leaves its buffer at once.
//
//fast:cold
func sendSelf(e *Endpoint, c *Comm, buf uintptr, t *Type, size uint32, tag int32) Reason {
	s := e.meet(c.Ctx, c.Rank, buf, t, size, tag)
	if s == advanced || s == idle && keepSelf(e, c.Ctx, c.Rank, buf, t, size, tag, NoRequest, 0) {
		return Done
	}
	return NeedsEngine
}

// keepSelf files a copy of a message of this rank; false when package p2p has to. send is the number of its
// request, if it has one. flags are those of the message.
func keepSelf(e *Endpoint, ctx uint32, rank int32, buf uintptr, t *Type, size uint32, tag int32,
	send, flags uint32) bool {
	i := e.Spare()
	if e.Watched != 0 || i == NoRequest || size > MaxMessage || size > e.Eager {
		return false
	}
	data := e.roomIn(i, size)
	if data == 0 {
		return false
	}
	if !hand(e, data, nil, buf, t, size) {
		e.leaveRoom(data, size)
		return false
	}
	e.fileOwn(ctx, rank, tag, send, data, size, flags)
	return true
}

// fileOwn files a message of this rank, whose data is at an address. There is a record for it. send is the
// number of its request.
func (e *Endpoint) fileOwn(ctx uint32, rank, tag int32, send uint32, data uintptr, size, flags uint32) {
	number := e.FreeMessage
	m := e.use()
	m.Ctx = ctx
	m.Src = rank
	m.Tag = tag
	m.Peer = e.Me
	m.Send = send
	m.Data = data
	m.Size = uint64(size)
	m.Flags = flags
	e.File(number)
	if e.Shared != 0 {
		ring(e.Bell) // another thread may wait for it
	}
}

// sendrecvSelf is MPI_Sendrecv to this rank: Done when the message was for the receive of the same call,
// SentOnly when it was for another one.
//
//fast:cold
func sendrecvSelf(e *Endpoint, c *Comm, buf uintptr, t *Type, size uint32, tag int32, to uintptr, own *Type,
	room uint32, source, want int32, status *Status) Reason {
	s := e.meet(c.Ctx, c.Rank, buf, t, size, tag)
	if s == advanced {
		return SentOnly
	}
	if s == engine || size > room || source != c.Rank && source != AnySource ||
		tag != want && want != AnyTag || e.Watched != 0 ||
		e.UnexpectedFor(c.Ctx, source, want) != NoRequest || !status.settable() || !whole(own, size) ||
		!hand(e, to, own, buf, t, size) {
		return NeedsEngine
	}
	if status != nil {
		status.set(c.Rank, tag, uint64(size))
	}
	return Done
}
