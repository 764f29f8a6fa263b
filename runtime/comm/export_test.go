package comm

import "gompi/runtime/p2p"

// Harm marks c as one that this rank alone knows to be revoked: the news is on its way to the others.
func (c *Comm) Harm() { c.hurt.Store(true) }

// MakeRevoked makes c as one of which a member has heard that it is revoked before it was there.
func (r *Registry) MakeRevoked(c *Comm) {
	r.mu.Lock()
	r.early[birthplace{c.P2P.ID, c.birth}] = true
	r.found(c)
	r.mu.Unlock()
	r.engine.Do(func() { r.catchUp(c) })
}

// Lead tells a member how the first agreement of c has ended, as its leader does.
func (r *Registry) Lead(c *Comm, to int, flag uint64) {
	r.engine.Do(func() {
		h := p2p.AMHeader{What: newsVote}
		h.Words[1], h.Words[3] = 1, saysDecision
		words := bitWords(c.members())
		b := &ballot{and: []uint64{flag}, failed: make([]uint64, words), acked: make([]uint64, words)}
		r.post(c, to, h, b.pack())
	})
}

// HasHeard reports whether this rank knows what a member has told of the first agreement of c.
func (r *Registry) HasHeard(c *Comm, from int) (heard bool) {
	r.engine.Do(func() { heard = c.vote(round{op: 1}).heard[from] != nil })
	return heard
}
