package rma

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Windows count the operations of this rank by the way to the target's memory, in the description
// that the C stubs share, which count what they do there as well. Operations that move nothing are
// not counted (origin.Operations).

var _ = [1]struct{}{}[int(tool.Paths)-fast.Paths]

// RMA is what the operations of this rank on the window come to, also when it is gone. Any thread may ask.
func (w *Window) RMA() tool.RMA {
	w.space.mu.Lock()
	defer w.space.mu.Unlock()
	return w.rma()
}

// rma is RMA with the space's lock held.
func (w *Window) rma() (r tool.RMA) {
	if w.final != nil {
		return *w.final
	}
	for p := range r.Operations {
		r.Operations[p] = atomic.LoadUint64(&w.Desc.Operations[p])
		r.Bytes[p] = atomic.LoadUint64(&w.Desc.Moved[p])
	}
	r.TakenBack = w.TakenBack()
	return r
}

// RMA is what the operations of this rank on all windows come to that there are and have been.
func (s *Space) RMA() tool.RMA {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.done
	for w := range s.windows {
		r := w.rma()
		all.Add(&r)
	}
	return all
}

// enroll has the operations on a window counted in the space's.
func (s *Space) enroll(w *Window) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.windows[w] = struct{}{}
}

// retire keeps what the operations on a window have come to that is about to go.
func (s *Space) retire(w *Window) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := w.rma()
	w.final = &r
	s.done.Add(&r)
	delete(s.windows, w)
}
