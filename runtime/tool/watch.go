package tool

import (
	"sync"

	"gompi/runtime/mpierr"
)

// Session isolates the handles of one tool from those of others (MPI 5.0, 15.3.7).
type Session struct {
	mu      sync.Mutex
	watches map[*Watch]bool
}

// NewSession opens a session.
func NewSession() *Session { return &Session{watches: map[*Watch]bool{}} }

// Watch is a handle of a performance variable within a session.
type Watch struct {
	Variable *Performance
	Handle   uintptr // by which the program knows it; for the use of the layer above
	session  *Session
	counters func() Counters
	running  bool
	base     uint64 // the variable when the watch was started last
	sum      uint64 // what came together before that
}

// Watch makes a handle on the counters that the function copies: those of the process, or of the object that
// the variable belongs to. Variables that can be started are stopped at first.
func (s *Session) Watch(p *Performance, counters func() Counters) *Watch {
	w := &Watch{Variable: p, session: s, counters: counters}
	s.mu.Lock()
	s.watches[w] = true
	s.mu.Unlock()
	return w
}

// Forget frees a handle. It returns false when w is not of this session.
func (s *Session) Forget(w *Watch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := s.watches[w]
	delete(s.watches, w)
	return mine
}

// Owns reports whether w is a handle of this session.
func (s *Session) Owns(w *Watch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watches[w]
}

// Watches are the handles of the session.
func (s *Session) Watches() []*Watch {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*Watch, 0, len(s.watches))
	for w := range s.watches {
		all = append(all, w)
	}
	return all
}

func (w *Watch) now() uint64 {
	c := w.counters()
	return w.Variable.read(&c)
}

// Start and Stop begin and end what Value adds up; the error is of class MPI_T_ERR_PVAR_NO_STARTSTOP for
// variables that always run.
func (w *Watch) Start() error { return w.turn(true) }

// Stop is explained at Start.
func (w *Watch) Stop() error { return w.turn(false) }

func (w *Watch) turn(on bool) error {
	if !w.Variable.Growing() {
		return mpierr.New(mpierr.TErrPvarNoStartstop, "performance variable %s is always running", w.Variable.Name)
	}
	w.session.mu.Lock()
	defer w.session.mu.Unlock()
	now := w.now()
	if w.running {
		w.sum += now - w.base
	}
	w.base, w.running = now, on
	return nil
}

// Value is what the variable has come to while the watch was started; the variable itself where it always
// runs.
func (w *Watch) Value() uint64 {
	w.session.mu.Lock()
	defer w.session.mu.Unlock()
	return w.value(w.now())
}

func (w *Watch) value(now uint64) uint64 {
	switch {
	case !w.Variable.Growing():
		return now
	case w.running:
		return w.sum + now - w.base
	}
	return w.sum
}

// Set makes v the value, and what happens from now on is added to it. It returns the value so far, and loses
// nothing in between. The error is of class MPI_T_ERR_PVAR_NO_WRITE for variables that are read only.
func (w *Watch) Set(v uint64) (uint64, error) {
	if !w.Variable.Growing() {
		return 0, mpierr.New(mpierr.TErrPvarNoWrite, "performance variable %s can only be read", w.Variable.Name)
	}
	w.session.mu.Lock()
	defer w.session.mu.Unlock()
	now := w.now()
	before := w.value(now)
	w.sum, w.base = v, now
	return before, nil
}
