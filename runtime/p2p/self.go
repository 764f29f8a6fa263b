package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// The fast engine sends small messages to this rank through a ring, as it does to any other: there is one
// from each rank to itself, which is opened with the first such message. What is sent here must not overtake
// them.

// selfRing is the ring from this rank to itself, nil where the fast engine is closed.
func (e *Engine) selfRing() *fast.Rx {
	if e.endpoint.Open == fast.Closed {
		return nil
	}
	return &e.endpoint.Peer(uint32(e.me)).Rx
}

// settleSelf takes out what is in that ring, or opens it, before a call of the program sends to this rank. It
// is not for the middle of progress.
func (e *Engine) settleSelf() {
	ring := e.selfRing()
	switch {
	case ring == nil:
	case ring.Ready():
		for ring.Pending() && e.poll() {
		}
	default:
		e.to(e.me).Reserve(e.me, 0) // connects
		e.to(e.me).Pending(nil)     // answers
	}
}

// selfQueued reports whether messages to this rank are in its ring, or wait for room there.
func (e *Engine) selfQueued() bool {
	ring := e.selfRing()
	return ring != nil && ring.Ready() && (ring.Pending() || !e.out[e.me].empty())
}

// sendSelf sends to this rank. A message that finds no receive is buffered if it is small, or if the
// caller blocks: nobody could post the receive while it waits. A larger one stays where it is until the
// receive comes.
func (e *Engine) sendSelf(r *request.Request, blocking bool) {
	if to := e.matchPosted(r.Key); to != nil {
		matched(to, r.Key.Src, r.Key.Tag, r.Bytes)
		compare(to, e.signatureOf(r))
		e.finish(to, hand(to.Buf, r.Buf))
		e.finish(r, nil)
		return
	}
	r.State = request.Announced
	m := message{key: r.Key, peer: e.me, bytes: r.Bytes, send: r.Index(), sync: r.Sync, kind: inSender,
		sig: e.signatureOf(r)}
	if r.Bytes <= e.eager || blocking {
		if err := shm.Afford(r.Bytes); err != nil {
			e.finish(r, noMemory(err))
			return
		}
		m.kind = buffered
		r.Buf.Pack(0, e.unexpected.add(e, m, r.Bytes))
		if !r.Sync {
			r.State = request.Sent
			e.finish(r, nil)
		}
		return
	}
	e.unexpected.add(e, m, 0)
}
