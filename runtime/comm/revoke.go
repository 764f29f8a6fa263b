package comm

import (
	"gompi/runtime/p2p"
)

// Revocation (MPIX_Comm_revoke). Who revokes a communicator, or hears that it is revoked, tells some other
// members, by an active message: those at distances 1, 2, 4 and so on behind itself, or for one that has
// failed the next living one behind that. So all living members hear, whoever dies meanwhile: each has told
// the next one. A message that comes before the communicator is made here is remembered.

// What the messages of this package are about, in AMHeader.What. Word 0 is the birth of the communicator.
const (
	newsRevoked int32 = iota + 1
	newsVote
)

// birthplace names a communicator for messages about it.
type birthplace struct {
	ctx   uint32
	birth uint64
}

// mostEarly bounds how many revocations are remembered of communicators that are not there. Those of freed
// ones stay for ever.
const mostEarly = 1 << 12

// Revoke ends all communication on c, at all its processes, but what recovers from failures.
func (r *Registry) Revoke(c *Comm) {
	r.engine.Do(func() { r.revoke(c) })
}

// revoke is Revoke with the engine's lock held.
func (r *Registry) revoke(c *Comm) {
	if c.revoked.Swap(true) {
		return
	}
	c.hurt.Store(true)
	r.engine.Hide(c.Handle)
	c.told = map[int]bool{}
	r.pass(c)
	r.engine.Judge()
}

// pass tells those members of a revocation that this one has to tell and has not told yet. The engine's lock
// is held.
func (r *Registry) pass(c *Comm) {
	if !c.revoked.Load() {
		return
	}
	n, me := c.members(), c.self()
	for k := 1; k < n; k <<= 1 {
		to := (me + k) % n
		for to != me && r.gone(c, to) {
			to = (to + 1) % n
		}
		if to != me && !c.told[to] {
			c.told[to] = true
			r.post(c, to, p2p.AMHeader{What: newsRevoked}, nil)
		}
	}
}

// gone reports whether a member has failed.
func (r *Registry) gone(c *Comm, m int) bool {
	if !c.hurt.Load() {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return c.hasFailed(m)
}

// post sends a message about c to a member. The engine's lock is held.
func (r *Registry) post(c *Comm, to int, h p2p.AMHeader, body []byte) {
	h.Room, h.Ctx, h.Src, h.Words[0] = p2p.RecoveryRoom, c.P2P.ID, int32(c.self()), c.birth
	r.engine.AM.Post(c.peerOf(to), &p2p.Notice{Header: h, Text: body})
}

// Receive implements p2p.AMHandler.
func (r *Registry) Receive(peer int, h p2p.AMHeader, body uintptr, n int64) {
	at := birthplace{h.Ctx, h.Words[0]}
	r.mu.Lock()
	c := r.comms[h.Ctx/contextsEach]
	if c != nil && c.birth != at.birth {
		c = nil
	}
	if c == nil && h.What == newsRevoked {
		if len(r.early) == mostEarly {
			clear(r.early)
		}
		r.early[at] = true
	}
	r.mu.Unlock()
	switch {
	case h.What == newsVote:
		r.receiveVote(c, at, peer, h, body, n)
	case c != nil && h.What == newsRevoked:
		r.revoke(c)
	}
}
