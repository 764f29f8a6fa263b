package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// link is a provider with what it offers beyond the core: nil for what it does not.
type link struct {
	transport.Provider
	flow     transport.FlowControl
	reader   transport.Reader
	sharer   transport.Sharer
	grower   transport.Grower
	remote   transport.Remote
	zeroCopy transport.ZeroCopySender
	most     int64 // the largest payload of its packets in bytes
	eager    int64 // the largest message that it carries with the header, in bytes
}

func newLink(p transport.Provider) link {
	l := link{Provider: p, most: int64(p.MaxPayload())}
	l.flow, _ = p.(transport.FlowControl)
	l.reader, _ = p.(transport.Reader)
	l.sharer, _ = p.(transport.Sharer)
	l.grower, _ = p.(transport.Grower)
	l.remote, _ = p.(transport.Remote)
	if l.zeroCopy, _ = p.(transport.ZeroCopySender); l.zeroCopy != nil && !l.zeroCopy.SendsZeroCopy() {
		l.zeroCopy = nil
	}
	return l
}

// transports are the links of an engine.
type transports struct {
	*core
	links    []link                   // the node's first
	eager    int64                    // largest message that is sent with its header to anybody, in bytes
	longest  int64                    // the largest one of these that the fast engine may send
	turn     int                      // the link that is asked for a packet next
	farVain  uint32                   // looks at other nodes in a row that have found nothing
	bridger  transport.Bridger        // to other jobs; nil where no link leads there
	bridge   *link                    // which
	zeroCopy transport.ZeroCopySender // nil where no link sends from the program's memory
	flusher  transport.Flusher        // nil where no link keeps packets back
	sleeper  transport.Sleeper        // nil where no link has a place to sleep
	network  transport.Network        // nil where no link may lose a peer that lives
}

func newTransports(c *core, node, far transport.Provider, crowded bool) transports {
	t := transports{core: c, links: []link{newLink(node)}, longest: fast.MaxBulk}
	if crowded {
		t.longest = fast.MaxMessage
	}
	if far != nil {
		t.links = append(t.links, newLink(far))
		t.zeroCopy = t.links[1].zeroCopy
		t.flusher, _ = far.(transport.Flusher)
		t.sleeper, _ = far.(transport.Sleeper)
		t.network, _ = far.(transport.Network)
	}
	for i := range t.links {
		if b, ok := t.links[i].Provider.(transport.Bridger); ok {
			t.bridger, t.bridge = b, &t.links[i]
			break
		}
	}
	return t
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

// held reports whether a link keeps packets back, untaken whether the network has not taken some of them.
func (t *transports) held() bool    { return t.flusher != nil && t.flusher.Held() }
func (t *transports) untaken() bool { return t.flusher != nil && t.flusher.Refused() }

// inside tells all peers whether this rank waits; see transport.Sharer.
func (t *transports) inside(on bool) {
	for i := range t.links {
		if s := t.links[i].sharer; s != nil {
			s.Inside(on)
		}
	}
}

// setEager has messages of up to n bytes travel with their header, where the packets are large enough.
func (t *transports) setEager(n int64) {
	t.eager = 0
	for i := range t.links {
		l := &t.links[i]
		l.eager = min(n, l.most)
		t.eager = max(t.eager, l.eager)
	}
	t.endpoint.Eager, t.endpoint.MostEager = uint32(t.eager), uint32(min(t.eager, t.longest))
}

// to is the link to a peer.
func (c *core) to(peer int) *link {
	p := c.peers[peer]
	if p.outside {
		c.farActive()
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
func (t *transports) next() (l *link, peer int, p *transport.Packet, payload uintptr) {
	if len(t.links) == 1 {
		l = &t.links[0]
		peer, p, payload = l.Poll()
		return l, peer, p, payload
	}
	for range t.links {
		l = &t.links[t.turn]
		if t.turn++; t.turn == len(t.links) {
			t.turn = 0
		}
		far := l != &t.links[0] && t.flusher != nil
		if far {
			if t.farVain++; t.farVain > eagerLooks && t.farVain%everyLook != 0 {
				continue
			}
		}
		if peer, p, payload = l.Poll(); p != nil {
			if far {
				t.farVain = 0
			}
			break
		}
	}
	return l, peer, p, payload
}

// dead is a rank that has died, -1 while all live. Links may know of it before the launcher does; where the
// job survives deaths, the launcher's word counts.
func (f *failures) dead() int {
	if f.detector != nil {
		return f.transports.links[0].Failed()
	}
	for i := range f.transports.links {
		if dead := f.transports.links[i].Failed(); dead >= 0 {
			return dead
		}
	}
	return -1
}

// arm announces to all links that a thread is about to sleep, and reports whether each wakes it.
func (t *transports) arm(blocked []int) (mark uint32, wakes bool) {
	mark, wakes = t.waiter.Arm(), true
	for i := range t.links {
		wakes = t.links[i].Arm(blocked) && wakes
	}
	return mark, wakes
}

// disarm ends what arm began. Others may be about to sleep, or asleep.
func (t *transports) disarm() {
	t.farVain = 0
	if !t.waiter.Disarm() {
		return
	}
	for i := range t.links {
		t.links[i].Disarm()
	}
}

// coming reports whether a packet has come, or there may be room for one that waits for it.
func (t *transports) coming(blocked []int) bool {
	for i := range t.links {
		if t.links[i].Pending(blocked) {
			return true
		}
	}
	return false
}
