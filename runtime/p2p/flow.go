package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/transport"
)

// flow is the flow control between ranks. A receiver that has buffered more unexpected messages of one peer
// than its budget stops that peer: the peer then only announces its messages, whatever their size, and they
// stay in its own memory until they are wanted. So a blocking send waits, a nonblocking one is not done, and
// since an announcement takes a slot of the same ring, the order stays and no message can be locked out by
// those before it.
type flow struct {
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

func newFlow(ranks int) flow {
	return flow{budget: uint64(min(max(totalBudget/ranks, leastBudget), largestBudget))}
}

// isKept reports whether a message counts among what is kept of its sender's.
func (e *Engine) isKept(peer int, t *fast.Unexpected) bool {
	return t.Flags&fast.AtSender == 0 && peer != e.me
}

// countKept counts a message whose data had to be kept here.
func (e *Engine) countKept(peer int, t *fast.Unexpected) {
	if !e.isKept(peer, t) {
		return
	}
	k := e.peers[peer].kept
	if k.Bytes += fast.Weight(t.Size); k.Bytes > e.flow.budget && k.Stopped == 0 {
		k.Stopped = 1
		e.stop(peer, true)
	}
}

// uncountKept counts it out again. Half of the budget has to be free before the peer is resumed, so that it
// is not stopped and resumed with every message.
func (e *Engine) uncountKept(peer int, t *fast.Unexpected) {
	if !e.isKept(peer, t) {
		return
	}
	k := e.peers[peer].kept
	if k.Bytes -= fast.Weight(t.Size); k.Stopped != 0 && k.Bytes < e.flow.budget/2 {
		k.Stopped = 0
		e.stop(peer, false)
	}
}

// unwanted reports whether the peer for which p was reserved wants the message announced. Data with gaps
// costs more when it is asked for, so that is announced only when the peer wants no data at all.
func (e *Engine) unwanted(peer int, p *transport.Packet, b datatype.Buffer) bool {
	return e.peers[peer].stopped || p.Flags == fast.Stopped ||
		p.Flags == fast.Large && e.wishes && b.Contiguous()
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

// stop stops a peer, or resumes it.
func (e *Engine) stop(peer int, on bool) {
	if e.to(peer).flow != nil {
		e.wish(peer)
	} else if on {
		e.answer(peer, stop, 1, 0, 0)
	} else {
		e.answer(peer, stop, 0, 0, 0)
	}
}
