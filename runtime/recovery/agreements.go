package recovery

import (
	"slices"

	"gompi/runtime/p2p"
	"gompi/shm"
)

// agreements is those of a communicator: which are under way, and how long they are remembered. It is used
// under the engine's lock.
type agreements struct {
	begun uint64               // operations so far
	ended uint64               // those up to this one have ended here
	later map[uint64]bool      // and these
	known map[round]*agreement // those that somebody may still ask about
	first uint64               // agreements of operations before this one are forgotten
}

// find is the agreement with a name; nil if it is forgotten.
func (l *agreements) find(at round) *agreement {
	if at.op < l.first {
		return nil
	}
	a := l.known[at]
	if a == nil {
		if l.known == nil {
			l.known = map[round]*agreement{}
		}
		a = newAgreement(at)
		l.known[at] = a
	}
	return a
}

// end notes that an operation has ended here.
func (l *agreements) end(op uint64) {
	if l.later == nil {
		l.later = map[uint64]bool{}
	}
	l.later[op] = true
	for l.later[l.ended+1] {
		delete(l.later, l.ended+1)
		l.ended++
	}
}

// forget forgets the agreements of operations up to one.
func (l *agreements) forget(op uint64) {
	for ; l.first <= op; l.first++ {
		for at := range l.known {
			if at.op == l.first {
				delete(l.known, at)
			}
		}
	}
}

// say implements electorate: word 1 and 2 name the agreement, word 3 has what and stage.
func (s *State) say(about round, to int, what uint64, at stage, b *Ballot) {
	h := p2p.AMHeader{What: saysBallot}
	h.Words[1], h.Words[2], h.Words[3] = about.op, about.turn, what|uint64(at)<<8
	var body []byte
	if b != nil {
		body = b.pack()
	}
	s.post(to, h, body)
}

func (s *State) addLosses(b *Ballot) {
	s.handler.Lock.Lock()
	defer s.handler.Lock.Unlock()
	for _, m := range s.failed {
		setBit(b.failed, int(m))
	}
	b.ended = min(b.ended, s.agreements.ended)
}

// settle forgets the agreements that have ended at all members.
func (s *State) settle(b *Ballot) { s.agreements.forget(b.ended) }

// acknowledged is the members whose failure this one has acknowledged, a bit for each.
func (s *State) acknowledged() []uint64 {
	acked := make([]uint64, bitWords(s.size()))
	s.handler.Lock.Lock()
	defer s.handler.Lock.Unlock()
	for _, m := range s.failed[:s.acked] {
		setBit(acked, int(m))
	}
	return acked
}

// advance goes on with all agreements after some processes have failed. The engine's lock is held.
func (s *State) advance() {
	for _, a := range s.agreements.known {
		a.advance(s)
	}
}

// ForgetAgreements has the communicator answer for its agreements no longer: all members have left it.
func (s *State) ForgetAgreements() {
	s.handler.Engine.Do(func() { s.agreements.known = nil })
}

// retired is the communicators that are gone and whose agreements somebody may ask about.
type retired struct {
	states map[Key]*State
	order  []Key
}

// mostRetired bounds them.
const mostRetired = 1 << 10

// Retire keeps the agreements of a communicator that goes, where members may die. It reports whether there
// are any, which Forget gives up.
func (s *State) Retire() (at Key, asked bool) {
	h, at := s.handler, s.key()
	if h.Survives {
		h.Engine.Do(func() { asked = s.retire(at) })
	}
	return at, asked
}

// retire is Retire with the engine's lock held.
func (s *State) retire(at Key) (asked bool) {
	if len(s.agreements.known) == 0 {
		return false
	}
	l := &s.handler.retired
	if len(l.order) == mostRetired {
		delete(l.states, l.order[0])
		l.order = l.order[1:]
	}
	l.states[at] = s
	l.order = append(l.order, at)
	return true
}

// Forget gives up the agreements of communicators that are gone.
func (h *Handler) Forget(keys []Key) {
	h.Engine.Do(func() {
		l := &h.retired
		for _, at := range keys {
			delete(l.states, at)
		}
		l.order = slices.DeleteFunc(l.order, func(at Key) bool { return slices.Contains(keys, at) })
	})
}

// stray is a message about an agreement of a communicator that is not made here yet.
type stray struct {
	at   Key
	peer int
	m    p2p.AMHeader
	body []byte
}

// mostStrays bounds them. Those about communicators that are gone for long stay.
const mostStrays = 1 << 12

// receiveBallot takes a message about an agreement of s, which is nil if this rank has no such communicator
// any more, or not yet.
func (h *Handler) receiveBallot(s *State, at Key, peer int, m p2p.AMHeader, body uintptr, n int64) {
	if s == nil {
		s = h.retired.states[at]
	}
	if s != nil {
		s.count(peer, m, shm.Bytes(body, n))
		return
	}
	if len(h.strays) == mostStrays {
		h.strays = h.strays[1:]
	}
	h.strays = append(h.strays, stray{at, peer, m, slices.Clone(shm.Bytes(body, n))})
}

// countStrays counts the messages that have come too early. The engine's lock is held.
func (s *State) countStrays() {
	own := s.key()
	s.handler.strays = slices.DeleteFunc(s.handler.strays, func(early stray) bool {
		if early.at == own {
			s.count(early.peer, early.m, early.body)
		}
		return early.at == own
	})
}

// count counts a message about an agreement.
func (s *State) count(peer int, m p2p.AMHeader, body []byte) {
	what, at := m.Words[3]&0xff, stage(m.Words[3]>>8)
	from := int(m.Src)
	var b *Ballot
	if what != saysHeld {
		b = unpackBallot(body, s.size())
	}
	if what > saysDecision || from < 0 || from >= s.size() || s.peer(from) != peer ||
		b == nil && what != saysHeld || at > decided {
		s.handler.Engine.Malformed(peer, "a malformed packet about an agreement")
		return
	}
	if a := s.agreements.find(round{m.Words[1], m.Words[2]}); a != nil {
		a.receive(s, from, what, at, b)
	}
}
