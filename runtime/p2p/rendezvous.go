package p2p

import (
	"gompi/runtime/request"
)

// fetch gets the data of a message that lies in its sender's memory, in one copy where that is possible. Otherwise it
// asks for pieces.
func (e *Engine) fetch(r *request.Request, m *message) {
	n := matched(r, m.key.Src, m.key.Tag, m.bytes)
	if m.peer == e.me {
		send := e.Pool.At(m.send)
		e.finish(r, hand(r.Buf, send.Buf))
		e.finish(send, nil)
		return
	}
	if m.kind == lies && e.read(r, m, n) == nil {
		e.finish(r, nil)
		e.answer(m.peer, fetched, m.send, 0)
		return
	}
	r.State, r.Peer, r.Bytes, r.Moved = request.Filling, m.peer, m.bytes, 0
	e.answer(m.peer, ask, m.send, r.Index())
}

// gapPiece is how many bytes at a time go into a buffer with gaps: few enough to be in the cache still when they are put
// in place.
const gapPiece = 128 << 10

// read copies n bytes of the message into the buffer of r, in pieces through memory of our own where the buffer has gaps.
func (e *Engine) read(r *request.Request, m *message, n int64) error {
	if n == 0 {
		return nil
	}
	if r.Buf.Contiguous() {
		return e.net.Read(m.peer, r.Buf.Start(), m.addr, n)
	}
	c := e.Scratch.Take(min(n, gapPiece))
	defer e.Scratch.Put(c)
	for at := int64(0); at < n; at += gapPiece {
		k := min(n-at, gapPiece)
		if err := e.net.Read(m.peer, c.Address(), m.addr+uintptr(at), k); err != nil {
			return err
		}
		if r.Err = place(r.Buf, at, c.Address(), k); r.Err != nil {
			return nil
		}
	}
	return nil
}

// arrivePiece takes the next piece of a message. What does not fit into the buffer is dropped: the receive has failed
// already, but the sender has to get rid of it.
func (e *Engine) arrivePiece(r *request.Request, n int64, payload uintptr) {
	if fits := min(n, r.Status.Bytes-r.Moved); fits > 0 {
		if err := place(r.Buf, r.Moved, payload, fits); err != nil {
			r.Err = err
		}
	}
	if r.Moved += n; r.Moved == r.Bytes {
		e.finish(r, nil)
	}
}
