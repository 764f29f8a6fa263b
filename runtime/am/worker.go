package am

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// Worker carries out the messages for one process, of all its windows. Several threads may use it.
type Worker struct {
	engine    *p2p.Engine
	segment   *shm.Segment
	node      int // node rank
	multiple  bool
	broken    func(on *object.Base, text string)
	nextPolls uint32 // how often to look for a rank's next message

	messages, sends sync.Pool // of *Message and *send

	windows atomic.Pointer[[]*Window]          // in which others may have something carried out here
	far     atomic.Pointer[map[uint32]*Window] // those that have far ranks, by context

	mu     sync.Mutex // guards changes of the two above, and the next one
	thread *progress  // nil as long as no window needs one
}

// NewWorker makes the worker of a process, which has a rank on its node. multiple says that several threads
// may call at once. broken is told of promises that the program has made about a window and does not keep;
// nil when nobody wants to know.
func NewWorker(e *p2p.Engine, segment *shm.Segment, node int, multiple bool,
	broken func(on *object.Base, text string)) *Worker {
	s := &Worker{engine: e, segment: segment, node: node, multiple: multiple, broken: broken,
		nextPolls: uint32(shm.Polls(shm.SpinNextMessage))}
	s.messages.New = func() any { return &Message{Memory: make([]shm.Piece, 0, maxRuns)} }
	s.sends.New = func() any { return &send{runs: make([]shm.Piece, 0, maxRuns)} }
	s.windows.Store(&[]*Window{})
	s.far.Store(&map[uint32]*Window{})
	e.AM.Handle(p2p.WindowRoom, s)
	return s
}

// Enable has messages looked for in a window, if others may send this rank some.
func (w *Window) Enable() {
	s := w.worker
	if w.Desc.Threaded != 0 {
		s.assist(w)
	}
	if w.Desc.Flags&fast.Handles != 0 || w.far != nil {
		w.served = true
		s.mu.Lock()
		s.serve(append([]*Window{w}, *s.windows.Load()...))
		s.mu.Unlock()
	}
}

// Close ends that: nobody looks there any more when it returns. No message is under way any more.
func (w *Window) Close() {
	s := w.worker
	if w.Desc != nil && w.Desc.Threaded != 0 {
		s.unassist(w)
	}
	s.mu.Lock()
	if w.served {
		s.serve(slices.DeleteFunc(slices.Clone(*s.windows.Load()), func(v *Window) bool { return v == w }))
	}
	if w.far != nil && w.far.expected {
		all := maps.Clone(*s.far.Load())
		delete(all, w.far.ctx)
		s.far.Store(&all)
	}
	s.mu.Unlock()
	if w.far != nil && w.far.expected {
		s.engine.AM.Expect(-1)
	}
}

// serve has messages looked for in these windows. The lock is held.
func (s *Worker) serve(windows []*Window) {
	s.windows.Store(&windows)
	if len(windows) == 0 {
		s.engine.SetServer(nil)
	} else {
		s.engine.SetServer(s)
	}
}

// expect has the messages of far ranks taken from now on.
func (s *Worker) expect(f *far) {
	s.mu.Lock()
	all := maps.Clone(*s.far.Load())
	all[f.ctx] = f.w
	s.far.Store(&all)
	s.mu.Unlock()
	s.engine.AM.Expect(1)
	f.expected = true
}

// Serve carries out messages of other ranks. It implements p2p.Server, under the engine's lock.
func (s *Worker) Serve() (did bool) {
	for _, w := range *s.windows.Load() {
		if w.far != nil && w.far.serve() {
			did = true
		}
		if w.Desc.Flags&fast.Handles == 0 {
			continue
		}
		if n := w.serveRings(); n > 0 {
			did = true
			if w.carried < manyMessages {
				w.admitStubs(n)
			}
		}
	}
	return did
}
