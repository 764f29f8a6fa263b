package partitioned

import (
	"slices"

	"gompi/runtime/fast"
	"gompi/runtime/p2p"
	"gompi/runtime/p2p/match"
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
	to    *receive  // the receive that has found it
}

// whole reports whether the data goes in one message, unless the sender says otherwise in a round.
func (o *offer) whole() bool { return o.small() || o.bytes > 0 && o.parts == 1 }

// small reports whether the data fits into one packet of the fast engine.
func (o *offer) small() bool { return o.bytes > 0 && o.bytes <= fast.MaxMessage }

// Space holds the partitioned operations of a process. It is used under the engine's lock.
type Space struct {
	engine *p2p.Engine
	me     int // job rank

	offers map[match.Key][]*offer   // in the order in which they came
	wanted map[match.Key][]*receive // in the order in which they were initialized
	taken  map[match.Key][]*offer   // matched, but may still be retracted

	next    uint32             // tag for the next partition
	wrapped bool               // tags have been used up once
	sends   map[*send]struct{} // whose tags are in use
}

// New is the space of a process, by its job rank. It takes the active messages of p2p.PartitionedRoom.
func New(e *p2p.Engine, me int) *Space {
	q := &Space{engine: e, me: me, offers: map[match.Key][]*offer{}, wanted: map[match.Key][]*receive{},
		taken: map[match.Key][]*offer{}, sends: map[*send]struct{}{}}
	e.AM.Handle(p2p.PartitionedRoom, q)
	return q
}

// partitionsOf is the space of the messages of partitions on a communicator whose messages go in x.
func partitionsOf(x *p2p.Context) p2p.Context {
	return p2p.Context{ID: x.ID | p2p.PartitionContexts, Rank: x.Rank, Size: x.Size, Peers: x.Peers}
}

// tags is the number of tags that messages of partitions have.
const tags = 1 << 31

// reserve gives s tags for its n partitions, which no other partitioned send of this rank uses; ok is false
// when there are not so many in a row.
func (q *Space) reserve(s *send, n uint32) (first uint32, ok bool) {
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
func (q *Space) want(s *receive) {
	if o := shift(q.offers, s.key); o != nil {
		q.join(o, s)
	} else {
		q.wanted[s.key] = append(q.wanted[s.key], s)
	}
}

func (q *Space) join(o *offer, s *receive) {
	o.to, s.from = s, o
	if !o.valid {
		q.taken[o.key] = append(q.taken[o.key], o)
	}
}

// arriveOffer deals with an offer.
func (q *Space) arriveOffer(o *offer) {
	s := shift(q.wanted, o.key)
	if s == nil {
		q.offers[o.key] = append(q.offers[o.key], o)
		return
	}
	q.join(o, s)
	q.resume(s)
}

// resume goes on with a receive that has found its offer, if it waits for it.
func (q *Space) resume(s *receive) {
	if r := s.r; r != nil && r.Active && !r.Done {
		q.engine.Ops.Resume(r)
	}
}

// find is the offer of a key with that first tag, and the list that it is in.
func (q *Space) find(k match.Key, base uint32) (*offer, map[match.Key][]*offer) {
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
func (q *Space) arriveValid(k match.Key, base uint32) {
	o, in := q.find(k, base)
	if o == nil {
		return // the receive has been freed
	}
	o.valid = true
	if o.to != nil {
		remove(in, k, o)
		q.resume(o.to)
	}
}

// arriveRetract deals with the news that an offer is void. A receive that had found it looks again, before
// all others of its kind, for it was initialized before them.
func (q *Space) arriveRetract(k match.Key, base uint32) {
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
	q.resume(s)
}

// leave is called when the request of a receive is given back.
func (q *Space) leave(s *receive) {
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
		q.resume(next)
	default:
		remove(q.taken, s.key, o)
	}
}

// What a notice says, in AMHeader.What. Words has the size in bytes, the number of partitions, the first tag
// and the user's tag.
const (
	offered   int32 = iota
	validated       // it was started for the first time
	retracted       // it was freed without ever having been started
)

// notify tells the receiver of an offer, or that it was started, or that it is void.
func (q *Space) notify(what int32, o *offer) {
	h := p2p.AMHeader{Room: p2p.PartitionedRoom, Ctx: o.key.Ctx, Src: o.key.Src, What: what,
		Words: [4]uint64{uint64(o.bytes), uint64(o.parts), uint64(o.base), uint64(o.key.Tag)}}
	if o.peer == q.me {
		q.Receive(o.peer, h, 0, 0)
	} else {
		q.engine.AM.PostNotice(o.peer, h)
	}
}

// Receive implements p2p.AMHandler.
func (q *Space) Receive(peer int, h p2p.AMHeader, _ uintptr, _ int64) {
	k := match.Key{Ctx: h.Ctx, Src: h.Src, Tag: int32(h.Words[3])}
	o := &offer{key: k, peer: peer, bytes: int64(h.Words[0]), parts: uint32(h.Words[1]),
		base: uint32(h.Words[2])}
	if o.bytes < 0 || h.Words[1]-1 >= tags || h.Words[2] >= tags || h.What < offered || h.What > retracted {
		q.engine.Malformed(peer, "a malformed packet: it offers %d bytes in %d partitions from tag %d on", o.bytes, h.Words[1], h.Words[2])
	}
	switch h.What {
	case offered:
		q.arriveOffer(o)
	case validated:
		q.arriveValid(k, o.base)
	default:
		q.arriveRetract(k, o.base)
	}
}
