package p2p

import (
	"math"
	"slices"

	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// outgoing is a packet that waits for room: the first one of a send (kind eager), the pieces of a send (kind
// piece), a request to take one back (kind withdraw), what there is to say about a partitioned send (kinds
// offered, validated and retracted), an active message of another package, or an answer that names requests.
type outgoing struct {
	kind    uint8
	r       *request.Request
	o       *offer
	x       ActiveMessage
	a, b, c uint32
	into    uintptr // ask: address of the receive's buffer; 0 when the sender is not to write there
}

// outQueue holds the packets to one peer that found no room, oldest first.
type outQueue struct {
	items []outgoing
	head  int
}

func (q *outQueue) empty() bool { return q.head == len(q.items) }

func (q *outQueue) several() bool { return len(q.items)-q.head > 1 }

func (q *outQueue) push(o outgoing) { q.items = append(q.items, o) }

// delete takes the packets of which f is true out of the queue, and reports whether there were any.
func (q *outQueue) delete(f func(*outgoing) bool) (some bool) {
	for i := q.head; i < len(q.items); i++ {
		if f(&q.items[i]) {
			q.items, some = slices.Delete(q.items, i, i+1), true
			i--
		}
	}
	return some
}

func (q *outQueue) pop() {
	q.items[q.head] = outgoing{}
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
}

func (e *Engine) enqueue(peer int, o outgoing) {
	if e.isFallen(peer) {
		return // nobody will take it
	}
	q := &e.peers[peer].out
	if q.empty() {
		e.busy = append(e.busy, peer)
		e.endpoint.Queued++
		e.completed = true // a thread that sleeps has to wait for room there as well
	}
	q.push(o)
}

// idled takes a peer to whom nothing waits any more out of the list of those with queues.
func (e *Engine) idled(peer int) {
	if i := slices.Index(e.busy, peer); i >= 0 {
		e.busy = slices.Delete(e.busy, i, i+1)
		e.endpoint.Queued = uint32(len(e.busy))
	}
}

// flush sends what waits for room as far as there is some now. It returns true when anything went out. A peer
// that takes packets as quickly as they go would be sent all of them, and not be heard when it says stop.
func (e *Engine) flush() (moved bool) {
	busy := e.busy
	e.busy = e.wasBusy[:0] // what a message that goes out brings about may find no room in its turn
	for _, peer := range busy {
		q, most := &e.peers[peer].out, math.MaxInt
		if e.to(peer).flow == nil {
			most = unheardSends
		}
		for n := 0; n < most && !q.empty(); n++ {
			sent, done := e.dispatch(peer, &q.items[q.head])
			moved = moved || sent
			if !done {
				break
			}
			q.pop()
		}
		if !q.empty() {
			e.busy = append(e.busy, peer)
		}
	}
	e.wasBusy = busy
	e.endpoint.Queued = uint32(len(e.busy))
	return moved
}

// dispatch sends one queued packet. done is false when it has to stay in the queue.
func (e *Engine) dispatch(peer int, o *outgoing) (sent, done bool) {
	switch o.kind {
	case eager:
		sent = e.launch(o.r)
		return sent, sent
	case piece:
		return e.push(o.r)
	case withdraw:
		sent = e.tryWithdraw(peer, o.r)
		return sent, sent
	case offered, validated, retracted:
		sent = e.tryNotify(o.kind, o.o)
		return sent, sent
	case am:
		return e.pushAM(peer, o.x)
	default:
		sent = e.tryAnswer(peer, o)
		return sent, sent
	}
}

// answer sends a packet that only names requests: the peer's and one of this rank.
func (e *Engine) answer(peer int, kind uint8, a, b, c uint32) {
	e.ask(peer, outgoing{kind: kind, a: a, b: b, c: c})
}

// ask sends an answer, or puts it into the queue.
func (e *Engine) ask(peer int, o outgoing) {
	if !e.peers[peer].out.empty() || !e.tryAnswer(peer, &o) {
		e.enqueue(peer, o)
	}
}

func (e *Engine) tryAnswer(peer int, o *outgoing) bool {
	l, n := e.to(peer), 0
	if o.kind == ask {
		n = controlSize
	}
	p, _ := l.Reserve(peer, n)
	if p == nil {
		return false
	}
	p.Kind, p.Flags, p.Ctx, p.Tag, p.Src = o.kind, 0, o.a, int32(o.b), int32(o.c)
	p.Data[0] = uint64(o.into)
	l.Publish(peer, p, n)
	return true
}

// partSize is how many bytes of r each side takes at a time where both copy by the kernel. A part that cannot
// be written goes through the ring.
func (e *Engine) partSize(r *request.Request) int64 {
	return min(max(r.Bytes/pieces, leastPiece), e.to(r.Peer).most)
}

// write copies n bytes of r from byte at on to their place in the receiver's memory. It reports false when
// they have to go through the ring.
func (e *Engine) write(r *request.Request, at, n int64) bool {
	p := e.to(r.Peer).reach(r.Peer)
	return p != nil && p.Write(r.From+uintptr(at), r.Buf.Start()+uintptr(at), n) == nil
}

// push sends as many pieces of r as there is room for. done says that there are no more to send: the receiver
// may have copied some itself.
func (e *Engine) push(r *request.Request) (sent, done bool) {
	l, most := e.to(r.Peer), e.pieceSize(r)
	if r.From != 0 {
		most = e.partSize(r)
	}
	for r.State == request.Pushing {
		if r.Copy == 0 {
			if r.Moved == r.Bytes {
				break
			}
			if room, lent := e.lend(l, r); !room {
				return sent, false
			} else if lent {
				sent = true
				continue
			}
			most = min(most, max(r.Bytes-r.Moved, fast.InlineSize+1))
		}
		p, payload := l.Reserve(r.Peer, int(most))
		if p == nil {
			return sent, false
		}
		at, n := r.Moved, min(r.Bytes-r.Moved, most)
		if r.Copy != 0 {
			at, n = l.sharer.TakeOut(r.Peer, r.Copy, most, r.Bytes)
		}
		if n == 0 {
			break
		}
		flags, size, since := uint8(0), int(most), shm.Now()
		if r.From != 0 && e.write(r, at, n) {
			flags, size = written, controlSize
			p, _ = l.Reserve(r.Peer, size) // there is room for more
		} else {
			r.From = 0
			if err := e.gatherPiece(r.Buf, at, payload, n); err != nil {
				r.Err, flags = err, unreadable
			}
		}
		p.Kind, p.Flags, p.Ctx = piece, flags, r.Remote
		p.Data[0], p.Data[1], p.Data[2] = uint64(n), uint64(at), e.protocols.work(since)
		l.Publish(r.Peer, p, size)
		r.Moved += n
		sent = true
	}
	switch {
	case r.Pieces > 0 && r.Moved == r.Bytes:
		r.State = request.Lent
	case r.State == request.Fetched || r.Moved == r.Bytes:
		e.taken(r)
	default:
		r.State = request.Announced // the receiver says when it has the rest
	}
	return sent, true
}
