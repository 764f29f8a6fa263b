package p2p

import "gompi/runtime/transport"

// flow keeps ranks from flooding each other. A receiver that has had to put aside more than its budget from
// one peer asks that peer to hold back: the peer then only announces its messages, whatever their size, and
// they stay in its own memory until they are wanted. So a blocking send waits, a nonblocking one is not done,
// and since an announcement takes its place in the same ring, the order stays and no message can be locked
// out by those before it.
type flow struct {
	budget  int64   // bytes that may be put aside for one peer
	aside   []int64 // bytes put aside, by job rank
	asked   []bool  // the peer has been asked to hold back
	held    []bool  // the peer has asked this rank to
	holders int     // how many have
}

// Budgets: all peers together may make a rank put aside most bytes, one of them least to largest. A hundred
// thousand small messages ahead of their receives, which peers take without blocking the sender, have to fit.
const (
	mostAside    = 256 << 20
	leastAside   = 1 << 20
	largestAside = 64 << 20
	entrySize    = 320 // what a message put aside takes beyond its data, about
)

func newFlow(ranks int) flow {
	return flow{
		budget: int64(min(max(mostAside/ranks, leastAside), largestAside)),
		aside:  make([]int64, ranks), asked: make([]bool, ranks), held: make([]bool, ranks),
	}
}

// weight is what a message weighs against the budget of its sender.
func (u *unexpected) weight() int64 { return int64(len(u.data)) + entrySize }

// putAside counts a message whose data had to be put aside.
func (e *Engine) putAside(u *unexpected) {
	if u.kind != held || u.peer == e.me {
		return
	}
	f := &e.flow
	if f.aside[u.peer] += u.weight(); f.aside[u.peer] > f.budget && !f.asked[u.peer] {
		f.asked[u.peer] = true
		e.hold(u.peer, true)
	}
}

// takeBack counts it out again. Half of the budget has to be free before the peer may go on, so that it does
// not change its ways with every message.
func (e *Engine) takeBack(u *unexpected) {
	if u.kind != held || u.peer == e.me {
		return
	}
	f := &e.flow
	if f.aside[u.peer] -= u.weight(); f.asked[u.peer] && f.aside[u.peer] < f.budget/2 {
		f.asked[u.peer] = false
		e.hold(u.peer, false)
	}
}

// heldBack reports whether the peer for which p was reserved wants nothing but announcements.
func (e *Engine) heldBack(peer int, p *transport.Packet) bool {
	if p.Flags == 0 && e.flow.holders == 0 {
		return false
	}
	if e.to(peer).holder == nil {
		return e.flow.held[peer]
	}
	return e.setHeld(peer, p.Flags != 0)
}

// hold asks a peer to hold back data, or takes that back.
func (e *Engine) hold(peer int, on bool) {
	if h := e.to(peer).holder; h != nil {
		h.Hold(peer, on)
	} else if on {
		e.answer(peer, hold, 1, 0, 0)
	} else {
		e.answer(peer, hold, 0, 0, 0)
	}
}

// setHeld keeps the stubs from sending by themselves as long as any peer holds this rank back.
func (e *Engine) setHeld(peer int, held bool) bool {
	f := &e.flow
	if f.held[peer] != held {
		if f.held[peer] = held; held {
			f.holders++
		} else {
			f.holders--
		}
		e.endpoint.Queued = uint32(len(e.busy) + f.holders)
	}
	return held
}
