package p2p

import (
	"gompi/runtime/fast"
	"gompi/runtime/request"
)

// The sender sends pieces in packets, one after the other.

func usableNetwork(x terms) bool { return x.packets && x.wanted > 0 }

func (c *copying) beginNetwork(r *request.Request, m message) (done bool) {
	c.askFor(r, m, false, 0)
	return false
}

// sendPacket sends the next piece of r.
func (s *outbound) sendPacket(l *link, r *request.Request, most int64) (sent, room bool) {
	rest := r.Bytes - r.Moved
	if rest == 0 {
		return false, true
	}
	most = min(most, max(rest, fast.InlineSize+1))
	p, payload := l.Reserve(r.Peer, int(most))
	if p == nil {
		return false, false
	}
	s.sendPiece(l, r, p, payload, int(most), r.Moved, min(rest, most))
	return true, true
}
