package p2p

import (
	"slices"
	"time"

	"gompi/runtime/request"
)

// The sender copies pieces into the ring, and the receiver out of it at the same time. Data with gaps at the
// sender comes so, one piece after the other. Of other data both sides take pieces, by the word of a copy
// that they share (transport.Sharer): the receiver reads some itself when none come.

func usablePipeline(x terms) bool {
	return x.wanted > 0 && !x.packets && (!x.direct || x.shared)
}

func (c *copying) beginPipeline(r *request.Request, m message) (done bool) {
	c.askFor(r, m, m.kind == inSender, 0)
	return false
}

// takePipeline takes some of the oldest copy. As long as the sender sends pieces, this side is busy with
// them. When none has come for some time, it copies some itself, because the sender may sleep or have no
// processor; at once when it has left MPI. It does not yield until then: on a busy machine it would come back
// milliseconds later.
func (c *copying) takePipeline() bool {
	piped := func(r *request.Request) bool { return r.Protocol == pipelineProtocol }
	i := slices.IndexFunc(c.copies, piped)
	if i < 0 {
		return false
	}
	if !c.stalled {
		c.stalled, c.since = true, time.Now()
	}
	first := c.copies[i].Peer
	for c.to(first).isInside(first) && time.Since(c.since) < c.copyTimeout {
		if c.transports.coming(c.queues.busy) {
			return true
		}
		c.waiter.Spin(0)
	}
	for _, r := range c.copies[i:] {
		if piped(r) && c.copyPart(r, c.copyChunk) {
			return true
		}
	}
	return false
}

// sendRingPiece takes the next piece of a copy that both sides carry out, and sends it.
func (s *outbound) sendRingPiece(l *link, r *request.Request, most int64) (sent, room bool) {
	p, payload := l.Reserve(r.Peer, int(most))
	if p == nil {
		return false, false
	}
	at, n := l.sharer.TakeOut(r.Peer, r.Copy, most, r.Bytes)
	if n == 0 {
		return false, true
	}
	s.sendPiece(l, r, p, payload, int(most), at, n)
	return true, true
}
