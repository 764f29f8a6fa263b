package p2p

import (
	"slices"
	"time"

	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// fetch gets the data of a message that lies in its sender's memory, by one of the protocols of
// protocol.go.
func (e *Engine) fetch(r *request.Request, m *message) {
	n := matched(r, m.key.Src, m.key.Tag, m.bytes)
	e.compare(r, m.sig)
	if m.peer == e.me {
		send := e.ownSend(m.send)
		e.finish(r, hand(r.Buf, send.Buf))
		e.finish(send, nil)
		return
	}
	l := e.to(m.peer)
	r.Peer, r.Bytes = m.peer, m.bytes
	if e.isFallen(m.peer) {
		e.finish(r, e.mourner.Doomed(request.Send, r.Key, r.Peer))
		return
	}
	e.chooseProtocol(r, m, n)
	if n == 0 || r.Protocol == readProtocol && e.read(r, m, n) == nil {
		e.flushSoon = n > 0
		e.ended(r)
		e.finish(r, nil)
		e.answer(m.peer, fetched, m.send, 0, 0)
		return
	}
	r.State, r.Moved, r.Copy = request.Filling, 0, 0
	e.filling++
	if m.kind == inSender {
		r.Copy = l.offer(m.peer)
	}
	into := uintptr(0)
	if r.Copy != 0 {
		r.From, r.Remote, r.Own, r.Lost = m.addr, m.send, false, false
		e.copies, e.stalled = append(e.copies, r), false
		e.countCopies()
		if r.Protocol == bothProtocol {
			into = r.Buf.Start()
		}
	}
	e.ask(m.peer, outgoing{kind: ask, a: m.send, b: r.Index(), c: r.Copy, into: into})
}

// mostCopies is how many copies that both sides carry out can be under way at once; further messages are
// copied by this side alone.
const mostCopies = 64

// copySome carries on the copies that both sides carry out. It returns true when there is something to do,
// here or for the caller.
//
// Where both sides copy by the kernel, this one takes its part at once. As long as a sender sends pieces,
// this side is busy with them. When none has come for some time, this side takes some of the copy itself,
// because the sender may sleep or have no processor; at once when it has left MPI. It does not yield until
// then: on a busy machine it would come back milliseconds later.
func (e *Engine) copySome() bool {
	for _, r := range e.copies {
		if r.Protocol == bothProtocol && e.copyPart(r, e.partSize(r)) {
			return true
		}
	}
	i := slices.IndexFunc(e.copies, func(r *request.Request) bool { return r.Protocol != bothProtocol })
	if i < 0 {
		return false // the sender writes the last parts
	}
	if !e.stalled {
		e.stalled, e.since = true, time.Now()
	}
	first := e.copies[i].Peer
	for e.to(first).isInside(first) && time.Since(e.since) < e.copyTimeout {
		if e.coming() {
			return true
		}
		e.waiter.Spin(0)
	}
	for _, r := range e.copies[i:] {
		if e.copyPart(r, e.copyChunk) {
			return true
		}
	}
	return false
}

// copyPart copies the next part of a message, of at most most bytes, out of the sender's memory. It returns
// false when all parts are taken.
func (e *Engine) copyPart(r *request.Request, most int64) bool {
	at, n := e.to(r.Peer).sharer.TakeIn(r.Peer, r.Copy, most, r.Bytes)
	if n == 0 {
		return false
	}
	r.Own = true
	if fits := min(n, r.Status.Bytes-at); fits > 0 {
		err := e.readAt(r, r.Peer, r.From, at, fits)
		if err != nil && e.Perished(r.Peer, err) {
			return false // the news of its death will end the receive
		}
		if err != nil {
			r.Lost = true
			if r.Err == nil {
				r.Err = lostData()
			}
		}
	}
	e.arrived(r, n)
	return true
}

// endCopy ends the part of this side in a copy that both carry out.
func (e *Engine) endCopy(r *request.Request) {
	e.to(r.Peer).sharer.Done(r.Peer, r.Copy)
	if i := slices.Index(e.copies, r); i >= 0 {
		e.copies = slices.Delete(e.copies, i, i+1)
		e.countCopies()
	}
}

// arrived counts bytes of a message that comes in pieces and ends it with the last.
func (e *Engine) arrived(r *request.Request, n int64) {
	if r.Moved += n; r.Moved < r.Bytes {
		return
	}
	e.ended(r)
	if r.Copy != 0 {
		e.endCopy(r)
		if r.Own {
			lost := uint32(0)
			if r.Lost {
				lost = 1
			}
			e.answer(r.Peer, fetched, r.Remote, lost, 0)
		}
	}
	e.finish(r, nil)
}

// gapPiece is how many bytes at a time go into a buffer with gaps: few enough to be in the cache still when
// they are put in place.
const gapPiece = 128 << 10

// read copies n bytes of the message into the buffer of r.
func (e *Engine) read(r *request.Request, m *message, n int64) error {
	if n == 0 {
		return nil
	}
	return e.readAt(r, m.peer, m.addr, 0, n)
}

// readAt copies n > 0 bytes of the message at src in a peer's memory, from byte at on, into the buffer of r;
// in pieces through memory of our own where the buffer has gaps. A buffer that cannot be written is the error
// of r and not of the call.
func (e *Engine) readAt(r *request.Request, peer int, src uintptr, at, n int64) error {
	since := shm.Now()
	defer func() { r.Spent += e.protocols.work(since) }()
	if r.Buf.Contiguous() && e.to(peer).read(peer, r.Buf.Start()+uintptr(at), src+uintptr(at), n) == nil {
		return nil // otherwise memory of our own shows on which side the fault lies
	}
	c := e.Scratch.Take(min(n, gapPiece))
	defer e.Scratch.Put(c)
	for end := at + n; at < end; at += gapPiece {
		k := min(end-at, gapPiece)
		if err := e.to(peer).read(peer, c.Address(), src+uintptr(at), k); err != nil {
			return err
		}
		if err := r.Buf.UnpackAt(at, c.Address(), k); err != nil {
			r.Err = err
			return nil
		}
	}
	return nil
}

// arrivePiece takes n bytes of a message, which are those from byte at on. What does not fit into the buffer
// is dropped: the receive has failed already, but the sender has to get rid of it. A piece that is in place
// has been written by the sender itself. What the sender has done took so many ns.
func (e *Engine) arrivePiece(r *request.Request, at, n int64, flags uint8, payload uintptr, took uint64) {
	e.stalled = false
	r.Spent += took
	since := shm.Now()
	if flags&unreadable != 0 {
		if r.Err == nil {
			r.Err = lostData()
		}
	} else if fits := min(n, r.Status.Bytes-at); fits > 0 && flags&written == 0 {
		if err := r.Buf.UnpackAt(at, payload, fits); err != nil {
			r.Err = err
		}
	}
	r.Spent += e.protocols.work(since)
	e.arrived(r, n)
}

// lostData is the error of a receive whose message was sent out of memory that cannot be read.
func lostData() error {
	return mpierr.New(mpierr.ErrOther, "the message was sent out of memory that cannot be read, so its data is not here")
}
