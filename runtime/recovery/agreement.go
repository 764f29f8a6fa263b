package recovery

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
	size() int
	gone(m int) bool // whether a member has failed, as far as this one has heard
	// say sends a message about an agreement; those of two members arrive in order.
	say(about round, to int, what uint64, at stage, b *Ballot)
	addLosses(b *Ballot) // adds to b who has failed, and which agreements have ended here
	settle(b *Ballot)    // an agreement is over here
}

// round names an agreement of a communicator: all members begin its operations in the same order, and some
// take several agreements.
type round struct {
	op   uint64 // from 1 on
	turn uint64
}

// stage is how far a member is in an agreement.
type stage uint8

const (
	open    stage = iota // its own ballot is all that it has
	held                 // it has a proposal
	decided              // it knows the outcome
)

// What a message says.
const (
	saysState    uint64 = iota // the stage, with the ballot
	saysProposal               // with the ballot
	saysHeld
	saysDecision // with the ballot
)

// agreement is one, as a member sees it.
type agreement struct {
	round
	own   *Ballot // nil as long as this member has not begun it
	stage stage
	value *Ballot // once it is held or decided
	told  int     // the leader that has been told the state, -1 for none

	// At the leader:
	heard     map[int]*stance // of members
	proposing bool
	has       map[int]bool // members that hold the proposal
	announced bool
}

// stance is what a member has told.
type stance struct {
	stage stage
	value *Ballot
}

func newAgreement(at round) *agreement {
	return &agreement{round: at, told: -1, heard: map[int]*stance{}}
}

// begin begins the agreement at this member, with words that are combined bit by bit, and the members whose
// failure it has acknowledged.
func (a *agreement) begin(e electorate, words, acked []uint64) {
	failed := make([]uint64, bitWords(e.size()))
	a.own = &Ballot{Words: words, acked: acked, failed: failed, ended: ^uint64(0)}
	e.addLosses(a.own)
	a.advance(e)
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
	for m := range e.size() {
		if m != e.self() && !e.gone(m) && !f(m) {
			return false
		}
	}
	return true
}

// stance is what this member tells of an agreement that it has begun.
func (a *agreement) stance() *stance {
	if a.stage == open {
		return &stance{open, a.own}
	}
	return &stance{a.stage, a.value}
}

// advance goes on after members have failed, or this one has begun.
func (a *agreement) advance(e electorate) {
	if a.own == nil {
		return
	}
	to := leader(e)
	if to == e.self() {
		a.heard[to] = a.stance()
		a.lead(e)
		return
	}
	if a.told != to {
		a.told = to
		s := a.stance()
		e.say(a.round, to, saysState, s.stage, s.value)
	}
}

// lead is the leader's part.
func (a *agreement) lead(e electorate) {
	if a.stage == decided {
		a.announce(e)
		return
	}
	if !a.proposing {
		var proposal *Ballot
		for _, s := range a.heard {
			switch s.stage {
			case decided:
				a.decide(e, s.value)
				return
			case held:
				proposal = s.value
			}
		}
		if !others(e, func(m int) bool { return a.heard[m] != nil }) {
			return // there are some to be heard
		}
		if proposal == nil {
			proposal = a.outcome(e)
		}
		a.stage, a.value, a.proposing, a.has = held, proposal, true, map[int]bool{}
		others(e, func(m int) bool {
			e.say(a.round, m, saysProposal, open, proposal)
			return true
		})
	}
	if others(e, func(m int) bool { return a.has[m] }) {
		a.decide(e, a.value)
	}
}

// awaited is the members without which the agreement does not go on here: the leader; at the leader itself
// those whose stance is missing, or whose word that they hold the proposal.
func (a *agreement) awaited(e electorate) (all []int) {
	if to := leader(e); to != e.self() {
		return []int{to}
	}
	others(e, func(m int) bool {
		if a.proposing && !a.has[m] || !a.proposing && a.heard[m] == nil {
			all = append(all, m)
		}
		return true
	})
	return all
}

// outcome combines the ballots that the leader has heard.
func (a *agreement) outcome(e electorate) *Ballot {
	b := a.own.clone()
	for _, s := range a.heard {
		b.combine(s.value)
	}
	e.addLosses(b)
	return b
}

// decide ends an agreement, and has the others do so if this member leads.
func (a *agreement) decide(e electorate, b *Ballot) {
	if a.stage == decided {
		return
	}
	a.stage, a.value = decided, b
	if leader(e) == e.self() {
		a.announce(e)
	}
	e.settle(b)
}

// announce has the others decide. A member that comes to lead after it has decided does so, too: the old
// leader may have died before it had told all, and they have told this one what they have.
func (a *agreement) announce(e electorate) {
	if a.announced {
		return
	}
	a.announced = true
	others(e, func(m int) bool {
		e.say(a.round, m, saysDecision, open, a.value)
		return true
	})
}

// receive takes a message of another member.
func (a *agreement) receive(e electorate, from int, what uint64, at stage, b *Ballot) {
	switch what {
	case saysState:
		a.heard[from] = &stance{at, b}
		switch {
		case a.stage == decided:
			e.say(a.round, from, saysDecision, open, a.value)
		case a.own != nil && leader(e) == e.self():
			a.lead(e)
		}
	case saysProposal:
		if a.stage != decided {
			a.stage, a.value = held, b
		}
		e.say(a.round, from, saysHeld, open, nil)
	case saysHeld:
		if a.has != nil && a.stage == held {
			a.has[from] = true
			a.lead(e)
		}
	case saysDecision:
		a.decide(e, b)
	}
}
