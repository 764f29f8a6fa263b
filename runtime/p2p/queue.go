package p2p

import (
	"slices"

	"gompi/runtime/request"
)

// outgoing is a packet that waits for room: the first one of a send (kind eager), the pieces of a send (kind piece),
// a request to take one back (kind withdraw), what there is to say about a partitioned send (kinds offered,
// validated and retracted), or an answer that names requests.
type outgoing struct {
	kind uint8
	r    *request.Request
	o    *offer
	a, b uint32
}

// outQueue holds the packets to one peer that found no room, oldest first.
type outQueue struct {
	items []outgoing
	head  int
}

func (q *outQueue) empty() bool { return q.head == len(q.items) }

func (q *outQueue) push(o outgoing) { q.items = append(q.items, o) }

// drop takes the first packet of r out of the queue, if it waits there.
func (q *outQueue) drop(r *request.Request) bool {
	for i := q.head; i < len(q.items); i++ {
		if o := &q.items[i]; o.kind == eager && o.r == r {
			q.items = slices.Delete(q.items, i, i+1)
			return true
		}
	}
	return false
}

func (q *outQueue) pop() {
	q.items[q.head] = outgoing{}
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
}

func (e *Engine) enqueue(peer int, o outgoing) {
	q := &e.out[peer]
	if q.empty() {
		e.busy = append(e.busy, peer)
		e.lane.Queued++
	}
	q.push(o)
}

// flush sends what waits for room as far as there is some now. It returns true when anything went out.
func (e *Engine) flush() (moved bool) {
	keep := e.busy[:0]
	for _, peer := range e.busy {
		q := &e.out[peer]
		for !q.empty() {
			sent, done := e.dispatch(peer, &q.items[q.head])
			moved = moved || sent
			if !done {
				break
			}
			q.pop()
		}
		if !q.empty() {
			keep = append(keep, peer)
		}
	}
	e.busy = keep
	e.lane.Queued = uint32(len(keep) + e.flow.holders)
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
	default:
		sent = e.tryAnswer(peer, o.kind, o.a, o.b)
		return sent, sent
	}
}

// answer sends a packet that only names requests: the peer's and, for ask, one of this rank.
func (e *Engine) answer(peer int, kind uint8, a, b uint32) {
	if !e.out[peer].empty() || !e.tryAnswer(peer, kind, a, b) {
		e.enqueue(peer, outgoing{kind: kind, a: a, b: b})
	}
}

func (e *Engine) tryAnswer(peer int, kind uint8, a, b uint32) bool {
	p, _ := e.net.Reserve(peer, 0)
	if p == nil {
		return false
	}
	p.Kind, p.Flags, p.Ctx, p.Tag = kind, 0, a, int32(b)
	e.net.Publish(peer, p, 0)
	return true
}

// push sends as many pieces of r as there is room for. done says that all have gone.
func (e *Engine) push(r *request.Request) (sent, done bool) {
	for r.Moved < r.Bytes {
		n := e.pieceSize(r)
		p, payload := e.net.Reserve(r.Peer, int(n))
		if p == nil {
			return sent, false
		}
		gather(r.Buf, r.Moved, payload, n)
		p.Kind, p.Flags, p.Ctx = piece, 0, r.Remote
		if p.InBulk() {
			p.Data[0] = uint64(n)
		}
		e.net.Publish(r.Peer, p, int(n))
		r.Moved += n
		sent = true
	}
	e.taken(r)
	return sent, true
}
