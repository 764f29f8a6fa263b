package p2p

import (
	"slices"

	"gompi/runtime/p2p/match"
	"gompi/runtime/transport"
)

// Partitioned sends and receives find each other when they are initialized (MPI 5.0, 4.2.1): the sender
// offers its operation to the receiver, and offers meet initialized receives of the same communicator, source
// and tag in the order in which both were made. An operation that is freed without ever having been started
// takes no part in this: its offer is retracted, or its place among the receives given up, and a match that
// it had made is undone in favour of the next. So the receiver acts on a match only when the sender has said
// that the operation was started once.

// offer is a partitioned send as its receiver sees it.
type offer struct {
	key   match.Key // the user's communicator and tag, rank of the sender
	peer  int       // job rank of the other side
	bytes int64     // size of the whole message
	parts uint32    // number of partitions
	base  uint32    // tag of the first partition's message; the others follow
	valid bool      // has been started: it cannot be retracted any more
	to    *partRecv // the receive that has found it
}

// pairing is what a rank knows of partitioned operations that have not found each other.
type pairing struct {
	offers map[match.Key][]*offer    // in the order in which they came
	wanted map[match.Key][]*partRecv // in the order in which they were initialized
	taken  map[match.Key][]*offer    // matched, but may still be retracted

	next    uint32                 // tag for the next partition
	wrapped bool                   // tags have been used up once
	sends   map[*partSend]struct{} // whose tags are in use
}

func (q *pairing) init() {
	if q.offers == nil {
		q.offers = map[match.Key][]*offer{}
		q.wanted = map[match.Key][]*partRecv{}
		q.taken = map[match.Key][]*offer{}
		q.sends = map[*partSend]struct{}{}
	}
}

// tags is the number of tags that messages of partitions have.
const tags = 1 << 31

// reserve gives s tags for its n partitions, which no other partitioned send of this rank uses; ok is false
// when there are not so many in a row.
func (q *pairing) reserve(s *partSend, n uint32) (first uint32, ok bool) {
	q.init()
	first = q.next
	fromBegin := false
	for clash := true; clash; {
		if first+n > tags {
			if fromBegin {
				return 0, false
			}
			first, q.wrapped, fromBegin = 0, true, true
		}
		clash = false
		if q.wrapped {
			for o := range q.sends {
				if first < o.offer.base+o.offer.parts && o.offer.base < first+n {
					first, clash = o.offer.base+o.offer.parts, true
				}
			}
		}
	}
	q.next = first + n
	q.sends[s] = struct{}{}
	return first, true
}

// shift takes the first element out of the list under k, nil when there is none.
func shift[T any](m map[match.Key][]*T, k match.Key) *T {
	l := m[k]
	if len(l) == 0 {
		return nil
	}
	remove(m, k, l[0])
	return l[0]
}

func remove[T any](m map[match.Key][]*T, k match.Key, x *T) bool {
	l := m[k]
	i := slices.Index(l, x)
	switch {
	case i < 0:
		return false
	case len(l) == 1:
		delete(m, k)
	case i == 0:
		m[k] = l[1:]
	default:
		m[k] = slices.Delete(slices.Clone(l), i, i+1)
	}
	return true
}

func unshift[T any](m map[match.Key][]*T, k match.Key, x *T) {
	m[k] = slices.Insert(slices.Clone(m[k]), 0, x)
}

// want has a receive that was initialized find its offer, at once or when it comes.
func (q *pairing) want(s *partRecv) {
	q.init()
	if o := shift(q.offers, s.key); o != nil {
		q.join(o, s)
	} else {
		q.wanted[s.key] = append(q.wanted[s.key], s)
	}
}

func (q *pairing) join(o *offer, s *partRecv) {
	o.to, s.from = s, o
	if !o.valid {
		q.taken[o.key] = append(q.taken[o.key], o)
	}
}

// arriveOffer deals with an offer.
func (e *Engine) arriveOffer(o *offer) {
	q := &e.pairs
	q.init()
	s := shift(q.wanted, o.key)
	if s == nil {
		q.offers[o.key] = append(q.offers[o.key], o)
		return
	}
	q.join(o, s)
	e.resume(s)
}

// resume goes on with a receive that has found its offer, if it waits for it.
func (e *Engine) resume(s *partRecv) {
	if r := s.r; r != nil && r.Active && !r.Done {
		e.advance(r)
	}
}

// find is the offer of a key with that first tag, and the list that it is in.
func (q *pairing) find(k match.Key, base uint32) (*offer, map[match.Key][]*offer) {
	for _, m := range [...]map[match.Key][]*offer{q.offers, q.taken} {
		for _, o := range m[k] {
			if o.base == base {
				return o, m
			}
		}
	}
	return nil, nil
}

// arriveValid deals with the news that an offered operation has been started.
func (e *Engine) arriveValid(k match.Key, base uint32) {
	q := &e.pairs
	o, in := q.find(k, base)
	if o == nil {
		return // the receive has been freed
	}
	o.valid = true
	if o.to != nil {
		remove(in, k, o)
		e.resume(o.to)
	}
}

// arriveRetract deals with the news that an offer is void. A receive that had found it looks again, before
// all others of its kind, for it was initialized before them.
func (e *Engine) arriveRetract(k match.Key, base uint32) {
	q := &e.pairs
	o, in := q.find(k, base)
	if o == nil {
		return
	}
	remove(in, k, o)
	s := o.to
	if s == nil {
		return
	}
	if s.from = nil; len(q.offers[k]) == 0 {
		unshift(q.wanted, k, s)
		return
	}
	q.join(shift(q.offers, k), s)
	e.resume(s)
}

// leave is called when the request of a receive is given back.
func (q *pairing) leave(e *Engine, s *partRecv) {
	o := s.from
	switch {
	case o == nil:
		remove(q.wanted, s.key, s)
	case !s.started: // the offer is for the next one
		remove(q.taken, s.key, o)
		if o.to, s.from = nil, nil; len(q.wanted[o.key]) == 0 {
			unshift(q.offers, o.key, o)
			return
		}
		next := shift(q.wanted, o.key)
		q.join(o, next)
		e.resume(next)
	default:
		remove(q.taken, s.key, o)
	}
}

// notify tells the receiver of an offer, or that it was started, or that it is void.
func (e *Engine) notify(kind uint8, o *offer) {
	switch {
	case o.peer != e.me:
		if !e.peers[o.peer].out.empty() || !e.tryNotify(kind, o) {
			e.enqueue(o.peer, outgoing{kind: kind, o: o})
		}
	case kind == offered:
		own := *o
		e.arriveOffer(&own)
	case kind == validated:
		e.arriveValid(o.key, o.base)
	default:
		e.arriveRetract(o.key, o.base)
	}
}

func (e *Engine) tryNotify(kind uint8, o *offer) bool {
	l := e.to(o.peer)
	p, _ := l.Reserve(o.peer, controlSize)
	if p == nil {
		return false
	}
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = kind, 0, o.key.Ctx, o.key.Src, o.key.Tag
	p.Data[0], p.Data[1] = uint64(o.bytes), uint64(o.parts)<<32|uint64(o.base)
	l.Publish(o.peer, p, controlSize)
	return true
}

// arriveNotice deals with a packet of tryNotify.
func (e *Engine) arriveNotice(peer int, p *transport.Packet, _ uintptr) {
	k := match.Key{Ctx: p.Ctx, Src: p.Src, Tag: p.Tag}
	base := uint32(p.Data[1])
	switch p.Kind {
	case offered:
		o := &offer{key: k, peer: peer, bytes: int64(p.Data[0]), parts: uint32(p.Data[1] >> 32), base: base}
		if o.bytes < 0 || o.parts-1 >= tags || base >= tags {
			e.Malformed(peer, "a malformed packet: it offers %d bytes in %d partitions from tag %d on", o.bytes, o.parts, base)
		}
		e.arriveOffer(o)
	case validated:
		e.arriveValid(k, base)
	case retracted:
		e.arriveRetract(k, base)
	}
}
