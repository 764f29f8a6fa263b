package p2p

import (
	"gompi/runtime/request"
	"gompi/shm"
)

// Both sides copy by the kernel, each a part: the receiver reads, the sender writes. Where data goes both
// ways nothing is won when the other side takes over a part of this one's work.

func usableBoth(x terms) bool {
	return x.wanted > 0 && x.direct && x.shared && x.whole && x.flat && x.oneWay
}

func (c *copying) beginBoth(r *request.Request, m message) (done bool) {
	c.askFor(r, m, true, r.Buf.Start())
	return false
}

// takeBoth takes the receiver's part at once. The sender writes the last parts.
func (c *copying) takeBoth() bool {
	for _, r := range c.copies {
		if r.Protocol == bothProtocol && c.copyPart(r, c.peers[r.Peer].partSize(r)) {
			return true
		}
	}
	return false
}

// partSize is how many bytes of r each side takes at a time. A part that cannot be written goes through the
// ring.
func (p *peer) partSize(r *request.Request) int64 {
	return min(max(r.Bytes/pieces, leastPiece), p.link.most)
}

// writePart writes the next part of r to its place in the receiver's memory, and says so. Where that is not
// possible the rest goes through the ring.
func (s *outbound) writePart(l *link, r *request.Request, _ int64) (sent, room bool) {
	most := s.peers[r.Peer].partSize(r)
	p, payload := l.Reserve(r.Peer, int(most))
	if p == nil {
		return false, false
	}
	at, n := l.sharer.TakeOut(r.Peer, r.Copy, most, r.Bytes)
	if n == 0 {
		return false, true
	}
	since := shm.Now()
	if !s.write(l, r, at, n) {
		r.Protocol = pipelineProtocol
		s.sendPiece(l, r, p, payload, int(most), at, n)
		return true, true
	}
	p, _ = l.Reserve(r.Peer, controlSize) // there is room for more
	p.Flags = written
	s.publishPiece(l, r, p, controlSize, at, n, since)
	return true, true
}

// write copies n bytes of r from byte at on to their place in the receiver's memory.
func (s *outbound) write(l *link, r *request.Request, at, n int64) (ok bool) {
	p := l.reach(r.Peer)
	return p != nil && p.Write(r.From+uintptr(at), r.Buf.Start()+uintptr(at), n) == nil
}
