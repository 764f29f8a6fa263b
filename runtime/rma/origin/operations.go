package origin

import (
	"sync"

	"gompi/runtime/am"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/rma/epoch"
	"gompi/runtime/rma/target"
	"gompi/runtime/tune"
	"gompi/shm"
)

// Operations are those of a window.
type Operations struct {
	*am.Window
	shared      *Shared
	dynamic     bool
	epochs      *epoch.Epochs
	attachments *target.Attachments
	guards      *target.Guards
}

// New makes those of a window.
func New(w *am.Window, dynamic bool, s *Shared, e *epoch.Epochs, a *target.Attachments,
	g *target.Guards) *Operations {
	o := &Operations{w, s, dynamic, e, a, g}
	w.TakeBack = o.takeBack
	return o
}

// Shared is what the windows of a process have in common here.
type Shared struct {
	lists sync.Pool // of *list

	mu         sync.Mutex
	gets, puts tune.Sizes // what is known of the paths of puts and gets to private memory
}

// NewShared makes it for a process.
func NewShared() *Shared {
	s := &Shared{gets: tune.Sizes{Least: 9}, puts: tune.Sizes{Least: 9}}
	s.lists.New = func() any { return &list{make([]shm.Piece, 0, mostPieces)} }
	return s
}

// holds reports whether runs are all in the window of a near rank.
func (w *Operations) holds(rank int, runs []shm.Piece) bool {
	for i := range runs {
		if !w.attachments.Within(rank, uint64(runs[i].Addr), runs[i].Size) {
			return false
		}
	}
	return true
}

// takeBack does by single copy what a message to a near rank is about.
func (w *Operations) takeBack(rank int, m *am.Message) error {
	r := request{kind: m.Kind, n: int64(m.Bytes)}
	buf := datatype.Raw(uintptr(m.Addr), r.n)
	r.targetMemory = targetMemory{w: w, peer: &w.Peers[rank], rank: rank, buf: buf}
	combines := m.Kind >= fast.PacketAccumulate
	switch {
	case combines && (m.Runs != 0 || !r.Read(m)) || !w.holds(rank, m.Memory) || !m.Whole():
		return am.Corrupted(rank, &m.Header)
	case !combines:
		return r.carry(m.Data, r.n, m.Memory, m.Kind == fast.PacketPut)
	}
	chunk := w.Engine.Scratch.Take(2 * fast.PacketRoom)
	defer w.Engine.Scratch.Put(chunk)
	r.Work = chunk.Address()
	if m.Kind != fast.PacketAccumulate {
		r.Old = r.Work + fast.PacketRoom
	}
	err := r.guarded(0, r.n)
	if err == nil && r.Old != 0 {
		shm.Copy(m.Data, r.Old, r.n)
	}
	return err
}
