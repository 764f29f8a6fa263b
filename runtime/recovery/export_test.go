package recovery

import "gompi/runtime/p2p"

// Harm marks a communicator as one that this rank alone knows to be revoked: the news is on its way to the
// others.
func (s *State) Harm() { s.impaired.Store(true) }

// MakeRevoked makes a communicator one of which a member has heard that it is revoked before it was there.
func (s *State) MakeRevoked() {
	h := s.handler
	h.Lock.Lock()
	s.Dismiss()
	h.early[s.key()] = true
	h.Enroll(s, s.object, s.messages, s.context, s.birth, s.Members)
	h.Lock.Unlock()
	h.Engine.Do(s.CatchUp)
}

// Lose has this rank hear that a peer has failed.
func (s *State) Lose(peer int) { s.handler.Engine.Do(func() { s.handler.Failed([]int{peer}) }) }

// Lead tells a member how the first agreement has ended, as its leader does.
func (s *State) Lead(to int, flag uint64) {
	s.handler.Engine.Do(func() {
		h := p2p.AMHeader{What: saysBallot}
		h.Words[1], h.Words[3] = 1, saysDecision
		words := bitWords(s.size())
		b := &Ballot{Words: []uint64{flag}, failed: make([]uint64, words), acked: make([]uint64, words)}
		s.post(to, h, b.pack())
	})
}

// HasHeard reports whether this rank knows what a member has told of the first agreement.
func (s *State) HasHeard(from int) (heard bool) {
	s.handler.Engine.Do(func() { heard = s.agreements.find(round{op: 1}).heard[from] != nil })
	return heard
}
