package rma

import (
	"slices"
	"sync"
	"sync/atomic"

	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Space is what one process keeps for one-sided communication. Several threads may use it.
type Space struct {
	engine            *p2p.Engine
	seg               *shm.Segment
	node              uint32 // node rank
	nodes             map[int]int
	multi             bool
	crowd             bool                      // ranks share cores
	ways              *ways                     // of puts and gets to private memory
	nextPolls         uint32                    // how often to look for a rank's next active message
	guardLooks        int                       // how often to look whether a guard is free before a yield
	lists             sync.Pool                 // of *list
	notes, amRequests sync.Pool                 // of *note and *amRequest, for far ranks
	progress          *progress                 // nil as long as no window needs one
	handlers          atomic.Pointer[[]*Window] // windows in which others may send this rank active messages

	broken func(on *object.Base, text string) // Config.Broken

	comms *comm.Registry
	fars  atomic.Pointer[map[uint32]*far] // windows that have far ranks, by context

	mu      sync.Mutex
	regions []region           // memory of this process in allocations, by address
	mapped  map[int64]*mapping // allocations of other ranks that are mapped here, by offset
	heap    heap
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
	s := &Space{engine: c.Engine, seg: c.Segment, node: uint32(c.NodeRank),
		nodes: make(map[int]int, len(c.Node)), multi: c.Multiple, ways: newWays(),
		crowd:      len(c.Node) > c.Cores,
		nextPolls:  uint32(shm.Polls(shm.SpinNextMessage)),
		guardLooks: max(1, shm.Polls(shm.SpinGuard)/guardPause),
		comms:      c.Comms,
		broken:     c.Broken,
		mapped:     map[int64]*mapping{}, windows: map[*Window]struct{}{}}
	for r, job := range c.Node {
		s.nodes[job] = r
	}
	s.lists.New = func() any { return &list{make([]shm.Piece, 0, mostPieces)} }
	s.notes.New = func() any { return &note{} }
	s.amRequests.New = func() any { return &amRequest{runs: make([]shm.Piece, 0, maxRuns)} }
	s.engine.AM.Handle(p2p.WindowRoom, s)
	elements(s.engine.Endpoint())
	return s
}

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

// region is memory of this process in a shared allocation: size bytes at base are those at off of the file.
type region struct {
	base uintptr
	size int64
	off  int64
}

// holds reports whether the n bytes at addr lie in the region.
func (r *region) holds(addr uintptr, n int64) bool {
	return addr >= r.base && addr-r.base <= uintptr(r.size) && n <= r.size-int64(addr-r.base)
}

// mapping is an allocation of another rank that is mapped here for some windows.
type mapping struct {
	base  uintptr
	size  int64
	users int
}

// insert makes a region known. The lock is held.
func (s *Space) insert(r region) {
	i, _ := slices.BinarySearchFunc(s.regions, r.base, byBase)
	s.regions = slices.Insert(s.regions, i, r)
}

// remove makes a region unknown again. The lock is held.
func (s *Space) remove(base uintptr) {
	if i, ok := slices.BinarySearchFunc(s.regions, base, byBase); ok {
		s.regions = slices.Delete(s.regions, i, i+1)
	}
}

func byBase(r region, base uintptr) int {
	switch {
	case r.base < base:
		return -1
	case r.base > base:
		return 1
	}
	return 0
}

// find is the region that holds all of the n bytes at addr; ok is false when there is none.
func (s *Space) find(addr uintptr, n int64) (r region, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, exact := slices.BinarySearchFunc(s.regions, addr, byBase)
	if !exact {
		i--
	}
	if i < 0 || !s.regions[i].holds(addr, n) {
		return region{}, false
	}
	return s.regions[i], true
}

// reserve makes an allocation and maps it.
func (s *Space) reserve(n int64) (region, error) {
	off, size, err := s.seg.Reserve(n)
	if err != nil {
		return region{}, mpierr.Memory(err)
	}
	base, err := s.seg.Map(off, size)
	if err != nil {
		s.seg.Discard(off, size)
		return region{}, mpierr.Memory(err)
	}
	return region{base, size, off}, nil
}

// attach maps the allocation of another rank, or finds where it is mapped already. release gives it back.
func (s *Space) attach(off, size int64) (uintptr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.mapped[off]
	if p == nil {
		base, err := s.seg.Map(off, size)
		if err != nil {
			return 0, mpierr.Memory(err)
		}
		p = &mapping{base: base, size: size}
		s.mapped[off] = p
	}
	p.users++
	return p.base, nil
}

func (s *Space) release(off int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.mapped[off]; p != nil {
		if p.users--; p.users == 0 {
			s.seg.Unmap(p.base, p.size)
			delete(s.mapped, off)
		}
	}
}
