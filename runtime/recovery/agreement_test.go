package recovery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// voter is a member of an agreement whose messages a test delivers.
type voter struct {
	a     *agreement
	dead  bool
	knows []bool   // who has died, as far as this member has heard
	inbox [][]mail // by sender
}

type mail struct {
	what  uint64
	stage stage
	value *Ballot
}

// election is an agreement of some members, each of which takes the steps of agreement.go with a network
// between them that the test owns: packets of two members stay in order, and that is all.
type election struct {
	voters []*voter
	rng    *rand.Rand
}

func newElection(n int, rng *rand.Rand) *election {
	e := &election{rng: rng}
	for range n {
		e.voters = append(e.voters, &voter{knows: make([]bool, n), inbox: make([][]mail, n),
			a: newAgreement(round{op: 1})})
	}
	return e
}

// of is the electorate as member m sees it.
func (e *election) of(m int) electorate { return &seat{e, m} }

// seat is one member's view.
type seat struct {
	e *election
	m int
}

func (s *seat) self() int       { return s.m }
func (s *seat) size() int       { return len(s.e.voters) }
func (s *seat) gone(m int) bool { return s.e.voters[s.m].knows[m] }

func (s *seat) say(_ round, to int, what uint64, at stage, b *Ballot) {
	if !s.e.voters[s.m].dead {
		s.e.voters[to].inbox[s.m] = append(s.e.voters[to].inbox[s.m], mail{what, at, b})
	}
	// a member may die between any two of its messages
	if s.e.rng.IntN(40) == 0 && s.e.living() > 1 {
		s.e.voters[s.m].dead = true
	}
}

func (s *seat) addLosses(b *Ballot) {
	for m, gone := range s.e.voters[s.m].knows {
		if gone {
			setBit(b.failed, m)
		}
	}
}

func (s *seat) settle(*Ballot) {}

func (e *election) living() (n int) {
	for _, w := range e.voters {
		if !w.dead {
			n++
		}
	}
	return n
}

// deliver has member m take the next message of another one; false when there is none.
func (e *election) deliver(m int) bool {
	w := e.voters[m]
	for _, from := range e.rng.Perm(len(e.voters)) {
		if len(w.inbox[from]) == 0 || w.knows[from] {
			continue
		}
		x := w.inbox[from][0]
		w.inbox[from] = w.inbox[from][1:]
		w.a.receive(e.of(m), from, x.what, x.stage, x.value)
		return true
	}
	return false
}

// hear has member m learn of a death, if there is one that it has not heard of: after all that the dead one
// has sent.
func (e *election) hear(m int) bool {
	for d, other := range e.voters {
		w := e.voters[m]
		if !other.dead || w.knows[d] {
			continue
		}
		for len(w.inbox[d]) > 0 && !w.dead {
			x := w.inbox[d][0]
			w.inbox[d] = w.inbox[d][1:]
			w.a.receive(e.of(m), d, x.what, x.stage, x.value)
		}
		w.knows[d] = true
		w.a.advance(e.of(m))
		return true
	}
	return false
}

// Members die at random between any two messages, and hear of that at random times: all that decide decide
// the same, the dead included, and all that live decide.
func TestAgreementWithDeaths(t *testing.T) {
	for seed := range uint64(4000) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			n := 1 + rng.IntN(6)
			e := newElection(n, rng)
			started := make([]bool, n)
			for steps := 0; ; steps++ {
				if steps > 100000 {
					t.Fatal("the members do not come to an end")
				}
				m, moved := rng.IntN(n), false
				w := e.voters[m]
				switch {
				case w.dead:
				case !started[m] && rng.IntN(3) == 0:
					started[m], moved = true, true
					w.a.begin(e.of(m), []uint64{^uint64(1 << m)}, make([]uint64, 1))
				case rng.IntN(8) == 0:
					moved = e.hear(m)
				default:
					moved = e.deliver(m)
				}
				if !moved && e.finished(started) {
					break
				}
			}
			e.compare(t, started)
		})
	}
}

// finished reports whether nothing can happen any more.
func (e *election) finished(started []bool) bool {
	for m, w := range e.voters {
		if w.dead {
			continue
		}
		if !started[m] {
			return false
		}
		for d, other := range e.voters {
			if other.dead && !w.knows[d] || len(w.inbox[d]) > 0 && !w.knows[d] {
				return false
			}
		}
	}
	return true
}

func (e *election) compare(t *testing.T, started []bool) {
	var first *Ballot
	for m, w := range e.voters {
		if w.a.stage != decided {
			if !w.dead && started[m] {
				t.Errorf("member %d lives and has not decided", m)
			}
			continue
		}
		if first == nil {
			first = w.a.value
		}
		if !slices.Equal(first.Words, w.a.value.Words) || !slices.Equal(first.failed, w.a.value.failed) {
			t.Errorf("member %d has decided %x without %x, another one %x without %x", m, w.a.value.Words,
				w.a.value.failed, first.Words, first.failed)
		}
		if !hasBit(w.a.value.failed, m) && w.a.value.Words[0]>>m&1 != 0 {
			t.Errorf("member %d is counted as living, but its vote is not", m)
		}
	}
}
