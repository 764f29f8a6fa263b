package p2p

import (
	"math/bits"

	"gompi/runtime/request"
	"gompi/runtime/tool"
	"gompi/runtime/tune"
	"gompi/shm"
)

// A message goes by one of these protocols. The sender sends it whole (eager), or announces it. The data of a
// message that was announced comes by one of the others, which the receiver chooses:
//
//	read       the receiver copies all of it out of the sender's memory, by the kernel
//	pipeline   the sender copies pieces into the ring, and the receiver out of it at the same time
//	both       both sides copy parts of it by the kernel: the receiver reads, the sender writes
//	network    the sender sends pieces in packets, to a peer that has no memory in common with it
//	zero-copy  the same, out of the program's memory; the sender chooses between the two
//
// Which is the quickest depends on the processor, on where the two ranks are on it, and on what else it has
// to do. So the receiver measures what each takes. Only read needs no help: it is taken for a sender that is
// not in MPI. Only the pipeline needs no single copy, and is taken for data with gaps at the sender.
const (
	readProtocol     = tool.RendezvousRead
	pipelineProtocol = tool.RendezvousPipeline
	bothProtocol     = tool.RendezvousBoth
	networkProtocol  = tool.RendezvousNetwork
	zeroCopyProtocol = networkProtocol + 1
	protocolCount    = zeroCopyProtocol + 1
)

// protocol is one row of the table of protocols. What it has no need of is nil.
type protocol struct {
	usable func(x terms) bool // whether the data of a message can come by it
	// begin has the receiver begin to get the data of a message; done when it has come already.
	begin func(r *request.Request, m message) (done bool)
	// take takes a part of what is under way, when there is no packet to deal with. It returns true when
	// there is something to do, here or for the caller.
	take func() bool
	end  func(r *request.Request) // ends the receiver's part, when all has come or nothing more is to come
	// piece sends the next piece of a message, of at most most bytes where they need room in the ring. room
	// is false when there is none now. sent is false as well when there is nothing more to send.
	piece func(l *link, r *request.Request, most int64) (sent, room bool)
}

// setProtocols fills in the table.
func (e *Engine) setProtocols() {
	e.table = [protocolCount]protocol{
		readProtocol: {usable: usableRead, begin: e.beginRead},
		pipelineProtocol: {usable: usablePipeline, begin: e.beginPipeline, take: e.takePipeline,
			end: e.endCopy, piece: e.sendRingPiece},
		bothProtocol: {usable: usableBoth, begin: e.beginBoth, take: e.takeBoth,
			end: e.endCopy, piece: e.writePart},
		networkProtocol:  {usable: usableNetwork, begin: e.beginNetwork, piece: e.sendPacket},
		zeroCopyProtocol: {piece: e.sendFromProgram},
	}
}

// terms are what decides which protocols are usable for a message.
type terms struct {
	wanted  int64 // bytes
	packets bool  // the peer has no memory in common with this rank
	direct  bool  // the data can be read in the sender's memory, where it lies in one run
	shared  bool  // the sender is in MPI, and one more copy can be under way that both sides carry out
	whole   bool  // all of the message is wanted
	flat    bool  // in one run
	oneWay  bool  // data goes one way
}

// usable is the protocols that are usable, a bit for each.
func (p *protocols) usable(x terms) (all uint8) {
	for i := range p.table {
		if u := p.table[i].usable; u != nil && u(x) {
			all |= 1 << i
		}
	}
	return all
}

// usableFor is the protocols by which messages of a kind of traffic can come from a sender in MPI.
func (p *protocols) usableFor(flat, whole bool, t *direction) uint8 {
	return p.usable(terms{wanted: 1, direct: true, shared: true, flat: flat, whole: whole,
		oneWay: t == &p.directions[0]})
}

// choose chooses the protocol for message m of which n bytes are wanted. room says that one more copy can be
// under way that both sides carry out.
func (p *protocols) choose(r *request.Request, m *message, n int64, room bool) {
	l := p.to(m.peer)
	t := p.direction(n, p.endpoint.Sending > 0)
	x := terms{wanted: n, packets: l.sharer == nil, direct: m.kind == inSender && l.reach(m.peer) != nil,
		shared: room && l.isInside(m.peer), whole: n == m.bytes, flat: r.Buf.Contiguous(),
		oneWay: p.pinned != 0 || t == &p.directions[0]}
	if r.Choice = nil; p.pinned == 0 && x.direct && n > 0 {
		r.Choice = t.choices.Of(n)
		x.shared = x.shared || room && p.comesBack(m.peer, r.Choice, n, x)
		r.Since, r.Spent = shm.Now(), 0
	}
	switch all := p.usable(x); {
	case all&(all-1) == 0:
		r.Protocol = uint8(bits.TrailingZeros8(all))
	case p.pinned != 0 && all>>p.pinned&1 != 0:
		r.Protocol = uint8(p.pinned)
	case p.pinned != 0:
		r.Protocol = pipelineProtocol
	case t.mayBeEager(n):
		r.Protocol = t.announced(n, all)
	default:
		r.Protocol = uint8(r.Choice.Pick(all, pipelineProtocol))
	}
	if r.Choice != nil && m.time != 0 && t.mayBeEager(n) && !p.crowded {
		r.Spent = r.Since - min(max(m.time, p.until), r.Since)
		r.Since -= r.Spent
	}
	p.count.Fetched[r.Protocol-1]++
	p.count.Chosen[p.why(&x, m, room)]++
}

// The sender of a message is waited for as long as this part of the time that its help saves, and no longer
// than mostAway in ns: one that is between two calls is back by then.
const (
	waitedPart = 1.0 / 2
	mostAway   = 10_000
)

// comesBack waits for a sender that is not in MPI, and reports whether it is now: one that has begun a send
// often waits for its end next. After waits in vain, fewer of its messages are waited for.
func (p *protocols) comesBack(peer int, c *tune.Choice, n int64, x terms) bool {
	q, l := p.peers[peer], p.to(peer)
	if p.crowded || l.sharer == nil {
		return false
	}
	if q.passes > 0 {
		q.passes--
		return false
	}
	x.shared = true
	most := min(waitedPart*float64(n)*c.Saves(p.usable(x), readProtocol), mostAway)
	for since := shm.Now(); float64(shm.Now()-since) < most; {
		if l.isInside(peer) {
			q.vain = 0
			return true
		}
		p.waiter.Spin(0)
	}
	if most > 0 {
		q.vain = min(q.vain+1, 7)
		q.passes = 1<<q.vain - 1
	}
	return false
}

// why is the reason for a choice.
func (p *protocols) why(x *terms, m *message, room bool) tool.Cause {
	switch {
	case x.wanted == 0:
		return tool.NoData
	case x.packets:
		return tool.NoSharedMemory
	case m.kind != inSender:
		return tool.GapsAtSender
	case !x.direct:
		return tool.NoSingleCopy
	case !room:
		return tool.ManyCopies
	case !x.shared:
		return tool.SenderAway
	case p.pinned != 0:
		return tool.BySetting
	}
	return tool.Measured
}
