package p2p

import (
	"math/bits"

	"gompi/runtime/p2p/match"
	"gompi/runtime/tool"
)

// message is one that has come before its receive: what its first packet said.
type message struct {
	key   match.Key
	peer  int    // job rank of the sender
	bytes int64  // size
	send  uint32 // index of the send, where it waits for an answer
	addr  uintptr
	kind  messageKind
	sig   *signed // what it consists of, where that is checked
	since uint64  // when a blocking call announced it, by shm.Now; 0 for others
	spent uint64  // what it has taken to bring an eager one here and to buffer it, in ns
	sync  bool
	lost  bool // its data could not be read at the sender
}

type messageKind uint8

const (
	buffered messageKind = iota // the data was copied to unexpected.data
	inSender                    // the data lies at addr in the sender's memory
	inPieces                    // the data comes in pieces when it is asked for
)

// unexpected is a message in the queue.
type unexpected struct {
	message
	data  []byte
	nodes [match.Kinds]match.Node[unexpected]
	all   match.Node[unexpected]
	next  *unexpected // free list
	small bool        // it was announced, and might have been eager
	class int         // size class of data
}

// unexpectedQueue holds the messages that no receive was posted for. Each is filed under its exact key and,
// as soon as a receive or probe with wildcards of some kind has been seen, under the keys of that kind, so
// every look-up is one look-up.
type unexpectedQueue struct {
	n     int
	index [match.Kinds]match.Table[unexpected]
	built [match.Kinds]bool       // the index of a wildcard kind is kept; the exact one always is
	all   match.Table[unexpected] // all of them under one key, in the order in which they came
	free  [classes]*unexpected
	small int // messages that are small
}

// Size classes of buffered data: up to 64 bytes, then each four times the one before. Larger ones are not
// kept for reuse.
const (
	classes    = 6
	smallClass = 64
)

// classOf is the smallest class that holds n bytes; classes when none does.
func classOf(n int64) int {
	if n <= smallClass {
		return 0
	}
	return min((bits.Len64(uint64(n-1)>>6)+1)/2, classes)
}

// add files a message of which n bytes of data are to be kept.
func (q *unexpectedQueue) add(e *Engine, m message, n int64) *unexpected {
	u := q.get(n)
	u.message = m
	q.all.Add(match.Key{}, &u.all)
	q.index[match.Exact].Add(m.key, &u.nodes[match.Exact])
	for kind := match.WildSrc; kind < match.Kinds; kind++ {
		if q.built[kind] {
			q.index[kind].Add(m.key.Under(kind), &u.nodes[kind])
		}
	}
	q.n++
	e.countBuffered(u)
	e.countUnexpected(u, 1)
	e.completed = true // a thread may wait for it in a probe
	e.count.Unexpected++
	e.count.UnexpectedMost = max(e.count.UnexpectedMost, uint64(q.n))
	e.observe(tool.UnexpectedArrived, m.key.Src, m.key.Tag, m.key.Ctx, m.bytes)
	return u
}

// get is an entry with room for n bytes, used before or new.
func (q *unexpectedQueue) get(n int64) *unexpected {
	class := classOf(n)
	size := n
	if class < classes {
		if u := q.free[class]; u != nil {
			q.free[class], u.next = u.next, nil
			return u
		}
		size = smallClass << (2 * class)
	}
	u := &unexpected{class: class, data: make([]byte, size)}
	u.all.Item = u
	for kind := range u.nodes {
		u.nodes[kind].Item = u
	}
	return u
}

// firstUnexpected is the oldest unexpected message that pattern k matches, nil when there is none.
func (e *Engine) firstUnexpected(k match.Key) *unexpected {
	if e.endpoint.Offered > 0 {
		e.extendOffered()
	}
	if e.unexpected.n == 0 {
		return nil
	}
	return e.unexpected.first(k)
}

// first is the oldest message that pattern k matches, nil when there is none.
func (q *unexpectedQueue) first(k match.Key) *unexpected {
	kind := k.Kind()
	if kind != match.Exact && !q.built[kind] {
		q.build(kind)
	}
	if n := q.index[kind].First(k); n != nil {
		return n.Item
	}
	return nil
}

// build files all messages under the keys of a kind that is asked for for the first time.
func (q *unexpectedQueue) build(kind match.Kind) {
	q.built[kind] = true
	for n := q.all.First(match.Key{}); n != nil; n = n.Next() {
		q.index[kind].Add(n.Item.key.Under(kind), &n.Item.nodes[kind])
	}
}

// remove takes u out of the queue; put gives its memory back once its data is no longer needed.
func (q *unexpectedQueue) remove(e *Engine, u *unexpected) {
	q.all.Remove(&u.all)
	for kind := range u.nodes {
		if u.nodes[kind].Linked() {
			q.index[kind].Remove(&u.nodes[kind])
		}
	}
	q.n--
	e.setSmall(u, false)
	e.countUnexpected(u, minusOne)
}

const minusOne = ^uint32(0)

// countUnexpected tells the fast engine of a message in the queue, or that it is there no more (minusOne).
func (e *Engine) countUnexpected(u *unexpected, by uint32) {
	if e.isFar(u.peer) {
		e.endpoint.FarUnexpected += by
		return
	}
	e.endpoint.CountUnexpected(u.key.Ctx, u.key.Tag, by)
}

func (q *unexpectedQueue) put(e *Engine, u *unexpected) {
	e.uncountBuffered(u)
	if u.class < classes {
		u.next, q.free[u.class] = q.free[u.class], u
	}
}
