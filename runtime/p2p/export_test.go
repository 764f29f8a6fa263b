package p2p

import "gompi/runtime/fast"

// LargestBudget is the most that one peer may make a rank buffer.
const LargestBudget = largestBudget

// Buffered is what has been buffered of a peer's messages, in bytes.
func (e *Engine) Buffered(peer int) int64 { return int64(e.peers[peer].kept.Bytes) }

// Step deals with the next packet, if there is one.
func (e *Engine) Step() bool { return e.poll() }

// UnderWay reports whether the network has messages of the engines, which are all of a job, or they wait to
// be sent.
func UnderWay(all []*Engine) bool {
	var sent, taken uint32
	for _, e := range all {
		if len(e.busy) > 0 || e.held() {
			return true
		}
		s, t := e.reports.frames()
		sent, taken = sent+s, taken+t
	}
	return sent != taken
}

// EagerProtocol is that of messages that come with their header.
const EagerProtocol = eagerProtocol

// WantAnnounced has this rank tell a peer that it wants messages announced that a smaller packet than the
// largest holds.
func (e *Engine) WantAnnounced(peer int) {
	e.protocols.from = fast.MaxMessage + 1
	e.tellEagerLimit(peer)
}

// Receive notes that a message of n bytes from a peer came as it was to come, which took what cost says of
// each protocol, and returns from which size on that peer is to announce its messages.
func (e *Engine) Receive(peer int, n int64, cost func(protocol int) float64) uint32 {
	t := &e.protocols.directions[0]
	return e.ReceiveBy(int(t.eagerLimits[t.choices.Index(n)].protocol), peer, n, cost)
}

// ReceiveBy is Receive of a message that came by one of the protocols, be it the wanted one or not.
func (e *Engine) ReceiveBy(protocol, peer int, n int64, cost func(protocol int) float64) uint32 {
	t := &e.protocols.directions[0]
	t.choices.Of(n).Note(protocol, cost(protocol))
	e.nextEagerLimit(peer, t, n, protocol, 1<<readProtocol|1<<pipelineProtocol)
	return e.peers[peer].announced
}

// BeginGrowing begins an eager message of n bytes to a peer of which only the first half ever comes. It
// reports false where nothing is published early.
func (e *Engine) BeginGrowing(x *Context, dst, tag, n int) bool {
	peer := x.Peers.Of(dst)
	l := e.to(peer)
	p, _ := l.Reserve(peer, n)
	p.Kind, p.Flags, p.Ctx, p.Src, p.Tag = eager, 0, x.ID, int32(x.Rank), int32(tag)
	p.Data[0], p.Data[1], p.Data[2] = uint64(n), uint64(noSend), fast.Growing
	if !l.grower.PublishEarly(peer, p, n) {
		return false
	}
	l.grower.Grow(peer, n/2)
	return true
}
