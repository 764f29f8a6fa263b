package comm

import (
	"slices"
	"sync"
	"sync/atomic"

	"gompi/runtime/collseg"
	"gompi/runtime/group"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/recovery"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Each communicator has a communicator ID (CID), the same on all its ranks, and the contexts that belong to
// it:
const (
	userContext     = iota // the user's messages
	collContext            // collectives
	setupContext           // collective calls that make communicators
	groupContext           // calls that make communicators among some ranks only, told apart by a tag
	withinContext          // collectives among the ranks of one node (layout.go)
	betweenContext         // and among the first ranks of all nodes
	railContext            // and among the ranks that have the same index on their nodes
	recoveryContext        // what goes on in spite of failures
	contextsEach           // contexts of a communicator
	worldCID        = 0
	selfCID         = 1
)

// UserContext reports whether a context is for the messages of its communicator's user.
func UserContext(id uint32) bool { return id%contextsEach == userContext }

// Registry holds the communicators of a process, and knows which context ids are in use. Several threads may
// use it.
type Registry struct {
	Processes *bridge.Processes

	engine   *p2p.Engine
	buffers  *buffered.Buffers
	recovery *recovery.Handler
	bridges  *bridge.Bridges
	places   placement
	ids      contextIDs

	// Also that of the recovery. It is taken under the engine's lock, which must not be taken inside.
	mu    sync.Mutex
	comms []*Comm          // by CID; nil where there is none
	freed []*Comm          // whose last operations are not done yet
	done  tool.Collectives // on communicators that are gone
	pins  tool.Pins

	lingering atomic.Int32 // the length of freed

	alone bool    // a single thread carries on communication
	spare []*Comm // then: memory of communicators that are gone, for others

	samePins func() error

	// Meet connects the group of c with one of other jobs. swap exchanges notes with the other leader; it is
	// called at root alone. It is set before the first use of the registry.
	Meet func(c *Comm, root int, swap func(own, other []byte) error, origin string) (*Comm, error)
}

// Config says whose communicators a registry holds.
type Config struct {
	Engine     *p2p.Engine
	Buffers    *buffered.Buffers
	Rank, Size int   // in the job
	Nodes      []int // node of each job rank; nil when all share one
	Machines   []int // likewise, without those that are pretended
	Multiple   bool
	Assisted   bool          // a thread of the library's carries on communication
	Cells      *collseg.Node // where communicators find shared memory for collectives; nil when there is none

	Pins     tool.Pins    // algorithms of collective operations that the user has chosen
	SamePins func() error // compares them with those of other ranks, as far as these are known

	Recovers bool // the job survives deaths

	// Linked is called, with nothing locked, when this process comes to be connected with another job, and
	// when it is so no more; nil when nobody wants to know.
	Linked func(job shm.JobID, on bool)
}

// New makes the registry of a process, and its two predefined communicators.
func New(c Config) (r *Registry, world, self *Comm) {
	job := group.Range(0, 1, c.Size)
	processes := bridge.NewProcesses(c.Engine, job, c.Rank)
	r = &Registry{pins: c.Pins, samePins: c.SamePins, engine: c.Engine, buffers: c.Buffers,
		Processes: processes, alone: !c.Multiple && !c.Assisted,
		places: placement{rank: c.Rank, nodes: c.Nodes, machines: c.Machines},
		ids:    contextIDs{single: !c.Multiple, segments: c.Cells, clock: 1}}
	c.Engine.Broken = r.broken
	r.recovery = recovery.NewHandler(recovery.Config{Engine: c.Engine, JobSize: c.Size, Survives: c.Recovers,
		Lock: &r.mu, Contexts: contextsEach, Find: r.find})
	r.bridges = bridge.New(c.Engine, processes, r.recovery, c.Linked)
	world = r.shape(job, nil, nil, "MPI_Init")
	world.hasBlock = r.ids.segments != nil
	world.SetName("MPI_COMM_WORLD")
	self = r.shape(group.Range(c.Rank, 1, 1), nil, nil, "MPI_Init")
	self.SetName("MPI_COMM_SELF")
	for cid, c := range [...]*Comm{worldCID: world, selfCID: self} {
		r.ids.claim(uint32(cid))
		r.enroll(c, agreed{cid: uint32(cid)})
	}
	return r, world, self
}

// agree has ranks whose words the function and combines find a CID that is free on all. seed is the same on
// all, and differs between calls that may be made at the same time.
func (r *Registry) agree(seed uint64, and func(words []uint64) error) (agreed, error) {
	r.sweep()
	return r.ids.agree(seed, and)
}

// add makes a communicator with the contexts of a CID that has been agreed on. Its processes of other jobs
// are reached as via reaches them.
func (r *Registry) add(u agreed, local, remote *group.Group, via *Comm, origin string) (*Comm, error) {
	c := r.shape(local, remote, via, origin)
	if err := r.assign(c, u); err != nil {
		return nil, err
	}
	r.engine.Do(c.Recovery.CatchUp)
	return c, nil
}

// shape makes a communicator that has no contexts yet.
func (r *Registry) shape(local, remote *group.Group, via *Comm, origin string) *Comm {
	c := r.blank()
	c.engine, c.registry, c.group, c.remote = r.engine, r, local, remote
	c.Kind, c.Origin = object.Comm, origin
	c.Coll = p2p.Context{Rank: local.Rank(r.Processes.Rank()), Size: local.Size(),
		Peers: r.peers(local, via)}
	c.P2P = c.Coll
	c.P2P.Session = local.Session()
	if remote != nil {
		c.P2P.Size, c.P2P.Peers = remote.Size(), r.peers(remote, via)
		c.Cross = new(p2p.Context)
		*c.Cross = c.P2P
	}
	return c
}

// mostSpare is how many communicators are kept for others.
const mostSpare = 8

// keep keeps the memory of a communicator that is gone for another one, where nobody knows it any more: a
// single thread carries on communication, there has been no collective operation on it in Go, and it belongs
// to no other object.
func (r *Registry) keep(c *Comm) {
	untouched := c.OnNbc == nil && c.Team == nil && c.Calling.Name == "" && c.done.Load() == nil && !c.laid
	if r.alone && untouched && !c.held && len(r.spare) < mostSpare {
		r.spare = append(r.spare, c)
	}
}

// blank is a communicator without anything.
func (r *Registry) blank() *Comm {
	n := len(r.spare) - 1
	if n < 0 {
		return new(Comm)
	}
	c := r.spare[n]
	r.spare = r.spare[:n]
	*c = Comm{}
	return c
}

// assign gives a communicator its contexts, and maps its shared memory if it has any.
func (r *Registry) assign(c *Comm, u agreed) error {
	if c.hasBlock = u.hasBlock && c.remote == nil && c.Size() > 1 && r.Processes.AtHome(c.group); c.hasBlock {
		if err := r.ids.segments.Enter(int(u.cid), u.addresses); err != nil {
			r.ids.free(u.cid)
			return mpierr.Memory(err)
		}
	} else {
		r.ids.returnAddresses(u.addresses)
	}
	r.enroll(c, u)
	return nil
}

// enroll makes a communicator the owner of the contexts that were agreed on.
func (r *Registry) enroll(c *Comm, u agreed) {
	c.cid = u.cid
	first := c.cid * contextsEach
	c.P2P.ID, c.Coll.ID = first+userContext, first+collContext
	members := recovery.Members{Own: recovery.Side{Group: c.group, Context: &c.Coll}}
	if c.remote != nil {
		c.Cross.ID = c.Coll.ID
		members.Remote = recovery.Side{Group: c.remote, Context: &c.P2P}
		members.Second = r.Processes.ComesSecond(c.group, c.remote)
	}
	if !r.Processes.AtHome(c.group) || c.remote != nil && !r.Processes.AtHome(c.remote) {
		c.bridges = r.bridges.Use(&c.Coll, &c.P2P)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := int(c.cid) + 1; n > len(r.comms) {
		r.comms = slices.Grow(r.comms, n-len(r.comms))[:n]
	}
	r.comms[c.cid] = c
	r.recovery.Enroll(&c.Recovery, &c.Base, &c.P2P, first+recoveryContext, u.birth, members)
}

// find implements recovery.Config.Find.
func (r *Registry) find(context uint32) (s *recovery.State, use recovery.Use, err error) {
	if settled, err := r.bridges.SettledIn(context); settled {
		return nil, 0, err
	}
	c := r.owner(context)
	if c == nil {
		return nil, 0, nil
	}
	switch context % contextsEach {
	case userContext:
		use = recovery.Messages
	case groupContext:
		use = recovery.Some
	case recoveryContext:
		use = recovery.Agreements
	}
	return &c.Recovery, use, nil
}

// owner is the communicator that a context belongs to, nil when there is none.
func (r *Registry) owner(context uint32) *Comm {
	return r.Of(context &^ bridge.BeyondCIDs) // partitions have contexts with that bit as well
}

// broken is why nothing can be completed in a context any more: a bridge that is used in it is cut. Where
// deaths are survived, that is for find to say in the contexts of communicators. It is called under the
// engine's lock.
func (r *Registry) broken(context uint32) error {
	settled, err := r.bridges.SettledIn(context)
	if settled || r.recovery.Survives {
		return err
	}
	if c := r.owner(context); c != nil {
		return r.bridges.Severed(c.bridges)
	}
	return nil
}

// Of is the communicator that owns a context, also one that was freed while operations go on; nil when there
// is none.
func (r *Registry) Of(context uint32) *Comm {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cid := context / contextsEach; cid < uint32(len(r.comms)) {
		return r.comms[cid]
	}
	return nil
}

// Free gives up a communicator. Operations that are on their way end as if it were still there; its contexts
// are used again when they have (MPI 5.0, 7.4.3).
func (r *Registry) Free(c *Comm) {
	if !c.inUse() {
		r.release(c)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.freed = append(r.freed, c)
	r.lingering.Add(1)
}

// Disconnect waits until everything that this process does on c has been done, and gives it up
// (MPI_Comm_disconnect, MPI 5.0, 11.10.4).
func (r *Registry) Disconnect(c *Comm) error {
	if err := r.engine.Quiet(c.cid*contextsEach, contextsEach); err != nil {
		return err
	}
	if c.Across() {
		if err := c.separate(); err != nil {
			if err := r.engine.Alive(); err != nil {
				return err
			}
			// The other side has died: there is nothing to wait for.
			r.engine.Purge(c.cid*contextsEach, contextsEach)
			r.release(c)
			return nil
		}
		c.Recovery.ForgetAgreements() // all have been here: nobody asks any more
	}
	r.Free(c)
	return nil
}

// inUse reports whether operations are on their way on c, or another rank may still read what this one has
// shown in a collective.
func (c *Comm) inUse() bool {
	pending := c.engine.Pending(c.cid*contextsEach, contextsEach)
	if pending || c.Recovery.Impaired() {
		return pending // whoever has not read what this rank has shown in an impaired one will not
	}
	a, b := c.segment.Load(), c.nbc.Load()
	return a != nil && !a.Drained() || b != nil && !b.Drained() || c.within != nil && c.within.inUse()
}

// sweep gives free the contexts of freed communicators whose operations have ended. The engine's lock is
// never taken inside the registry's: nonblocking agreements take them the other way around.
func (r *Registry) sweep() {
	if r.lingering.Load() > 0 {
		r.mu.Lock()
		freed := slices.Clone(r.freed)
		r.mu.Unlock()
		for _, c := range freed {
			if !c.inUse() && r.forget(c) {
				r.release(c)
			}
		}
	}
	r.bridges.Sweep()
}

// forget takes c off the list of the freed; false when another thread was faster.
func (r *Registry) forget(c *Comm) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.Index(r.freed, c)
	if at < 0 {
		return false
	}
	r.freed = slices.Delete(r.freed, at, at+1)
	r.lingering.Add(-1)
	return true
}

// release gives the contexts of c free. An attached buffer goes with them. Where a process has failed or c
// was revoked, others may not have heard of it and still send on c: its CID is never used again then, so that
// no later communicator finds these messages. An agreement may tell of that before the news has come.
func (r *Registry) release(c *Comm) {
	r.buffers.Abandon(&c.P2P)
	at, asked := c.Recovery.Retire()
	if asked {
		r.bridges.Retire(c.bridges, at)
	}
	c.abandonSegments()
	if b := c.nbc.Load(); b != nil {
		b.DropNeighbors()
		r.engine.DropResumer(c.Coll.ID)
	}
	if c.hasBlock {
		r.ids.segments.Leave(int(c.cid))
	}
	r.mu.Lock()
	r.comms[c.cid] = nil
	r.retire(c)
	c.Recovery.Dismiss()
	reuse := !c.Recovery.Abandoned()
	r.mu.Unlock()
	if reuse && !asked {
		r.keep(c)
	}
	if reuse {
		r.ids.free(c.cid)
	}
	r.bridges.Drop(c.bridges)
}
