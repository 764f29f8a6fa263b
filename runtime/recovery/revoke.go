package recovery

import "gompi/runtime/p2p"

// Revocation (MPIX_Comm_revoke). Who revokes a communicator, or hears that it is revoked, tells some other
// members, by an active message: those at distances 1, 2, 4 and so on behind itself, or for one that has
// failed the next living one behind that. So all living members hear, whoever dies meanwhile: each has told
// the next one. A message that comes before the communicator is made here is remembered.

// What messages say, in AMHeader.What. Ctx and word 0 are the key of the communicator.
const (
	saysRevoked int32 = iota + 1
	saysBallot        // or another message of an agreement
)

// mostEarly bounds how many revocations are remembered of communicators that are not there. Those of freed
// ones stay for ever.
const mostEarly = 1 << 12

// Revoke ends all communication on the communicator, at all its processes, but what recovers from failures
// (MPIX_Comm_revoke).
func (s *State) Revoke() { s.handler.Engine.Do(s.revoke) }

// revoke is Revoke with the engine's lock held.
func (s *State) revoke() {
	if s.revoked.Swap(true) {
		return
	}
	s.impaired.Store(true)
	s.handler.Engine.Hide(s.object.Handle)
	s.told = map[int]bool{}
	s.pass()
	s.handler.Engine.Judge()
}

// pass tells those members of a revocation that this one has to tell and has not told yet. The engine's lock
// is held.
func (s *State) pass() {
	if !s.revoked.Load() {
		return
	}
	n, me := s.size(), s.self()
	for k := 1; k < n; k <<= 1 {
		to := (me + k) % n
		for to != me && s.gone(to) {
			to = (to + 1) % n
		}
		if to != me && !s.told[to] {
			s.told[to] = true
			s.post(to, p2p.AMHeader{What: saysRevoked}, nil)
		}
	}
}

// post sends a message about the communicator to a member. The engine's lock is held.
func (s *State) post(to int, h p2p.AMHeader, body []byte) {
	h.Room, h.Ctx, h.Src, h.Words[0] = p2p.RecoveryRoom, s.messages.ID, int32(s.self()), s.birth
	s.handler.Engine.AM.Post(s.peer(to), &p2p.Notice{Header: h, Text: body})
}
