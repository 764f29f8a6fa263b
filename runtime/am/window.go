package am

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// Window is what messages need of a window, and all its parts share: its name, its ranks, and how each is
// reached. But for what is under way it does not change once the window has been made.
type Window struct {
	object.Base
	Desc    *fast.Window  // what the C stubs know of it
	Targets []fast.Target // Desc's, by rank
	Peers   []Peer        // by rank
	Engine  *p2p.Engine

	TakeBack func(rank int, m *Message) error // does by single copy what a message to a rank is about
	Resume   func() bool                      // goes on with what handlers have begun, if it can

	worker   *Worker
	group    *group.Group
	me       int
	far      *far // nil unless the window has ranks that only packets reach
	handlers [handled]Handler
	served   bool // the worker looks after the window
	carried  int  // messages of near ranks that were carried out, up to manyMessages

	sending   shm.Mutex     // held by the thread that posts messages to near ranks, at MPI_THREAD_MULTIPLE
	takenBack atomic.Uint64 // messages that this rank has done itself
}

// Handler carries out the messages of some kinds at their target.
type Handler interface {
	// Handle carries a message out. done is false when it has to wait, and is then handled again; ok is false
	// when it is refused.
	Handle(m *Message) (done, ok bool)
}

// Peer is a rank of a window.
type Peer struct {
	Job     int
	Process *shm.Process // by which its private memory is reached; nil when the rank has to do it itself
	Addr    uintptr      // where its private memory begins, in its own address space
	Summons *uint32      // of its progress thread
}

// NewWindow makes the window of a group's ranks, without what the ranks share. peer is a rank's number of the
// engine, and whether it is near.
func (s *Worker) NewWindow(g *group.Group, me int, peer func(rank int) (number int, near bool)) *Window {
	w := &Window{Engine: s.engine, worker: s, group: g, me: me, Peers: make([]Peer, g.Size())}
	w.far = separate(w, peer)
	return w
}

// SetHandler has messages of some kinds handled by h.
func (w *Window) SetHandler(h Handler, kinds ...uint32) {
	for _, k := range kinds {
		w.handlers[k] = h
	}
}

// Rank is this rank's number in the window's group.
func (w *Window) Rank() int { return w.me }

// Size is the number of ranks of the window's group.
func (w *Window) Size() int { return len(w.Peers) }

// Unit is the displacement unit of a rank, in bytes.
func (w *Window) Unit(rank int) int64 { return w.Targets[rank].Unit }

// Group is the group of the window (MPI_Win_get_group).
func (w *Window) Group() *group.Group { return w.group }

// Multiple reports whether several threads may call at once.
func (w *Window) Multiple() bool { return w.worker.multiple }

// Own is this rank.
func (w *Window) Own() *fast.Target { return &w.Targets[w.me] }

// Word is a word in the block of a rank.
func (w *Window) Word(rank int, offset uintptr) *uint32 {
	return shm.Word32(w.Targets[rank].Block + offset)
}

// Line is the line of a rank in the block of another one.
func (w *Window) Line(owner, rank int) *uint32 {
	return w.Word(owner, fast.BlockLines+uintptr(rank)*fast.LineSize)
}

// CheckRank refuses what is no rank of the window.
func (w *Window) CheckRank(rank int) error {
	if uint(rank) >= uint(len(w.Peers)) {
		return mpierr.New(mpierr.ErrRank, "rank %d is not in the window's group of size %d", rank, len(w.Peers))
	}
	return nil
}

// Look takes in what far ranks want. The program may ask again and again for what they are to change, or to
// wait for.
func (w *Window) Look() {
	if w.far != nil {
		w.Engine.Progress()
	}
}

// WaitFor waits for something that other ranks of the window bring about.
func (w *Window) WaitFor(condition p2p.Condition) error {
	if w.far == nil {
		return w.Engine.WaitFor(condition)
	}
	return w.Engine.WaitIn(w.far.ctx, condition)
}

// HasFailedRanks reports whether a process of the window has failed, and the job goes on.
func (w *Window) HasFailedRanks() bool {
	return w.Engine.Alive() == nil && w.Engine.AliveIn(w.group) != nil
}

// Identity is what reports call a window, and its ranks.
func (w *Window) Identity() (name string, g *group.Group) {
	if name = w.Name(); name == "" {
		name = "a window from " + w.Origin
	}
	return name, w.group
}

// Broke tells of a promise of the program's that is not kept. It changes nothing else: the library relies on
// none.
func (w *Window) Broke(text string) {
	if w.worker.broken != nil {
		w.worker.broken(&w.Base, text)
	}
}

// Watched reports whether anybody wants to hear of such promises.
func (w *Window) Watched() bool { return w.worker.broken != nil }

// TakenBack is how many messages this rank has carried out itself, because their target did not come.
func (w *Window) TakenBack() uint64 { return w.takenBack.Load() }
