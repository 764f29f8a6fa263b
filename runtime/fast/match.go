package fast

import "sync/atomic"

// Bin is the posted receives and unexpected messages with a context and tag that lead to it. Receives
// posted here stand in it as requests, oldest first; of those in package p2p it knows the number. The last
// bin is for receives with any tag, and counts all messages, so what can match a message or a receive with
// a tag is in two bins.
//
// Of a receive in package p2p and one here that one message could match, the one in package p2p was posted
// first.
type Bin struct {
	First, Last uint32 // requests
	Waiting     uint32 // receives posted in package p2p
	Unexpected  uint32 // messages unexpected in package p2p
}

// Bins is how many bins there are.
const (
	Bins      = 1<<binBits + 1
	binBits   = 6
	binShift  = 32 - binBits
	binFactor = 0x61c88647 // the golden ratio spreads tags over the bins
)

// longBin is with how many receives of a bin a message is compared at most. Package p2p needs less time for
// more.
const longBin = 64

// BinOf is the bin of what has that context and tag.
func (e *Endpoint) BinOf(ctx uint32, tag int32) *Bin {
	if tag == AnyTag {
		return e.AnyBin()
	}
	return &e.Bins[(uint32(tag)+31*ctx)*binFactor>>binShift]
}

// AnyBin is the bin of receives with any tag.
func (e *Endpoint) AnyBin() *Bin { return &e.Bins[Bins-1] }

// forEngine reports whether a receive has to be posted in package p2p, which may have a message for it.
func (e *Endpoint) forEngine(c *Comm, tag int32) bool {
	return e.Waiting != 0 && (e.Watched != 0 || e.BinOf(c.Ctx, tag).Unexpected != 0)
}

// matches reports whether a receive is for a message of that context, source and tag.
func (r *Request) matches(ctx uint32, src, tag int32) bool {
	return r.Ctx == ctx && (r.Src == src || r.Src == AnySource) && (r.Tag == tag || r.Tag == AnyTag)
}

// position is where a posted receive stands in a bin.
type position struct {
	bin    *Bin
	at     uint32 // NoRequest when there is none, tooMany when longBin receives have been compared
	before uint32 // the one ahead of it; NoRequest when it is the first
}

const tooMany = NoRequest - 1

// oldestIn is the oldest receive of a bin that a message matches.
//
//fast:hot
func (e *Endpoint) oldestIn(bin *Bin, ctx uint32, src, tag int32) position {
	p := position{bin: bin, at: bin.First, before: NoRequest}
	for compared := uint32(0); p.at != NoRequest; compared++ {
		if compared == longBin {
			p.at = tooMany
			break
		}
		r := e.Request(p.at)
		if r.matches(ctx, src, tag) {
			break
		}
		p.before = p.at
		p.at = r.Next
	}
	return p
}

// oldest is the oldest posted receive that a message matches.
//
//fast:hot
func (e *Endpoint) oldest(bin *Bin, ctx uint32, src, tag int32) position {
	p := e.oldestIn(bin, ctx, src, tag)
	wild := e.AnyBin()
	if wild.First != NoRequest && p.at != tooMany {
		q := e.oldestIn(wild, ctx, src, tag)
		if q.at == tooMany || q.at != NoRequest &&
			(p.at == NoRequest || e.Request(q.at).Order < e.Request(p.at).Order) {
			return q
		}
	}
	return p
}

// positionOf is where posted receive r stands.
func (e *Endpoint) positionOf(r *Request) position {
	bin := e.BinOf(r.Ctx, r.Tag)
	p := position{bin: bin, at: bin.First, before: NoRequest}
	for e.Request(p.at) != r {
		p.before = p.at
		p.at = e.Request(p.at).Next
	}
	return p
}

// take takes a posted receive out of its bin.
func (e *Endpoint) take(p *position) {
	next := e.Request(p.at).Next
	if p.before == NoRequest {
		p.bin.First = next
	} else {
		e.Request(p.before).Next = next
	}
	if next == NoRequest {
		p.bin.Last = p.before
	}
	e.Posted--
}

// post posts a receive as the first free request, which there is.
//
//fast:hot
func (e *Endpoint) post(c *Comm, buf uintptr, room uint32, source, tag int32) *Request {
	i := e.Free
	r := e.firstFree()
	bin := e.BinOf(c.Ctx, tag)
	r.State = Posted
	r.Next = NoRequest
	r.Ctx = c.Ctx
	r.Src = source
	r.Tag = tag
	r.Self = c.Rank
	r.Buf = buf
	r.Size = uint64(room)
	r.Pair = 0
	r.Order = e.Postings
	e.Postings++
	if bin.First == NoRequest {
		bin.First = i
	} else {
		e.Request(bin.Last).Next = i
	}
	bin.Last = i
	e.Posted++
	return r
}

// step is how one step of progress ended.
type step int32

const (
	idle     step = iota // there was nothing to do
	advanced             // something was done
	engine               // what has come is for package p2p
)

// eager and named are the kind and the flag of packets that this package deals with; see package p2p.
const (
	eager = 1
	named = 2 // the packet names its send, which may be cancelled
)

// incoming is what this package needs of a packet. Its sender can change what stands in shared memory at any
// time, so every field is read once.
type incoming struct {
	data     uintptr // size bytes in the ring
	size     uint32  // otherPacket when it is no message for this package
	ctx      uint32
	src, tag int32
}

// otherPacket is the size of what is no message for this package, malformed ones included: package p2p says
// what is wrong.
const otherPacket uint32 = 1<<32 - 1

// read reads a packet of a peer.
//
//fast:hot
func (p *Peer) read(s *Slot) incoming {
	head := s.head()
	m := incoming{data: s.data(), size: head >> 16, ctx: atomic.LoadUint32(&s.Ctx),
		src: atomic.LoadInt32(&s.Src), tag: atomic.LoadInt32(&s.Tag)}
	if unlikely(head&(0xffff^named<<8) != eager) {
		m.size = otherPacket
	} else if m.size > InlineSize {
		size := atomic.LoadUint64(&s.Data[0])
		at := uint64(atomic.LoadUint32(&s.Bulk))
		if m.size != InBulk || size <= InlineSize || size > MaxMessage || at > bulkSize-size {
			m.size = otherPacket
		} else {
			m.size = uint32(size)
			m.data = p.Rx.bulk + uintptr(at)
		}
	}
	return m
}

// deliver copies a message to a receive's memory and gives its slot back.
//
//fast:hot
func (p *Peer) deliver(m *incoming, buf uintptr) {
	move(buf, m.data, m.size)
	if p.Rx.Release(m.size > bulkSize/8/ConsumedBatch) {
		p.Ring()
	}
}

// head is the next packet of the active peer whose turn it is, nil when it has none; nothing of it is taken.
func (e *Endpoint) head() *Slot {
	if e.Turn >= e.Active {
		e.Turn = 0
	}
	return e.Peer(e.ActivePeer(e.Turn)).Rx.next()
}

// current is the peer whose turn it is.
func (e *Endpoint) current() *Peer { return e.Peer(e.ActivePeer(e.Turn)) }

// offer gives a message to the oldest posted receive that it matches; idle when there is none. One that is
// posted in package p2p comes first.
//
//fast:hot
func (e *Endpoint) offer(peer *Peer, m *incoming) step {
	bin := e.BinOf(m.ctx, m.tag)
	if m.size == otherPacket || (bin.Waiting|e.AnyBin().Waiting) != 0 {
		return engine
	}
	p := e.oldest(bin, m.ctx, m.src, m.tag)
	if p.at == NoRequest {
		return idle
	}
	if p.at == tooMany {
		return engine
	}
	r := e.Request(p.at)
	if uint64(m.size) > r.Size {
		return engine
	}
	e.take(&p)
	r.State = Received
	r.Src = m.src
	r.Tag = m.tag
	r.Size = uint64(m.size)
	peer.deliver(m, r.Buf)
	return advanced
}

// progress deals with the collective operations that wait, and with the next packet for which there is a
// receive. A message without one stays in its ring as long as it is alone there: it is for a receive that
// is posted later, by a neighbour that is a step ahead, as a rule.
func (e *Endpoint) progress() step {
	if e.Collectives != 0 {
		s := e.collProgress()
		if s != idle {
			return s
		}
	}
	if (e.Watched | e.Queued) != 0 {
		return engine
	}
	for range e.Active {
		slot := e.head()
		if slot != nil {
			peer := e.current()
			m := peer.read(slot)
			s := e.offer(peer, &m)
			if s != idle {
				return s
			}
			if peer.Rx.More() {
				return engine
			}
		}
		e.Turn++
	}
	if e.Connecting() {
		return engine
	}
	return idle
}
