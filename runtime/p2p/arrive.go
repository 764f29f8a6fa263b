package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/runtime/transport"
)

// Server carries out what other ranks ask this one for by other ways than packets. Serve returns false when
// there was nothing to do, and never waits.
type Server interface{ Serve() bool }

// SetServer has every poll call s, nil for nobody, from now on. The last one is not being called any more
// when it returns.
func (e *Engine) SetServer(s Server) {
	e.lock()
	e.server, e.endpoint.Serving = s, 0
	if s != nil {
		e.endpoint.Serving = 1
	}
	e.unlock()
}

// poll deals with the next packet that has come, and with packets that wait for room. It returns false when
// there was nothing to do.
func (e *Engine) poll() bool {
	l, peer, p, payload := e.next()
	if p == nil {
		if e.zeroCopy != nil && e.takeCompleted() || len(e.busy) > 0 && e.flush() ||
			len(e.copies) > 0 && e.copySome() || e.pollOthers() || e.server != nil && e.server.Serve() {
			e.completed = true
			return true
		}
		return false
	}
	e.take(l, peer, p, payload)
	return true
}

// pollOthers deals with what comes by other ways than packets. It returns false when there was nothing.
func (e *Engine) pollOthers() bool {
	moved := e.Ops.poll()
	return e.observer.deliver() || moved
}

// take deals with a packet that a link has shown.
func (e *Engine) take(l *link, peer int, p *transport.Packet, payload uintptr) {
	if !e.isFailed(peer) {
		e.arrive(peer, p, payload)
	}
	l.Release(peer, p)
	if e.flushSoon {
		e.flushSoon = false
		e.flush()
	}
	e.observer.deliver()
}

// arrival deals with a packet of one kind.
type arrival func(peer int, p *transport.Packet, payload uintptr)

// arrive deals with one packet.
func (e *Engine) arrive(peer int, p *transport.Packet, payload uintptr) {
	if p.Kind >= kinds || e.arrivals[p.Kind] == nil {
		e.Malformed(peer, "a malformed packet of kind %d with %d bytes in its slot, and the others at %d",
			p.Kind, p.Inline, p.Bulk)
	}
	e.arrivals[p.Kind](peer, p, payload)
}

// arriveFetched deals with the news that the receiver has the data of a message, or its receive was found.
func (v *inbound) arriveFetched(peer int, p *transport.Packet, _ uintptr) {
	if v.answered(peer, p) {
		return
	}
	r := v.named(peer, p, p.Ctx, request.Send, announcedSend|pushingSend)
	if p.Tag != 0 && r.Err == nil {
		r.Err = mpierr.New(mpierr.ErrBuffer, "the receiver cannot read all of the buffer")
	}
	if r.State == request.Pushing {
		r.State = request.Fetched
	} else {
		v.taken(r)
	}
}

func (v *inbound) arriveAnnounce(peer int, p *transport.Packet, _ uintptr) {
	m := message{peer: peer, bytes: int64(p.Data[0]), addr: uintptr(p.Data[1]), send: uint32(p.Data[2]),
		kind: inSender}
	if m.bytes < 0 {
		v.Malformed(peer, "a malformed packet: it announces %d bytes", m.bytes)
	}
	m.key = match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}
	m.sig = v.signatures.take(v.peers[peer])
	m.time = p.Data[3]
	if m.sync = p.Flags&announcedSync != 0; p.Flags&gaps != 0 {
		m.kind = inPieces
	}
	if r := v.matchPosted(m.key); r != nil {
		v.copying.fetch(r, m)
		return
	}
	i, _ := v.unexpected.keep(m)
	l := v.to(peer)
	if m.kind == inSender && !m.sync && m.bytes > 0 && m.bytes <= l.eager && l.reach(peer) != nil {
		v.unexpected.setSmall(v.endpoint.Message(i), true)
	}
}

// noSend is the index in a message whose sender has named none.
const noSend = fast.NoRequest

// accept gives an unexpected message, which is not filed any more, to the receive that has found it, and its
// memory back.
func (v *inbound) accept(r *request.Request, i uint32) {
	m := v.unexpected.messageAt(i)
	if m.kind != buffered {
		v.copying.fetch(r, m)
		v.unexpected.discard(i)
		return
	}
	n := matched(r, m.key.Src, m.key.Tag, m.bytes)
	v.signatures.compare(r, m.sig)
	switch {
	case m.lost:
		v.finish(r, lostData())
	case m.time == 0:
		v.finish(r, r.Buf.UnpackAt(0, m.addr, n))
	default:
		v.finish(r, v.protocols.unpackEager(&r.Buf, m.peer, m.addr, n, m.time))
	}
	v.unexpected.discard(i)
	if m.sync {
		v.matchedSync(&m)
	}
}

// answered ends a synchronous send of the fast engine that the packet of its receiver names. It reports false
// when the packet names another send.
func (v *inbound) answered(peer int, p *transport.Packet) bool {
	if p.Ctx >= v.endpoint.RequestsMade || p.Tag != 0 {
		return false
	}
	t := v.endpoint.Request(p.Ctx)
	if t.State != fast.Unmatched || t.Peer != v.NodeRank(peer) {
		return false
	}
	v.endpoint.Answered(t)
	v.completed = true
	return true
}

// matchedSync tells the sender of a synchronous message that its receive has been found.
func (v *inbound) matchedSync(m *message) {
	if m.peer == v.me {
		v.finish(v.records.ownSend(m.send), nil)
	} else {
		v.queues.answer(m.peer, fetched, m.send, 0, 0)
	}
}
