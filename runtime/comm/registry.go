package comm

import (
	"math/bits"
	"slices"
	"sync"

	"gompi/runtime/area"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
)

// Each communicator owns one unit of contexts, the same on all its ranks:
const (
	userContext   = iota // the user's messages
	collContext          // collectives
	setupContext         // collective calls that make communicators
	groupContext         // calls that make communicators among some ranks only, told apart by the user's tag
	contextsEach         // contexts in a unit
	worldUnit     = 0
	selfUnit      = 1
	bootstrapUnit = 2 // for communicators that are made from no communicator; ranks are those of the job
)

// maxWords bounds the units, which are counted in words of 64.
const maxWords = 1 << 12

// Registry holds the communicators of a process, and knows which context ids are in use. Several threads may use it.
type Registry struct {
	engine *p2p.Engine
	job    *group.Group // all ranks of the job
	rank   int          // job rank
	node   int          // a number that the ranks of this node have in common
	single bool         // one thread at a time calls

	mu    sync.Mutex
	used  []uint64 // bit u: unit u is in use
	comms map[uint32]*Comm
	freed []*Comm // whose last operations are not done yet
}

// Config says whose communicators a registry holds.
type Config struct {
	Engine     *p2p.Engine
	Rank, Size int // in the job
	Node       int // a number that the ranks of this node have in common
	Multiple   bool
	Area       *area.Area // of MPI_COMM_WORLD; nil when its ranks do not share a node, or have none
}

// New makes the registry of a process, and its two predefined communicators.
func New(c Config) (r *Registry, world, self *Comm) {
	r = &Registry{engine: c.Engine, job: group.Range(0, 1, c.Size), rank: c.Rank, node: c.Node, single: !c.Multiple,
		used: []uint64{1 << bootstrapUnit}, comms: map[uint32]*Comm{}}
	world = r.add(worldUnit, r.job, nil, "MPI_Init")
	world.area = c.Area
	world.SetName("MPI_COMM_WORLD")
	self = r.add(selfUnit, group.Range(c.Rank, 1, 1), nil, "MPI_Init")
	self.SetName("MPI_COMM_SELF")
	return r, world, self
}

// peersOf is how the engine reaches the ranks of a group.
func peersOf(g *group.Group) (p p2p.Peers) {
	p.Base, p.Stride, p.Table = g.Form()
	return p
}

// add makes a communicator with the contexts of a unit that nobody uses.
func (r *Registry) add(unit uint32, local, remote *group.Group, origin string) *Comm {
	c := &Comm{engine: r.engine, registry: r, unit: unit, group: local, remote: remote}
	c.Kind, c.Origin = object.Comm, origin
	first := unit * contextsEach
	c.Coll = p2p.Context{ID: first + collContext, Rank: local.Rank(r.rank), Size: local.Size(), Peers: peersOf(local)}
	c.P2P = c.Coll
	c.P2P.ID = first + userContext
	if remote != nil {
		c.P2P.Size, c.P2P.Peers = remote.Size(), peersOf(remote)
		c.Cross = c.P2P
		c.Cross.ID = c.Coll.ID
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mark(unit)
	r.comms[unit] = c
	return c
}

// Of is the communicator that owns a context, also one that was freed while operations go on; nil when there is none.
func (r *Registry) Of(context uint32) *Comm {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.comms[context/contextsEach]
}

// Rank is this process's job rank.
func (r *Registry) Rank() int { return r.rank }

// Job is the group of all ranks of the job.
func (r *Registry) Job() *group.Group { return r.job }

// Free gives up a communicator. Operations that are on their way end as if it were still there; its contexts are used
// again when they have (MPI 5.0, 7.4.3).
func (r *Registry) Free(c *Comm) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.freed = append(r.freed, c)
	r.sweep()
}

// Pending tells whether operations are on their way on c.
func (r *Registry) Pending(c *Comm) bool { return r.engine.Pending(c.unit*contextsEach, contextsEach) }

// sweep gives free the contexts of freed communicators whose operations have ended. The lock is held.
func (r *Registry) sweep() {
	r.freed = slices.DeleteFunc(r.freed, func(c *Comm) bool {
		if r.Pending(c) {
			return false
		}
		r.unmark(c.unit)
		delete(r.comms, c.unit)
		return true
	})
}

func (r *Registry) mark(unit uint32) {
	w := int(unit / 64)
	for len(r.used) <= w {
		r.used = append(r.used, 0)
	}
	r.used[w] |= 1 << (unit % 64)
}

func (r *Registry) unmark(unit uint32) { r.used[unit/64] &^= 1 << (unit % 64) }

// claim takes a unit if it is free.
func (r *Registry) claim(unit uint32) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if w := int(unit / 64); w < len(r.used) && r.used[w]>>(unit%64)&1 != 0 {
		return false
	}
	r.mark(unit)
	return true
}

func (r *Registry) giveBack(unit uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unmark(unit)
}

// offer writes into free which of the units from word number first on nobody uses here.
func (r *Registry) offer(first int, free []uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep()
	for i := range free {
		free[i] = ^uint64(0)
		if w := first + i; w < len(r.used) {
			free[i] = ^r.used[w]
		}
	}
}

// firstWindow is how many words of units are looked at first; usually there is a free one among them.
const firstWindow = 4

// agree finds a unit that is free on all who take part and takes it on this one. and combines words of all who take
// part, bit by bit. seed is the same on all, and differs between agreements that may run at the same time.
//
// Several threads of a process may be at it for several communicators. None ever waits for another one: a unit that a
// thread has taken in the meantime is found out in a second step, and looked for again from another place. Where each
// process has one thread at work the second step is left out.
func (r *Registry) agree(seed uint64, and func(words []uint64) error) (uint32, error) {
	for first, n := 0, firstWindow; first < maxWords; {
		n = min(n, maxWords-first)
		words := make([]uint64, 1+n)
		if r.single {
			words[0] = 1
		}
		r.offer(first, words[1:])
		if err := and(words); err != nil {
			return 0, err
		}
		single, free := words[0] != 0, words[1:]
		from := 0
		if !single {
			seed = seed*0x5851f42d4c957f2d + 0x14057b7ef767814f
			from = int(seed >> 33 % uint64(64*n))
		}
		at := oneFrom(free, from)
		if at < 0 {
			first, n = first+n, 4*n
			continue
		}
		unit := uint32(64*first + at)
		taken := r.claim(unit)
		if single {
			return unit, nil
		}
		verdict := []uint64{0}
		if taken {
			verdict[0] = 1
		}
		err := and(verdict)
		if err == nil && verdict[0] != 0 {
			return unit, nil
		}
		if taken {
			r.giveBack(unit)
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, mpierr.New(mpierr.ErrNoMem, "more than %d communicators", maxWords*64)
}

// oneFrom is the number of a bit that is set, looked for from bit number from on and around the end; -1 when none is.
func oneFrom(words []uint64, from int) int {
	for i := range len(words) + 1 {
		w := (from/64 + i) % len(words)
		word := words[w]
		switch i {
		case 0:
			word &= ^uint64(0) << (from % 64)
		case len(words):
			word &^= ^uint64(0) << (from % 64)
		}
		if word != 0 {
			return 64*w + bits.TrailingZeros64(word)
		}
	}
	return -1
}
