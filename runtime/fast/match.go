package fast

import "sync/atomic"

// Bin is the posted receives whose keys (context, source and tag, each as the receive wants it) lead to it,
// oldest first. They are requests. Last says nothing where there is no First. A key with a wildcard is a key
// like any other, so what can match a message is in four bins at most, and in one as long as nobody has
// posted a wildcard.
type Bin struct{ First, Last uint32 }

// Matcher is the table of posted receives.
type Matcher struct {
	RequestTable
	Bins                  *Bin   // of posted receives
	BinShift              uint32 // there are 1<<(32-BinShift) bins
	Posted                uint32 // posted receives
	MostPosted            uint32 // of them until there have to be more bins
	Wild                  uint32 // posted receives with a wildcard
	WildSources, WildTags uint32 // those of them from anybody with one tag, and from one rank with any tag
	TypedPosted           uint32 // posted receives that name the record of a datatype
	FarPosted             uint32 // posted receives whose message may come from other nodes
	Postings              uint64 // receives posted so far
}

// FirstBins is how many bins there are at first. Package p2p doubles them when there are more than binLoad
// receives for each.
const (
	FirstBins = 64
	binLoad   = 2
	mostBins  = 1 << 20
	binFactor = 0x61c88647 // the golden ratio spreads keys over the bins
)

const minusOne uint32 = 1<<32 - 1

// counted reports whether a posted receive is one of those that are counted: those with a wildcard or a
// datatype with gaps, and those whose message may come from far.
func (r *Request) counted() bool { return uint32(r.Src|r.Tag)|r.Flags >= Typed }

// count counts such a receive, or one that is not posted any more (minusOne).
func (m *Matcher) count(r *Request, by uint32) {
	if r.Flags&FarReceive != 0 {
		m.FarPosted += by
	}
	if r.Flags&Typed != 0 {
		m.TypedPosted += by
	}
	if !r.wild() {
		return
	}
	m.Wild += by
	if r.Src != AnySource {
		m.WildTags += by
	} else if r.Tag != AnyTag {
		m.WildSources += by
	}
}

// binOf is where receives with a key stand.
//
//fast:hot
func (m *Matcher) binOf(ctx uint32, src, tag int32) *Bin {
	return m.BinAt(shiftRight(spread(ctx, src, tag), m.BinShift))
}

// spread is a number whose highest bits are the bin of a key.
func spread(ctx uint32, src, tag int32) uint32 {
	return (uint32(tag) + 31*ctx + 0x9e5*uint32(src)) * binFactor
}

// isFar reports whether the message of a receive from source may come from another node or job.
func (c *Comm) isFar(source int32) bool { return source == AnySource && c.Flags&CommFar != 0 }

// firstIn is the oldest posted receive with a key, which leads to that bin; NoRequest when there is none.
//
//fast:hot
func (m *Matcher) firstIn(bin *Bin, ctx uint32, src, tag int32) uint32 {
	at := bin.First
	for at != NoRequest {
		r := m.Request(at)
		if r.Ctx == ctx && r.Src == src && r.Tag == tag {
			break
		}
		at = r.Next
	}
	return at
}

// older is the one of two posted receives that was posted first. Each may be NoRequest.
func (m *Matcher) older(i, j uint32) uint32 {
	if i == NoRequest || j != NoRequest && m.Request(j).Order < m.Request(i).Order {
		return j
	}
	return i
}

// oldest is the oldest posted receive that a message matches; NoRequest when there is none.
//
//fast:hot
func (m *Matcher) oldest(ctx uint32, src, tag int32) uint32 {
	return m.oldestFrom(m.binOf(ctx, src, tag), ctx, src, tag)
}

// oldestFrom is oldest for a message whose key leads to that bin.
//
//fast:hot
func (m *Matcher) oldestFrom(bin *Bin, ctx uint32, src, tag int32) uint32 {
	at := m.firstIn(bin, ctx, src, tag)
	if m.Wild != 0 {
		at = m.oldestWild(at, ctx, src, tag)
	}
	return at
}

// firstWith is the oldest posted receive with a key; NoRequest when there is none.
func (m *Matcher) firstWith(ctx uint32, src, tag int32) uint32 {
	return m.firstIn(m.binOf(ctx, src, tag), ctx, src, tag)
}

// oldestWild is the oldest of receive at and those with wildcards.
func (m *Matcher) oldestWild(at, ctx uint32, src, tag int32) uint32 {
	if m.WildSources != 0 {
		wild := m.firstWith(ctx, AnySource, tag)
		at = m.older(at, wild)
	}
	if m.WildTags != 0 {
		wild := m.firstWith(ctx, src, AnyTag)
		at = m.older(at, wild)
	}
	if m.Wild != m.WildSources+m.WildTags {
		wild := m.firstWith(ctx, AnySource, AnyTag)
		at = m.older(at, wild)
	}
	return at
}

// wild reports whether a receive has a wildcard.
func (r *Request) wild() bool { return r.Src|r.Tag < 0 }

// Unpost takes a posted receive out of its bin. Its key is still that with which it was posted.
func (m *Matcher) Unpost(r *Request) { m.unpostFrom(m.binOf(r.Ctx, r.Src, r.Tag), r) }

// unpostFrom takes a posted receive out of that bin.
//
//fast:hot
func (m *Matcher) unpostFrom(bin *Bin, r *Request) {
	if bin.First == m.index(r) {
		bin.First = r.Next
	} else {
		m.Request(r.Prev).Next = r.Next
		if r.Next == NoRequest {
			bin.Last = r.Prev
		} else {
			m.Request(r.Next).Prev = r.Prev
		}
	}
	m.Posted--
	if r.counted() {
		m.count(r, minusOne)
	}
}

// addLast adds a receive to a bin as the youngest.
//
//fast:hot
func (m *Matcher) addLast(bin *Bin, r *Request) {
	i := m.index(r)
	r.Next = NoRequest
	if bin.First == NoRequest {
		bin.First = i
	} else {
		r.Prev = bin.Last
		m.Request(bin.Last).Next = i
	}
	bin.Last = i
}

// Post puts a receive, whose key and flags are set, behind those that were posted before. Few enough are.
//
//fast:hot
func (e *Endpoint) Post(r *Request, state uint32) {
	bin := e.binOf(r.Ctx, r.Src, r.Tag)
	r.State = state
	r.Order = e.Postings
	e.Postings++
	e.addLast(bin, r)
	e.Posted++
	if r.counted() {
		e.count(r, 1)
		if r.Flags&FarReceive != 0 {
			atomic.StoreUint32(&e.FarActive, 1)
		}
	}
}

// postNew posts a receive as the first free request, which there is. t is nil for data without gaps.
//
//fast:hot
func (e *Endpoint) postNew(c *Comm, buf uintptr, t *Type, room uint32, source, tag int32) *Request {
	r := e.firstFree()
	r.Ctx = c.Ctx
	r.Src = source
	r.Tag = tag
	r.Self = c.Rank
	r.Buf = buf
	r.Size = uint64(room)
	r.Flags = 0
	if c.isFar(source) {
		r.Flags = FarReceive
	}
	if unlikely(t != nil) {
		r.Flags |= Typed
		r.Peer = uint32(t.Handle)
	}
	e.Post(r, Posted)
	return r
}

// TakeMatching takes the oldest receive out of its bin that a message matches; NoRequest when there is none.
// The receives of blocking calls go back to the threads that wait in them: other threads than the caller, so
// nothing says which receive comes first (MPI 5.0, 3.5).
func (m *Matcher) TakeMatching(ctx uint32, src, tag int32) uint32 {
	for m.Posted > 0 {
		i := m.oldest(ctx, src, tag)
		if i == NoRequest {
			break
		}
		r := m.Request(i)
		m.Unpost(r)
		if r.Flags&InCall == 0 {
			return i
		}
		r.State = Returned
	}
	return NoRequest
}

// step is how one step of progress ended.
type step int32

const (
	idle     step = iota // there was nothing to do
	advanced             // something was done
	engine               // what has come is for package p2p
)

// The kinds and the flags of packets that this package deals with, as they stand in a head; see package p2p.
const (
	eager       uint32 = 1
	fetched     uint32 = 3
	synchronous uint32 = 1 << 8 // the sender waits for the answer that the receive has been found
	named       uint32 = 2 << 8 // the packet names its send, which may be cancelled
)

// incoming is what this package needs of a packet. Its sender can change what stands in shared memory at any
// time, so every field is read once.
type incoming struct {
	data     uintptr // size bytes in the ring
	size     uint32  // otherPacket when it is no message for this package
	ctx      uint32
	src, tag int32
	head     uint32 // kind, flags and size
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
		src: atomic.LoadInt32(&s.Src), tag: atomic.LoadInt32(&s.Tag),
		head: head}
	if unlikely(head&(0xffff^named^synchronous) != eager) {
		m.size = otherPacket
	} else if m.size > InlineSize {
		size := atomic.LoadUint64(&s.Data[0])
		at := atomic.LoadUint32(&s.Bulk)
		if m.size != InBulk || size <= InlineSize || size > MaxBulk || !p.Rx.holds(at, uint32(size)) ||
			size > MaxMessage && (head&synchronous != 0 || atomic.LoadUint64(&s.Data[2]) != Growing) {
			m.size = otherPacket
		} else {
			m.size = uint32(size)
			m.data = p.Rx.bulk + uintptr(at)
		}
	}
	return m
}

// sendOf is the number that the next packet names its send by, where its flags say that it does.
func (p *Peer) sendOf(m *incoming) uint32 {
	s := p.Rx.next()
	if m.size <= InlineSize {
		return atomic.LoadUint32(&s.Bulk)
	}
	return uint32(atomic.LoadUint64(&s.Data[1]))
}

// deliver copies a message to a receive's memory and gives its slot back.
//
//fast:hot
func (p *Peer) deliver(m *incoming, buf uintptr) {
	move(buf, m.data, m.size)
	p.release(m)
}

// release gives the slot of a message back.
//
//fast:hot
func (p *Peer) release(m *incoming) {
	if p.Rx.Release(m.size > bulkSize/8/ConsumedBatch) {
		p.Ring()
	}
}

// offer gives a message to the oldest posted receive that it matches; idle when there is none. Of other
// packets it deals with the answers to synchronous sends.
//
//fast:hot
func (e *Endpoint) offer(peer *Peer, m *incoming) step {
	if m.size == otherPacket {
		return e.found(peer, m)
	}
	bin := e.binOf(m.ctx, m.src, m.tag)
	at := e.oldestFrom(bin, m.ctx, m.src, m.tag)
	if at == NoRequest {
		return idle
	}
	r := e.Request(at)
	if r.State != Posted || uint64(m.size) > r.Size {
		return engine
	}
	if unlikely((r.Flags&(Typed|Partitioned) | m.head&synchronous) != 0) {
		return e.offerOther(peer, m, r)
	}
	if unlikely(m.size > MaxMessage) {
		return offerLong(e, peer, m, r)
	}
	if r.wild() {
		e.Unpost(r)
	} else {
		e.unpostFrom(bin, r)
	}
	r.receive(m.src, m.tag, m.size)
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
				return e.keepPacket(peer, &m)
			}
		}
		e.Turn++
	}
	if e.Connecting() {
		return engine
	}
	return idle
}
