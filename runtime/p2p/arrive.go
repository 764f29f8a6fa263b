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
		if e.lender != nil && e.takeBack() || len(e.busy) > 0 && e.flush() ||
			len(e.copies) > 0 && e.copySome() || e.pollOthers() || e.server != nil && e.server.Serve() {
			e.completed = true
			return true
		}
		return false
	}
	e.take(l, peer, p, payload)
	return true
}

// take deals with a packet that a link has shown.
func (e *Engine) take(l *link, peer int, p *transport.Packet, payload uintptr) {
	if !e.isFallen(peer) {
		e.arrive(peer, p, payload)
	}
	l.Release(peer, p)
	if e.flushSoon {
		e.flushSoon = false
		e.flush()
	}
	e.deliverPending()
}

// arrive deals with one packet.
func (e *Engine) arrive(peer int, p *transport.Packet, payload uintptr) {
	switch p.Kind {
	case eager:
		e.arriveEager(peer, p, payload)
	case announce:
		e.arriveAnnounce(peer, p)
	case fetched:
		if e.answered(peer, p) {
			break
		}
		r := e.named(peer, p, p.Ctx, request.Send, announcedSend|pushingSend)
		if p.Tag != 0 && r.Err == nil {
			r.Err = mpierr.New(mpierr.ErrBuffer, "the receiver cannot read all of the buffer")
		}
		if r.State == request.Pushing {
			r.State = request.Fetched
		} else {
			e.taken(r)
		}
	case ask:
		r := e.named(peer, p, p.Ctx, request.Send, announcedSend)
		r.Remote, r.Copy, r.From, r.State = uint32(p.Tag), uint32(p.Src), uintptr(p.Data[0]), request.Pushing
		if p.Inline != controlSize || r.Copy == 0 || !r.Buf.Contiguous() {
			r.From = 0
		}
		e.enqueue(peer, outgoing{kind: piece, r: r})
	case piece:
		r, at := e.named(peer, p, p.Ctx, request.Recv, fillingReceive), int64(p.Data[1])
		n := int64(p.Data[0])
		if p.Flags&written == 0 {
			n = e.sizeOf(peer, p)
		} else if r.Protocol != bothProtocol || n < 0 {
			e.Malformed(peer, "a malformed packet: %d bytes in place of a message that it was not to write", n)
		}
		if at < 0 || at > r.Bytes || n > r.Bytes-max(at, r.Moved) {
			e.Malformed(peer, "a malformed packet: %d bytes at %d of a message of %d bytes", n, at, r.Bytes)
		}
		e.arrivePiece(r, at, n, p.Flags, payload, p.Data[2])
	case signature:
		e.arriveSignature(peer, payload, e.sizeOf(peer, p))
	case withdraw:
		e.arriveWithdraw(peer, match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}, uint32(p.Data[0]))
	case withdrawn:
		r := e.named(peer, p, p.Ctx, request.Send, allStates)
		if !r.Withdrawing {
			e.Malformed(peer, "a malformed packet: the message of request %d is not being cancelled", p.Ctx)
		}
		e.arriveWithdrawn(r, p.Tag != 0)
	case offered, validated, retracted:
		e.arriveNotice(peer, p)
	case stop:
		e.peers[peer].stopped = p.Ctx != 0
	case am:
		e.arriveAM(peer, p, payload)
		e.completed = true
	default:
		e.Malformed(peer, "a malformed packet of kind %d with %d bytes in its slot, and the others at %d",
			p.Kind, p.Inline, p.Bulk)
	}
}

func (e *Engine) arriveAnnounce(peer int, p *transport.Packet) {
	m := message{peer: peer, bytes: int64(p.Data[0]), addr: uintptr(p.Data[1]), send: uint32(p.Data[2]),
		kind: inSender}
	if m.bytes < 0 {
		e.Malformed(peer, "a malformed packet: it announces %d bytes", m.bytes)
	}
	m.key = match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}
	m.sig = e.signatureFrom(peer)
	m.time = p.Data[3]
	if m.sync = p.Flags&announcedSync != 0; p.Flags&gaps != 0 {
		m.kind = inPieces
	}
	if r := e.matchPosted(m.key); r != nil {
		e.fetch(r, &m)
		return
	}
	i, _ := e.keep(m)
	l := e.to(peer)
	if m.kind == inSender && !m.sync && m.bytes > 0 && m.bytes <= l.eager && l.reach(peer) != nil {
		e.setSmall(e.endpoint.Message(i), true)
	}
}

// noSend is the index in a message whose sender has named none.
const noSend = fast.NoRequest

func (e *Engine) arriveEager(peer int, p *transport.Packet, payload uintptr) {
	key := match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}
	n := e.sizeOf(peer, p)
	sync, send := p.Flags&synchronous != 0, noSend
	if p.Flags != 0 {
		if send = p.Bulk; p.InBulk() {
			send = uint32(p.Data[1])
		}
	}
	r, sig := e.matchPosted(key), e.signatureFrom(peer)
	if r == nil {
		m := message{key: key, peer: peer, bytes: n, send: send, sync: sync, kind: buffered,
			lost: p.Flags&unreadable != 0, sig: sig}
		e.keepEager(m, p, payload)
		return
	}
	n = matched(r, p.Src, p.Tag, n)
	e.compare(r, sig)
	if p.Flags&unreadable != 0 {
		e.finish(r, lostData())
	} else {
		e.finish(r, e.unpackEager(&r.Buf, peer, payload, n, p.Data[2]))
	}
	if sync {
		e.answer(peer, fetched, send, 0, 0)
	}
}

// accept gives an unexpected message, which is not filed any more, to the receive that has found it, and its
// memory back.
func (e *Engine) accept(r *request.Request, i uint32) {
	m := e.messageAt(i)
	if m.kind != buffered {
		e.fetch(r, &m)
		e.discard(i)
		return
	}
	n := matched(r, m.key.Src, m.key.Tag, m.bytes)
	e.compare(r, m.sig)
	switch {
	case m.lost:
		e.finish(r, lostData())
	case m.time == 0:
		e.finish(r, r.Buf.UnpackAt(0, m.addr, n))
	default:
		e.finish(r, e.unpackEager(&r.Buf, m.peer, m.addr, n, m.time))
	}
	e.discard(i)
	if m.sync {
		e.matchedSync(&m)
	}
}

// answered ends a synchronous send of the fast engine that the packet of its receiver names. It reports false
// when the packet names another send.
func (e *Engine) answered(peer int, p *transport.Packet) bool {
	if p.Ctx >= e.endpoint.RequestsMade || p.Tag != 0 {
		return false
	}
	t := e.endpoint.Request(p.Ctx)
	if t.State != fast.Unmatched || t.Peer != e.onNode(peer) {
		return false
	}
	e.endpoint.Answered(t)
	e.completed = true
	return true
}

// matchedSync tells the sender of a synchronous message that its receive has been found.
func (e *Engine) matchedSync(m *message) {
	if m.peer == e.me {
		e.finish(e.ownSend(m.send), nil)
	} else {
		e.answer(m.peer, fetched, m.send, 0, 0)
	}
}
