package p2p

import (
	"slices"

	"gompi/runtime/transport"
	"gompi/shm"
)

// link is a provider with what it offers beyond the core: nil for what it does not.
type link struct {
	transport.Provider
	flow   transport.FlowControl
	reader transport.Reader
	sharer transport.Sharer
	remote transport.Remote
	lender transport.Lender
	most   int64 // the largest payload of its packets in bytes
	eager  int64 // the largest message that it carries with the header, in bytes
}

func newLink(p transport.Provider) link {
	l := link{Provider: p, most: int64(p.MaxPayload())}
	l.flow, _ = p.(transport.FlowControl)
	l.reader, _ = p.(transport.Reader)
	l.sharer, _ = p.(transport.Sharer)
	l.remote, _ = p.(transport.Remote)
	if l.lender, _ = p.(transport.Lender); l.lender != nil && !l.lender.Lends() {
		l.lender = nil
	}
	return l
}

// read is transport.Reader.Read.
func (l *link) read(peer int, dst, src uintptr, n int64) error {
	if l.reader == nil {
		return transport.ErrNoRead
	}
	return l.reader.Read(peer, dst, src, n)
}

// reach is transport.Sharer.Reach.
func (l *link) reach(peer int) *shm.Process {
	if l.sharer == nil {
		return nil
	}
	return l.sharer.Reach(peer)
}

// isInside is transport.Sharer.IsInside.
func (l *link) isInside(peer int) bool { return l.sharer != nil && l.sharer.IsInside(peer) }

// offer is transport.Sharer.Offer.
func (l *link) offer(peer int) uint32 {
	if l.sharer == nil {
		return 0
	}
	return l.sharer.Offer(peer)
}

// inside tells all peers whether this rank waits; see transport.Sharer.
func (e *Engine) inside(on bool) {
	for i := range e.links {
		if s := e.links[i].sharer; s != nil {
			s.Inside(on)
		}
	}
}

// setEager has messages of up to n bytes travel with their header, where the packets are large enough.
func (e *Engine) setEager(n int64) {
	e.eager = 0
	for i := range e.links {
		l := &e.links[i]
		l.eager = min(n, l.most)
		e.eager = max(e.eager, l.eager)
	}
	e.endpoint.Eager = uint32(e.eager)
}

// to is the link to a peer.
func (e *Engine) to(peer int) *link {
	p := e.peers[peer]
	if p.outside {
		e.farActive()
	}
	return p.link
}

// A look at a network that gathers packets may be a system call. A rank that has found nothing for a while is
// waiting for the node, or for long.
const (
	eagerLooks = 64
	everyLook  = 16
)

// next is the next packet from anybody, with the link to release it to; nil when there is none. Links are
// asked in turn, so that none keeps the others waiting, and the network not every time when there was nothing
// for long.
func (e *Engine) next() (l *link, peer int, p *transport.Packet, payload uintptr) {
	if len(e.links) == 1 {
		l = &e.links[0]
		peer, p, payload = l.Poll()
		return l, peer, p, payload
	}
	for range e.links {
		l = &e.links[e.turn]
		if e.turn++; e.turn == len(e.links) {
			e.turn = 0
		}
		far := l != &e.links[0] && e.flusher != nil
		if far {
			if e.farVain++; e.farVain > eagerLooks && e.farVain%everyLook != 0 {
				continue
			}
		}
		if peer, p, payload = l.Poll(); p != nil {
			if far {
				e.farVain = 0
			}
			break
		}
	}
	return l, peer, p, payload
}

// dead is a rank that has died, -1 while all live. Links may know of it before the launcher does; where the
// job survives deaths, the launcher's word counts.
func (e *Engine) dead() int {
	if e.roll != nil {
		return e.links[0].Failed()
	}
	for i := range e.links {
		if dead := e.links[i].Failed(); dead >= 0 {
			return dead
		}
	}
	return -1
}

// arm announces to all links that a thread is about to sleep, and reports whether each wakes it.
func (e *Engine) arm() (mark uint32, wakes bool) {
	mark, wakes = e.waiter.Arm(), true
	for i := range e.links {
		wakes = e.links[i].Arm(e.busy) && wakes
	}
	return mark, wakes
}

// disarm ends what arm began. Others may be about to sleep, or asleep.
func (e *Engine) disarm() {
	e.farVain = 0
	if !e.waiter.Disarm() {
		return
	}
	for i := range e.links {
		e.links[i].Disarm()
	}
}

// coming reports whether a packet has come, or there may be room for one that waits for it.
func (e *Engine) coming() bool {
	for i := range e.links {
		if e.links[i].Pending(e.busy) {
			return true
		}
	}
	return false
}

// bridgerOf is the first link's provider that reaches other jobs, with the number of the link.
func bridgerOf(links []link) (transport.Bridger, uint8) {
	i := slices.IndexFunc(links, func(l link) bool { _, ok := l.Provider.(transport.Bridger); return ok })
	if i < 0 {
		return nil, 0
	}
	return links[i].Provider.(transport.Bridger), uint8(i)
}
