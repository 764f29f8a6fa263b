package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
	"gompi/runtime/transport"
)

// flow is the flow control between ranks. A receiver that has buffered more unexpected messages of one peer
// than its budget stops that peer: the peer then only announces its messages, whatever their size, and they
// stay in its own memory until they are wanted. So a blocking send waits, a nonblocking one is not done, and
// since an announcement takes a slot of the same ring, the order stays and no message can be locked out by
// those before it.
type flow struct {
	*core
	queues    *queues
	protocols *protocols

	budget  uint64 // bytes that may be kept of one peer's messages
	unheard uint32 // sends to peers that can stop this rank by packets alone
}

// Budgets: all peers together may make a rank buffer totalBudget bytes, one of them least to largest. A
// hundred thousand small messages ahead of their receives, which peers take without blocking the sender, have
// to fit.
const (
	totalBudget   = 256 << 20
	leastBudget   = 1 << 20
	largestBudget = 64 << 20
)

// budgetOf is the budget for each of so many ranks.
func budgetOf(ranks int) uint64 {
	return uint64(min(max(totalBudget/ranks, leastBudget), largestBudget))
}

// isKept reports whether a message counts among what is kept of its sender's.
func (f *flow) isKept(peer int, t *fast.Unexpected) bool {
	return t.Flags&fast.AtSender == 0 && peer != f.me
}

// countKept counts a message whose data had to be kept here.
func (f *flow) countKept(peer int, t *fast.Unexpected) {
	if !f.isKept(peer, t) {
		return
	}
	k := f.peers[peer].kept
	if k.Bytes += fast.Weight(t.Size); k.Bytes > f.budget && k.Stopped == 0 {
		k.Stopped = 1
		f.stop(peer, true)
	}
}

// uncountKept counts it out again. Half of the budget has to be free before the peer is resumed, so that it
// is not stopped and resumed with every message.
func (f *flow) uncountKept(peer int, t *fast.Unexpected) {
	if !f.isKept(peer, t) {
		return
	}
	k := f.peers[peer].kept
	if k.Bytes -= fast.Weight(t.Size); k.Stopped != 0 && k.Bytes < f.budget/2 {
		k.Stopped = 0
		f.stop(peer, false)
	}
}

// unwanted is why the peer for which p was reserved wants the message announced, if it does. Data with gaps
// costs more when it is asked for, so that is announced only when the peer wants no data at all.
func (f *flow) unwanted(peer int, p *transport.Packet, b datatype.Buffer) tool.Announcement {
	switch {
	case f.peers[peer].stopped || p.Flags == fast.Stopped:
		return tool.ReceiverFull
	case p.Flags == fast.Large && f.protocols.learnsEager && b.Contiguous():
		return tool.ReceiverWants
	}
	return tool.NotAnnounced
}

// unheardSends is how many packets go at most to a peer that can stop this rank by packets alone, before this
// rank looks whether it has done so.
const unheardSends = 32

// hearStop looks now and then whether a peer has stopped this rank that can say so by a packet alone. A
// program may send for long without waiting for anything.
func (e *Engine) hearStop(peer int) {
	if e.to(peer).flow != nil {
		return
	}
	if e.flow.unheard++; e.flow.unheard%unheardSends == 0 {
		e.poll()
	}
}

// arriveStop notes that a peer has stopped this rank, or resumed it.
func (f *flow) arriveStop(peer int, p *transport.Packet, _ uintptr) {
	f.peers[peer].stopped = p.Ctx != 0
}

// stop stops a peer, or resumes it.
func (f *flow) stop(peer int, on bool) {
	if f.to(peer).flow != nil {
		f.protocols.tellEagerLimit(peer)
	} else if on {
		f.queues.answer(peer, stop, 1, 0, 0)
	} else {
		f.queues.answer(peer, stop, 0, 0, 0)
	}
}
