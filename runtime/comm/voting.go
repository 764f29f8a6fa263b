package comm

import (
	"slices"

	"gompi/runtime/p2p"
	"gompi/shm"
)

// The agreements of a communicator: what its members send each other about them, and how long they are
// remembered.

// voting is the agreements of a communicator. It is used under the engine's lock.
type voting struct {
	begun uint64          // operations so far
	ended uint64          // those up to this one have ended here
	later map[uint64]bool // and these
	votes map[round]*vote // those that somebody may still ask about
	first uint64          // votes of operations before this one are forgotten
}

// retired is the communicators that are gone and whose agreements somebody may ask about.
type retired struct {
	at    map[birthplace]*Comm
	order []birthplace
}

// mostRetired bounds them.
const mostRetired = 1 << 10

// retireVotes keeps the agreements of a communicator that goes, where members may die.
func (r *Registry) retireVotes(c *Comm) {
	if !r.recovers || len(c.votes) == 0 {
		return
	}
	if len(r.retired.order) == mostRetired {
		delete(r.retired.at, r.retired.order[0])
		r.retired.order = r.retired.order[1:]
	}
	at := birthplace{c.P2P.ID, c.birth}
	r.retired.at[at] = c
	r.retired.order = append(r.retired.order, at)
	for _, b := range c.bridges {
		b.retired = append(b.retired, at)
	}
}

// forgetRetired gives up the agreements that others have asked about over a bridge. The engine's lock is
// held.
func (r *Registry) forgetRetired(b *bridge) {
	for _, at := range b.retired {
		delete(r.retired.at, at)
	}
	r.retired.order = slices.DeleteFunc(r.retired.order, func(at birthplace) bool {
		return slices.Contains(b.retired, at)
	})
	b.retired = nil
}

// vote is the agreement with a name; nil if it is forgotten.
func (c *Comm) vote(at round) *vote {
	if at.op < c.first {
		return nil
	}
	v := c.votes[at]
	if v == nil {
		if c.votes == nil {
			c.votes = map[round]*vote{}
		}
		v = &vote{round: at, told: -1, heard: map[int]*stance{}}
		c.votes[at] = v
	}
	return v
}

// cast begins an agreement. The engine's lock is held.
func (r *Registry) cast(c *Comm, at round, words []uint64) *vote {
	v, e := c.vote(at), electors{r, c}
	v.begin(e, words, e.acknowledged())
	return v
}

// finishOp notes that an operation of agreements has ended here.
func (c *Comm) finishOp(op uint64) {
	if c.later == nil {
		c.later = map[uint64]bool{}
	}
	c.later[op] = true
	for c.later[c.ended+1] {
		delete(c.later, c.ended+1)
		c.ended++
	}
}

// electors is a communicator as electorate.
type electors struct {
	r *Registry
	c *Comm
}

func (e electors) self() int       { return e.c.self() }
func (e electors) members() int    { return e.c.members() }
func (e electors) gone(m int) bool { return e.r.gone(e.c, m) }

// say implements electorate: word 1 and 2 name the agreement, word 3 has what and stage.
func (e electors) say(v *vote, to int, what uint64, stage voteStage, b *ballot) {
	h := p2p.AMHeader{What: newsVote}
	h.Words[1], h.Words[2], h.Words[3] = v.op, v.turn, what|uint64(stage)<<8
	var body []byte
	if b != nil {
		body = b.pack()
	}
	e.r.post(e.c, to, h, body)
}

func (e electors) losses(b *ballot) {
	e.r.mu.Lock()
	defer e.r.mu.Unlock()
	for _, m := range e.c.failed {
		setBit(b.failed, int(m))
	}
	b.ended = min(b.ended, e.c.ended)
}

// acknowledged is the members whose failure this one has acknowledged.
func (e electors) acknowledged() []uint64 {
	acked := make([]uint64, bitWords(e.c.members()))
	e.r.mu.Lock()
	defer e.r.mu.Unlock()
	for _, m := range e.c.failed[:e.c.acked] {
		setBit(acked, int(m))
	}
	return acked
}

// settled forgets the agreements that have ended at all members.
func (e electors) settled(_ *vote, b *ballot) {
	for c := e.c; c.first <= b.ended; c.first++ {
		for at := range c.votes {
			if at.op == c.first {
				delete(c.votes, at)
			}
		}
	}
}

// receiveVote takes a message about an agreement of c, which is nil if this rank has no such communicator any
// more, or not yet.
func (r *Registry) receiveVote(c *Comm, at birthplace, peer int, h p2p.AMHeader, body uintptr, n int64) {
	if c == nil {
		if c = r.retired.at[at]; c == nil {
			r.keepVote(at, peer, h, append([]byte(nil), shm.Bytes(body, n)...))
			return
		}
	}
	r.count(c, peer, h, shm.Bytes(body, n))
}

// count counts a message about an agreement of c.
func (r *Registry) count(c *Comm, peer int, h p2p.AMHeader, body []byte) {
	what, stage := h.Words[3]&0xff, voteStage(h.Words[3]>>8)
	from := int(h.Src)
	var b *ballot
	if what != saysHeld {
		b = unpackBallot(body, c.members())
	}
	if what > saysDecision || from < 0 || from >= c.members() || c.peerOf(from) != peer ||
		b == nil && what != saysHeld || stage > decided {
		r.engine.Malformed(peer, "a malformed packet about an agreement")
		return
	}
	if v := c.vote(round{h.Words[1], h.Words[2]}); v != nil {
		v.receive(electors{r, c}, from, what, stage, b)
	}
}

// recount goes on with all agreements after some processes have failed. The engine's lock is held.
func (r *Registry) recount() {
	r.mu.Lock()
	all := make([]*Comm, 0, len(r.comms)+len(r.retired.at))
	for _, c := range r.comms {
		all = append(all, c)
	}
	r.mu.Unlock()
	for _, c := range r.retired.at {
		all = append(all, c)
	}
	for _, c := range all {
		for _, v := range c.votes {
			v.advance(electors{r, c})
		}
	}
}

// stray is a message about an agreement of a communicator that is not made here yet.
type stray struct {
	at   birthplace
	peer int
	h    p2p.AMHeader
	body []byte
}

// mostStrays bounds them. Those about communicators that are gone for long stay.
const mostStrays = 1 << 12

// keepVote keeps a message until its communicator is there.
func (r *Registry) keepVote(at birthplace, peer int, h p2p.AMHeader, body []byte) {
	if len(r.strays) == mostStrays {
		r.strays = r.strays[1:]
	}
	r.strays = append(r.strays, stray{at, peer, h, body})
}
