// Package recovery is what a process knows of failures that its job survives: which members of a communicator
// have failed, which communicators are revoked, and what the living members agree on (docs/recovery.md). It
// knows contexts and their members; how communicators are made is above.
package recovery

import (
	"slices"
	"sync"

	"gompi/runtime/p2p"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// Handler takes in the news of failures, and what handlers of other processes say. It implements
// p2p.FailureHandler and p2p.AMHandler.
type Handler struct {
	Config

	// guarded by Config.Lock:
	failed  []int        // peers, in the order of the news
	states  []*State     // of the communicators that there are, by number; nil where there is none
	early   map[Key]bool // communicators that were revoked before they were made here
	subsets []*subset

	// under the engine's lock:
	retired retired
	strays  []stray
}

// Config is what a handler has to know.
type Config struct {
	Lock     *sync.Mutex // of what stands in handler and states. Taken under the engine's lock and other ones
	Engine   *p2p.Engine
	JobSize  int  // peers with lower numbers are the ranks of the job
	Survives bool // the job survives deaths

	Contexts uint32 // of each communicator: its number is that of the context in its key divided by this

	// Find is the communicator that a context belongs to, nil for none, and what the context is for. err is
	// why nothing can be completed in a context that belongs to no communicator.
	Find func(context uint32) (s *State, use Use, err error)
}

// Use is what a context is for.
type Use uint8

// The uses of contexts.
const (
	Collective Use = iota // what all members take part in
	Messages              // the program's messages
	Some                  // calls of some members, told apart by a tag
	Agreements            // what goes on in spite of failures
)

// Key names a communicator for messages about it: by the context of the program's messages there and by a
// number that tells it from others that have had the same context.
type Key struct {
	Context uint32
	Birth   uint64
}

// NewHandler makes the handler of a process. It comes before any communication.
func NewHandler(c Config) *Handler {
	h := &Handler{Config: c, early: map[Key]bool{}}
	h.retired.states = map[Key]*State{}
	c.Engine.SetFailureHandler(h, c.Survives)
	c.Engine.AM.Handle(p2p.RecoveryRoom, h)
	return h
}

// Failed implements p2p.FailureHandler.
func (h *Handler) Failed(peers []int) {
	h.Lock.Lock()
	h.failed = append(h.failed, peers...)
	states := make([]*State, 0, len(h.states))
	for _, s := range h.states {
		if s != nil {
			s.lose(peers)
			states = append(states, s)
		}
	}
	for _, s := range h.retired.states { // which answer for their agreements
		s.lose(peers)
	}
	h.Lock.Unlock()
	for _, s := range states {
		if s.impaired.Load() {
			h.Engine.Hide(s.object.Handle)
		}
		s.pass()
	}
	for _, s := range states {
		s.advance()
	}
	for _, s := range h.retired.states {
		s.advance()
	}
}

// Released implements p2p.FailureHandler.
func (h *Handler) Released(peers []int) {
	h.Lock.Lock()
	defer h.Lock.Unlock()
	h.failed = slices.DeleteFunc(h.failed, func(peer int) bool { return slices.Contains(peers, peer) })
}

// HasFailed reports whether a peer has failed, as far as this process has heard.
func (h *Handler) HasFailed(peer int) bool {
	h.Lock.Lock()
	defer h.Lock.Unlock()
	return slices.Contains(h.failed, peer)
}

// FailureOf implements p2p.FailureHandler.
func (h *Handler) FailureOf(kind request.Kind, k match.Key, peer int) error {
	s, use, err := h.Find(k.Ctx)
	if s == nil || !s.impaired.Load() || use == Agreements {
		return err
	}
	h.Lock.Lock()
	defer h.Lock.Unlock()
	switch {
	case s.revoked.Load() || kind == request.Composite || use == Collective:
		return s.loss()
	case kind == request.Send && peer >= 0:
		if m := s.find(peer, h.JobSize); m >= 0 && s.hasFailed(m) {
			return s.lossOf(m)
		}
	case kind == request.Recv && k.Src != match.AnySource:
		if m := s.Member(int(k.Src), s.inter() && use == Messages); s.hasFailed(m) {
			return s.lossOf(m)
		}
	case kind == request.Recv:
		return s.uncertainty()
	}
	if use == Some {
		return h.lossOfSubset(s, k)
	}
	return nil
}

// subset is some members of a communicator that do something together, in a context under a tag.
type subset struct {
	context uint32
	tag     int
	ranks   []int32
}

// Together has a failure of one of some ranks of an intracommunicator end what all of them do in a context
// under a tag, until the function is called that it returns.
func (h *Handler) Together(context uint32, tag int, ranks []int32) (end func()) {
	if !h.Survives {
		return func() {}
	}
	g := &subset{context, tag, ranks}
	h.Lock.Lock()
	defer h.Lock.Unlock()
	h.subsets = append(h.subsets, g)
	return func() {
		h.Lock.Lock()
		defer h.Lock.Unlock()
		h.subsets = slices.DeleteFunc(h.subsets, func(other *subset) bool { return other == g })
	}
}

// lossOfSubset is the error of what a subset of the members of s does, one of which has failed. The lock is
// held.
func (h *Handler) lossOfSubset(s *State, k match.Key) error {
	for _, g := range h.subsets {
		if g.context != k.Ctx || g.tag != int(k.Tag) {
			continue
		}
		for _, m := range g.ranks {
			if s.hasFailed(int(m)) {
				return s.lossOf(int(m))
			}
		}
	}
	return nil
}

// stateOf is the state of the communicator with that context in its key, nil when there is none. The lock is
// held.
func (h *Handler) stateOf(context uint32) *State {
	if n := context / h.Contexts; n < uint32(len(h.states)) && context%h.Contexts == 0 {
		return h.states[n]
	}
	return nil
}

// Receive implements p2p.AMHandler.
func (h *Handler) Receive(peer int, m p2p.AMHeader, body uintptr, n int64) {
	at := Key{m.Ctx, m.Words[0]}
	h.Lock.Lock()
	s := h.stateOf(at.Context)
	if s != nil && s.birth != at.Birth {
		s = nil
	}
	if s == nil && m.What == saysRevoked {
		if len(h.early) == mostEarly {
			clear(h.early)
		}
		h.early[at] = true
	}
	h.Lock.Unlock()
	switch {
	case m.What == saysBallot:
		h.receiveBallot(s, at, peer, m, body, n)
	case s != nil && m.What == saysRevoked:
		s.revoke()
	}
}
