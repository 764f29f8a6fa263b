package comm

// Agreement among the living members of a communicator, whoever dies meanwhile (docs/recovery.md). All that
// learn its outcome learn the same, those included that die afterwards.
//
// Each member sends its ballot to the leader, the first living member. When the leader has those of all
// living members it combines them, and proposes the outcome to all. A member that has it says so; when all
// living ones have, the leader has all decide. When a leader dies, all send the next one what they have:
// their ballot, the proposal or the decision. The new leader goes on with a decision or a proposal that some
// member has, and makes one of its own only if nobody has any. Nobody has decided in that case: the old
// leader would have known that all living members have its proposal.
//
// Nobody is taken for dead that lives, so there is one leader at a time. A member that takes another one for
// dead has taken in all that this one has sent, and takes in nothing more of it. A member that has decided
// and gone on answers as long as anybody may ask.

// electorate is the members of an agreement, as one of them sees them.
type electorate interface {
	self() int
	members() int
	gone(m int) bool // whether a member has failed, as far as this one has heard
	// say sends a message; those of two members arrive in order.
	say(v *vote, to int, what uint64, stage voteStage, b *ballot)
	losses(b *ballot)           // adds to b who has failed, and which agreements have ended here
	settled(v *vote, b *ballot) // the agreement is over here
}

// round names an agreement of a communicator: all members begin its operations in the same order, and some
// take several agreements.
type round struct {
	op   uint64 // from 1 on
	turn uint64
}

// voteStage is how far a member is in an agreement.
type voteStage uint8

const (
	voted   voteStage = iota // its own ballot is all that it has
	held                     // it has a proposal
	decided                  // it knows the outcome
)

// What a message says.
const (
	saysState    uint64 = iota // the stage, with the ballot
	saysProposal               // with the ballot
	saysHeld
	saysDecision // with the ballot
)

// vote is one agreement, as a member sees it.
type vote struct {
	round
	own   *ballot // nil as long as this member has not begun it
	stage voteStage
	value *ballot // once it is held or decided
	told  int     // the leader that has been told the state, -1 for none

	// At the leader:
	heard     map[int]*stance // of members
	proposing bool
	has       map[int]bool // members that hold the proposal
	announced bool
}

// stance is what a member has told.
type stance struct {
	stage voteStage
	value *ballot
}

// begin begins the agreement at this member, with words that are combined bit by bit, and the members whose
// failure it has acknowledged.
func (v *vote) begin(e electorate, words, acked []uint64) {
	failed := make([]uint64, bitWords(e.members()))
	v.own = &ballot{and: words, acked: acked, failed: failed, ended: ^uint64(0)}
	e.losses(v.own)
	v.advance(e)
}

// leader is the first living member.
func leader(e electorate) int {
	m := 0
	for e.gone(m) {
		m++
	}
	return m
}

// others calls f for each living member but this one, until it is false, and reports whether it never was.
func others(e electorate, f func(m int) bool) bool {
	for m := range e.members() {
		if m != e.self() && !e.gone(m) && !f(m) {
			return false
		}
	}
	return true
}

// stance is what this member tells of an agreement that it has begun.
func (v *vote) stance() *stance {
	if v.stage == voted {
		return &stance{voted, v.own}
	}
	return &stance{v.stage, v.value}
}

// advance goes on after members have failed, or this one has begun.
func (v *vote) advance(e electorate) {
	if v.own == nil {
		return
	}
	to := leader(e)
	if to == e.self() {
		v.heard[to] = v.stance()
		v.lead(e)
		return
	}
	if v.told != to {
		v.told = to
		s := v.stance()
		e.say(v, to, saysState, s.stage, s.value)
	}
}

// lead is the leader's part.
func (v *vote) lead(e electorate) {
	if v.stage == decided {
		v.announce(e)
		return
	}
	if !v.proposing {
		var proposal *ballot
		for _, s := range v.heard {
			switch s.stage {
			case decided:
				v.decide(e, s.value)
				return
			case held:
				proposal = s.value
			}
		}
		if !others(e, func(m int) bool { return v.heard[m] != nil }) {
			return // there are some to be heard
		}
		if proposal == nil {
			proposal = v.outcome(e)
		}
		v.stage, v.value, v.proposing, v.has = held, proposal, true, map[int]bool{}
		others(e, func(m int) bool {
			e.say(v, m, saysProposal, voted, proposal)
			return true
		})
	}
	if others(e, func(m int) bool { return v.has[m] }) {
		v.decide(e, v.value)
	}
}

// awaited is the members without which the agreement does not go on here: the leader; at the leader itself
// those whose stance is missing, or whose word that they hold the proposal.
func (v *vote) awaited(e electorate) (all []int) {
	if to := leader(e); to != e.self() {
		return []int{to}
	}
	others(e, func(m int) bool {
		if v.proposing && !v.has[m] || !v.proposing && v.heard[m] == nil {
			all = append(all, m)
		}
		return true
	})
	return all
}

// outcome combines the ballots that the leader has heard.
func (v *vote) outcome(e electorate) *ballot {
	b := v.own.clone()
	for _, s := range v.heard {
		b.combine(s.value)
	}
	e.losses(b)
	return b
}

// decide ends an agreement, and has the others do so if this member leads.
func (v *vote) decide(e electorate, b *ballot) {
	if v.stage == decided {
		return
	}
	v.stage, v.value = decided, b
	if leader(e) == e.self() {
		v.announce(e)
	}
	e.settled(v, b)
}

// announce has the others decide. A member that comes to lead after it has decided does so, too: the old
// leader may have died before it had told all, and they have told this one what they have.
func (v *vote) announce(e electorate) {
	if v.announced {
		return
	}
	v.announced = true
	others(e, func(m int) bool {
		e.say(v, m, saysDecision, voted, v.value)
		return true
	})
}

// receive takes a message of another member.
func (v *vote) receive(e electorate, from int, what uint64, stage voteStage, b *ballot) {
	switch what {
	case saysState:
		v.heard[from] = &stance{stage, b}
		switch {
		case v.stage == decided:
			e.say(v, from, saysDecision, voted, v.value)
		case v.own != nil && leader(e) == e.self():
			v.lead(e)
		}
	case saysProposal:
		if v.stage != decided {
			v.stage, v.value = held, b
		}
		e.say(v, from, saysHeld, voted, nil)
	case saysHeld:
		if v.has != nil && v.stage == held {
			v.has[from] = true
			v.lead(e)
		}
	case saysDecision:
		v.decide(e, b)
	}
}
