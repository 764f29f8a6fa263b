package rma

import (
	"sync"

	"gompi/runtime/am"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/rma/alloc"
	"gompi/runtime/rma/origin"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Space is what one process keeps for one-sided communication. Several threads may use it.
type Space struct {
	*alloc.Space
	config Config
	nodes  map[int]int // node ranks by job rank
	crowd  bool        // ranks share cores
	worker *am.Worker
	shared *origin.Shared

	mu      sync.Mutex
	windows map[*Window]struct{} // that are there
	done    tool.RMA             // on windows that are gone
}

// Config says whose space it is.
type Config struct {
	Engine   *p2p.Engine
	Segment  *shm.Segment
	NodeRank int
	Node     []int // job ranks of the node, by node rank
	Multiple bool  // MPI_THREAD_MULTIPLE
	Cores    int   // processors that the ranks of the node share
	Comms    *comm.Registry

	// Broken is told of promises that the program has made about a window and does not keep; nil when nobody
	// wants to know.
	Broken func(on *object.Base, text string)
}

// New makes the space of a process.
func New(c Config) *Space {
	s := &Space{Space: alloc.New(c.Segment), config: c, nodes: make(map[int]int, len(c.Node)),
		crowd:  len(c.Node) > c.Cores,
		worker: am.NewWorker(c.Engine, c.Segment, c.NodeRank, c.Multiple, c.Broken),
		shared: origin.NewShared(), windows: map[*Window]struct{}{}}
	for r, job := range c.Node {
		s.nodes[job] = r
	}
	elements(c.Engine.Endpoint())
	return s
}

// Dismiss ends the progress thread, if there is one. The program has left MPI.
func (s *Space) Dismiss() { s.worker.Dismiss() }

// elements tells package fast which predefined datatypes are elements that it combines.
func elements(e *fast.Endpoint) {
	kinds := [datatype.Basics]uint8{
		datatype.Int32: fast.ElementInt32, datatype.Uint32: fast.ElementUint32,
		datatype.Int64: fast.ElementInt64, datatype.Uint64: fast.ElementUint64,
		datatype.Float32: fast.ElementFloat, datatype.Float64: fast.ElementDouble,
	}
	for _, t := range datatype.All() {
		switch t.Kind() {
		case datatype.CInteger, datatype.FortranInteger, datatype.MultiLanguage, datatype.Floating:
			e.Elements[uintptr(t.Handle())-fast.FirstType] = kinds[t.Basic()]
		}
	}
}

// Held calls f for each lock of a window that this rank holds; of MPI_Win_lock_all the first one stands for
// all.
func (s *Space) Held(f func(name string, g *group.Group, target int, exclusive bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.windows {
		name, g := w.Identity()
		for r := range w.Targets {
			switch open := w.Targets[r].Open; open {
			case fast.OpenShared, fast.OpenExclusive, fast.OpenAll:
				f(name, g, r, open == fast.OpenExclusive)
			}
		}
	}
}
