package am

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"gompi/shm"
)

// progress is the thread of a process that carries out active messages while the process computes, for all
// windows in which some rank cannot reach the private memory of another one by single copy. It begins with
// the first such window and sleeps until an origin for which nobody has come summons it.
type progress struct {
	summons *uint32 // shm.RankSummons
	bell    shm.Bell
	mu      sync.Mutex // held for each look at the windows
	windows []*Window
	closing atomic.Bool
	done    chan struct{}
}

// assist has the progress thread look after a window.
func (s *Worker) assist(w *Window) {
	s.mu.Lock()
	a := s.thread
	if a == nil {
		own := s.segment.Base + shm.RankOffset(s.node)
		a = &progress{summons: shm.Word32(own + shm.RankSummons), bell: shm.BellOf(s.segment, s.node),
			done: make(chan struct{})}
		s.thread = a
		go a.run()
	}
	s.mu.Unlock()
	a.mu.Lock()
	a.windows = append(a.windows, w)
	a.mu.Unlock()
	if !w.empty() {
		summon(a.summons) // an origin was quicker
	}
}

// unassist ends that: the thread does not touch the window any more when it returns.
func (s *Worker) unassist(w *Window) {
	s.mu.Lock()
	a := s.thread
	s.mu.Unlock()
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.windows = slices.DeleteFunc(a.windows, func(v *Window) bool { return v == w })
}

// Dismiss ends the progress thread, if there is one. The program has left MPI.
func (s *Worker) Dismiss() {
	s.mu.Lock()
	a := s.thread
	s.thread = nil
	s.mu.Unlock()
	if a != nil {
		a.closing.Store(true)
		summon(a.summons)
		<-a.done
	}
}

func (a *progress) run() {
	runtime.LockOSThread()
	debug.SetPanicOnFault(true)
	defer close(a.done)
	for {
		v := atomic.LoadUint32(a.summons) // pairs with summon
		for !a.closing.Load() && a.look() {
		}
		if a.closing.Load() {
			return
		}
		a.bell.Ring() // this rank may wait for all to be carried out
		shm.FutexWait(a.summons, v, 0)
	}
}

// look carries out messages in all windows, and reports whether there were any.
func (a *progress) look() (any bool) {
	a.mu.Lock()
	n := 0
	for _, w := range a.windows {
		if !w.empty() {
			any = true
			n += w.serveRings()
		}
	}
	a.mu.Unlock()
	if any && n == 0 {
		shm.Yield() // somebody holds a guard, or another thread is about it
	}
	return any
}

// summon wakes the progress thread that sleeps by a word.
func summon(word *uint32) {
	atomic.AddUint32(word, 1)
	shm.FutexWake(word, math.MaxInt32)
}
