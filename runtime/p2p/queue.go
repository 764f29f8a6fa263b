package p2p

import (
	"math"
	"slices"

	"gompi/runtime/request"
)

// outgoing is a packet that waits for room: the first one of a send (kind eager), the pieces of a send (kind
// piece), an active message of another package, or an answer that names requests.
type outgoing struct {
	kind    uint8
	r       *request.Request
	x       ActiveMessage
	a, b, c uint32
	// ask: address of the receive's buffer, 0 when the sender is not to write there; withdraw: index of the
	// send
	word uint64
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

// queues are the packets that wait for room at their peers.
type queues struct {
	*core
	busy       []int // peers whose queue is not empty
	wasBusy    []int // memory for the next busy
	departures [kinds]departure
}

// departure sends a packet of one kind that has waited for room. done is false when it has to stay in the
// queue.
type departure func(peer int, o *outgoing) (sent, done bool)

func (q *queues) enqueue(peer int, o outgoing) {
	p := q.peers[peer]
	if p.failed {
		return // nobody will take it
	}
	if p.out.empty() {
		q.busy = append(q.busy, peer)
		q.endpoint.Queued++
		q.completed = true // a thread that sleeps has to wait for room there as well
	}
	p.out.push(o)
}

// idled takes a peer to whom nothing waits any more out of the list of those with queues.
func (q *queues) idled(peer int) {
	if i := slices.Index(q.busy, peer); i >= 0 {
		q.busy = slices.Delete(q.busy, i, i+1)
		q.endpoint.Queued = uint32(len(q.busy))
	}
}

// flush sends what waits for room as far as there is some now. It returns true when anything went out. A peer
// that takes packets as quickly as they go would be sent all of them, and not be heard when it says stop.
func (q *queues) flush() (moved bool) {
	busy := q.busy
	q.busy = q.wasBusy[:0] // what a message that goes out brings about may find no room in its turn
	for _, peer := range busy {
		out, most := &q.peers[peer].out, math.MaxInt
		if q.to(peer).flow == nil {
			most = unheardSends
		}
		for n := 0; n < most && !out.empty(); n++ {
			sent, done := q.departures[out.items[out.head].kind](peer, &out.items[out.head])
			moved = moved || sent
			if !done {
				break
			}
			out.pop()
		}
		if !out.empty() {
			q.busy = append(q.busy, peer)
		}
	}
	q.wasBusy = busy
	q.endpoint.Queued = uint32(len(q.busy))
	return moved
}

// answer sends a packet that only names requests: the peer's and one of this rank.
func (q *queues) answer(peer int, kind uint8, a, b, c uint32) {
	q.ask(peer, outgoing{kind: kind, a: a, b: b, c: c})
}

// ask sends an answer, or puts it into the queue.
func (q *queues) ask(peer int, o outgoing) {
	if !q.peers[peer].out.empty() || !q.tryAnswer(peer, &o) {
		q.enqueue(peer, o)
	}
}

func (q *queues) tryAnswer(peer int, o *outgoing) bool {
	l, n := q.to(peer), 0
	if o.kind == ask || o.kind == withdraw {
		n = controlSize
	}
	p, _ := l.Reserve(peer, n)
	if p == nil {
		return false
	}
	p.Kind, p.Flags, p.Ctx, p.Tag, p.Src = o.kind, 0, o.a, int32(o.b), int32(o.c)
	p.Data[0] = o.word
	l.Publish(peer, p, n)
	return true
}
