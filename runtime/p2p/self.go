package p2p

import (
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// sendSelf sends to this rank. A message that finds no receive is buffered if it is small, or if the
// caller blocks: nobody could post the receive while it waits. A larger one stays where it is until the
// receive comes.
func (e *Engine) sendSelf(r *request.Request, blocking bool) {
	if to := e.matchPosted(r.Key); to != nil {
		matched(to, r.Key.Src, r.Key.Tag, r.Bytes)
		e.compare(to, e.signatureOf(r))
		e.finish(to, hand(to.Buf, r.Buf))
		e.finish(r, nil)
		return
	}
	e.keepSelf(r, blocking)
}

// keepSelf makes a message to this rank an unexpected one.
func (e *Engine) keepSelf(r *request.Request, blocking bool) {
	r.State = request.Announced
	m := message{key: r.Key, peer: e.me, bytes: r.Bytes, send: r.Index(), sync: r.Sync, kind: inSender,
		sig: e.signatureOf(r)}
	if r.Bytes <= e.eager || blocking {
		if err := shm.Afford(r.Bytes); err != nil {
			e.finish(r, mpierr.Memory(err))
			return
		}
		m.kind = buffered
		i, data, err := e.newMessage(&m)
		if err != nil {
			e.finish(r, mpierr.Memory(err))
			return
		}
		r.Buf.Pack(0, shm.Bytes(data, r.Bytes))
		e.file(i, &m)
		if !r.Sync {
			r.State = request.Sent
			e.finish(r, nil)
		}
		return
	}
	e.keep(m)
}

// ownSend is the request of a send to this rank.
func (e *Engine) ownSend(i uint32) *request.Request {
	e.extend(i)
	return e.Pool.At(i)
}
