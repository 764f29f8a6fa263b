package recovery

import (
	"fmt"
	"slices"
	"sync/atomic"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
)

// State is what has happened to a communicator, and the agreements of its members. A process keeps who of
// them has failed, in the order in which it heard of them, and how many of these the program has
// acknowledged.
// The zero State is that of a communicator to which nothing happens.
type State struct {
	handler  *Handler
	object   *object.Base
	messages *p2p.Context // of the program
	context  uint32       // of agreements
	birth    uint64
	Members

	impaired   atomic.Bool // it is revoked, or some member has failed
	revoked    atomic.Bool
	spent      atomic.Bool  // an agreement has told that it is impaired somewhere, perhaps not known here yet
	failed     []int32      // members that have failed, in the order of the news. Under Handler.Lock
	acked      int          // how many of these the program has acknowledged. Likewise
	told       map[int]bool // members that have been told of the revocation. Under the engine's lock
	agreements agreements
}

// Enroll begins to note what happens to a communicator, which has contexts from now on: one for the program's
// messages and one for agreements. birth tells it from others with the same contexts. The lock is held.
func (h *Handler) Enroll(s *State, o *object.Base, messages *p2p.Context, agreements uint32, birth uint64,
	members Members) {
	s.handler, s.object, s.messages, s.context = h, o, messages, agreements
	s.birth, s.Members = birth, members
	number := int(messages.ID / h.Contexts)
	if n := number + 1 - len(h.states); n > 0 {
		h.states = slices.Grow(h.states, n)[:number+1]
	}
	h.states[number] = s
	s.lose(h.failed)
	if at := s.key(); h.early[at] {
		delete(h.early, at)
		s.revoked.Store(true)
		s.impaired.Store(true)
		s.told = map[int]bool{}
	}
}

// CatchUp takes in what has come about a communicator before it was enrolled. The engine's lock is held.
func (s *State) CatchUp() {
	if s.revoked.Load() {
		s.pass()
		s.handler.Engine.Judge() // from now on operations are judged, which nothing may have been before
	}
	s.countStrays()
}

// Dismiss ends what Enroll has begun. The handler's lock is held.
func (s *State) Dismiss() {
	h := s.handler
	h.states[s.messages.ID/h.Contexts] = nil
}

// key is how members call the communicator.
func (s *State) key() Key { return Key{s.messages.ID, s.birth} }

// Impaired reports whether the communicator is revoked or some of its processes have failed: then every
// operation is judged, and the fast engine leaves it alone.
func (s *State) Impaired() bool { return s.impaired.Load() }

// Abandoned reports whether operations on the communicator may have ended in the middle, here or at other
// processes, so that messages are left over.
func (s *State) Abandoned() bool { return s.impaired.Load() || s.spent.Load() }

// MarkAbandoned notes that they may have at another process.
func (s *State) MarkAbandoned() { s.spent.Store(true) }

// Revoked reports whether the communicator is revoked, as far as this rank has heard (MPIX_Comm_is_revoked).
func (s *State) Revoked() bool { return s.revoked.Load() }

// Whole is why operations cannot be carried out in which all processes take part, nil when they can.
func (s *State) Whole() error {
	if !s.impaired.Load() {
		return nil
	}
	s.handler.Lock.Lock()
	defer s.handler.Lock.Unlock()
	return s.loss()
}

// hasFailed reports whether a member has failed. The handler's lock is held.
func (s *State) hasFailed(m int) bool {
	for _, f := range s.failed {
		if int(f) == m {
			return true
		}
	}
	return false
}

// gone is hasFailed for those that do not hold the lock.
func (s *State) gone(m int) bool {
	if !s.impaired.Load() {
		return false
	}
	s.handler.Lock.Lock()
	defer s.handler.Lock.Unlock()
	return s.hasFailed(m)
}

// lose notes which of some peers have been members. The handler's lock is held.
func (s *State) lose(peers []int) {
	for _, peer := range peers {
		if m := s.find(peer, s.handler.JobSize); m >= 0 && !s.hasFailed(m) {
			s.failed = append(s.failed, int32(m))
			s.impaired.Store(true)
		}
	}
}

// loss is the error of an operation in which all members have to take part.
func (s *State) loss() error {
	switch {
	case s.revoked.Load():
		return mpierr.New(mpierr.ErrRevoked, "communicator %q has been revoked", s.object.Label())
	case len(s.failed) > 0:
		return s.lossOf(int(s.failed[0]))
	}
	return nil
}

func (s *State) lossOf(m int) error {
	return mpierr.New(mpierr.ErrProcFailed, "%s has failed", s.title(m))
}

// title is what messages call a member.
func (s *State) title(m int) string {
	side, rank := s.at(m)
	where := ""
	if side == &s.Remote {
		where = "of the remote group "
	}
	return fmt.Sprintf("rank %d %sof communicator %q", rank, where, s.object.Label())
}

// uncertainty is the error of a receive from any source.
func (s *State) uncertainty() error {
	for _, f := range s.failed[s.acked:] {
		if side, _ := s.at(int(f)); !s.inter() || side == &s.Remote {
			return mpierr.New(mpierr.ErrProcFailedPending, "%s has failed, which may have been the sender, and this has not been acknowledged", s.title(int(f)))
		}
	}
	return nil
}

// Failures is the members that this rank knows to have failed, in the order in which it heard of them, which
// are more from call to call (MPIX_Comm_get_failed).
func (s *State) Failures() *group.Group {
	s.handler.Engine.HandleFailures()
	s.handler.Lock.Lock()
	defer s.handler.Lock.Unlock()
	return s.firstFailed(len(s.failed))
}

// firstFailed is the first n members that have failed, as a group.
func (s *State) firstFailed(n int) *group.Group {
	table := make([]int32, n)
	for i := range table {
		table[i] = int32(s.process(int(s.failed[i])))
	}
	return group.New(table).From(s.messages.Session)
}

// Acknowledge has receives from any source go on although the first n processes of Failures have failed, and
// returns how many have been acknowledged so far (MPIX_Comm_ack_failed). A negative n stands for all.
func (s *State) Acknowledge(n int) int {
	s.handler.Engine.HandleFailures()
	s.handler.Lock.Lock()
	defer s.handler.Lock.Unlock()
	if n < 0 {
		n = len(s.failed)
	}
	s.acked = max(s.acked, min(n, len(s.failed)))
	return s.acked
}

// Acknowledged is the group of these (MPIX_Comm_failure_get_acked).
func (s *State) Acknowledged() *group.Group {
	s.handler.Lock.Lock()
	defer s.handler.Lock.Unlock()
	return s.firstFailed(s.acked)
}
