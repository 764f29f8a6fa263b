// Package runtime is one MPI process: a Process owns everything that the library keeps, so that several can
// live in one program, as they do in tests. It puts the chapters together; each chapter's meaning is in its
// own package.
package runtime

import (
	"slices"
	"time"

	"gompi/fabric"
	"gompi/runtime/coll"
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/file"
	"gompi/runtime/jobs"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/p2p/partitioned"
	"gompi/runtime/rma"
	"gompi/runtime/sharedmem"
	"gompi/runtime/tool"
	"gompi/runtime/transport/network"
	"gompi/runtime/transport/shmem"
	"gompi/shm"
)

// Config says who a process is among those of its job.
type Config struct {
	Rank, Size int
	NodeRank   int   // number on its node
	Node       []int // job ranks of its node, by node rank
	Segment    *shm.Segment
	Kept       bool // the launcher keeps this process's id until no rank of the job is left
	Cores      int  // processors that the ranks of the node share; 0 to find out
	NodeCores  int  // the same by what the launcher has said to each of them; 0 if it has not
	Tracer     int  // process whose descendants the ranks are, 0 when it is not known
	Settings   tool.Settings
	Multiple   bool // MPI_THREAD_MULTIPLE

	Machines []int  // of each rank of the job, by any numbers; nil when all are on this machine
	Cards    Cards  // for ranks of several machines
	Address  string // of this machine, by which the others reach it best; "" when it is not known

	Fabric fabric.Opener // opens the network to other nodes; nil for the built-in one alone
	// under which it is opened when it is needed; nil to do so at once. PrepareFabric is called ahead of that
	// and changes the environment as libfabric is to find it; it may be nil
	Launcher      Launcher
	PrepareFabric func()
	CalledFrom    func() uintptr                     // mpi.InitState.CalledFrom; may be nil
	Linked        func(job shm.JobID, on bool)       // as in comm.Config; may be nil
	Fatal         func(error)                        // as in p2p.Config; may be nil
	Broken        func(on *object.Base, text string) // as in rma.Config; may be nil
	Check         p2p.Check                          // as in p2p.Config, without Types
}

// Cores is the number of processors that this process can use.
func Cores() int { return shmem.Cores() }

// Process is one rank of a job.
type Process struct {
	Config
	net        *shmem.Provider
	far        farProvider // nil when all ranks share the node
	Engine     *p2p.Engine
	Endpoint   *fast.Endpoint // for the C stubs
	Nodes      []int          // node of each rank of the job, some of them pretended; nil when all share one
	onNode     []int32        // node rank of each rank of the job, or fast.OtherNode; nil likewise
	Buffers    *buffered.Buffers
	Partitions *partitioned.Space
	Comms      *comm.Registry
	RMA        *rma.Space
	World      *comm.Comm // MPI_COMM_WORLD
	Self       *comm.Comm // MPI_COMM_SELF
	Files      file.Config
	Ports      jobs.Ports // ports and published names
}

// New makes a process that can communicate. Its peers may do so before or after.
func New(c Config) (*Process, error) {
	if c.Cores == 0 {
		c.Cores = shmem.Cores()
	}
	c.tellPins()
	several := c.Multiple || c.Settings.Assisted // threads that carry on communication
	pattern, err := tool.ParseNodes(c.Settings.PretendNodes)
	if err != nil {
		return nil, mpierr.New(mpierr.ErrOther, "GOMPI_PRETEND_NODES=%v", err)
	}
	nodes := combine(c.Machines, pattern.Assign(c.Size))
	var e *p2p.Engine
	net, err := shmem.New(shmem.Config{
		Segment: c.Segment, Rank: c.Rank, Size: c.Size, NodeRank: c.NodeRank, Ranks: c.Node,
		Cores: c.Cores, NoRead: c.Settings.NoSingleCopy, Tracer: c.Tracer, Kept: c.Kept,
		Spin: c.Settings.Spin, Shared: several, Area: int64(c.Settings.SendArea),
		FarJobs:   c.Settings.PretendNodes != "",
		Malformed: func(peer int, what string) { e.Malformed(peer, "%s", what) },
	})
	if err != nil {
		return nil, mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	isFar := func(rank int) bool { return nodes != nil && nodes[rank] != nodes[c.Rank] }
	joins := p2p.Config{
		Rank: c.Rank, Size: c.Size, Node: c.Node, Net: net, IsFar: isFar, Waiter: net.Waiter(),
		Endpoint: net.Endpoint(), Eager: c.Settings.Eager, Copy: copying(c), Multi: several,
		Check: checked(c), Fatal: c.Fatal,
	}
	var far farProvider
	if nodes != nil && slices.ContainsFunc(nodes, func(node int) bool { return node != nodes[c.Rank] }) {
		if far, err = c.openFar(&e, isFar, net.Waiter().Nudge); err != nil {
			return nil, mpierr.New(mpierr.ErrOther, "%v", err)
		}
		joins.Far = far
	}
	e = p2p.New(joins)
	var cells *collseg.Node
	if !c.Settings.NoSharedColl {
		var near func(int) bool
		if nodes != nil {
			near = func(job int) bool { return nodes[job] == nodes[c.Rank] }
		}
		if cells, err = collseg.NewNode(c.Segment, c.NodeRank, c.Node, near, net.Endpoint()); err != nil {
			return nil, mpierr.New(mpierr.ErrNoMem, "%v", err)
		}
		cells.Crowd(c.Cores, c.NodeCores)
		switch c.Settings.CollCopy {
		case tool.CollCopyShared:
			cells.PinRoute(collseg.Shared)
		case tool.CollCopySingle:
			cells.PinRoute(collseg.Single)
		}
	}
	p := &Process{Config: c, net: net, far: far, Engine: e, Endpoint: net.Endpoint(), Nodes: nodes,
		onNode: nodeRanks(c, nodes)}
	p.OpenFastPath()
	p.Buffers, p.Partitions = buffered.New(e), partitioned.New(e, c.Rank)
	p.Comms, p.World, p.Self = comm.New(comm.Config{
		Engine: e, Buffers: p.Buffers, Rank: c.Rank, Size: c.Size, Nodes: nodes, Machines: c.Machines,
		Multiple: c.Multiple, Assisted: c.Settings.Assisted,
		Cells: cells, Pins: c.Settings.Collectives, SamePins: c.samePins,
		Linked: c.Linked, Recovers: c.Settings.Recovery,
	})
	p.Comms.Meet = func(c *comm.Comm, root int, swap func(own, other []byte) error,
		origin string) (*comm.Comm, error) {
		return jobs.Meet(p.Comms, c, root, swap, origin)
	}
	p.openReports()
	if late, ok := far.(*network.Late); ok {
		time.AfterFunc(settling, late.Begin)
	}
	p.Files = file.Config{Comms: p.Comms, Node: sharedmem.Node{Segment: c.Segment, Ranks: c.Node},
		Traffic: new(file.Traffic)}
	p.RMA = rma.New(rma.Config{Engine: e, Segment: c.Segment, NodeRank: c.NodeRank, Node: c.Node,
		Multiple: c.Multiple, Cores: c.Cores, Comms: p.Comms, Broken: c.Broken})
	return p, nil
}

// copying is how large messages are copied.
func copying(c Config) p2p.Copy {
	crowded, timeout := len(c.Node) > c.Cores, c.Settings.CopyTimeout
	if timeout == 0 && crowded {
		timeout = tool.CrowdedCopyTimeout
	}
	return p2p.Copy{Timeout: time.Duration(timeout) * time.Microsecond, Chunk: c.Settings.CopyChunk,
		Protocol: c.Settings.Rendezvous, Crowded: crowded}
}

// checked is what the engine looks for; nil for nothing.
func checked(c Config) *p2p.Check {
	k := c.Check
	if c.Settings.Check.Has(tool.CheckTypes) {
		k.Types = comm.UserContext
	}
	if k.Types == nil && k.Matched == nil {
		return nil
	}
	return &k
}

// OpenFastPath lets the fast engine carry out calls, unless a setting forbids it or wants each call to be
// checked.
func (p *Process) OpenFastPath() {
	if p.Settings.Assisted {
		p.Engine.Assist()
	}
	if !p.Settings.NoFastPath && p.Settings.Check == 0 {
		p.Endpoint.Open = fast.Opened
		if p.far != nil {
			p.Endpoint.Open = fast.Remote
		}
		if seed := p.Settings.FastPathSeed; seed != 0 {
			p.Endpoint.Open, p.Endpoint.Chance = fast.Random, seed+uint32(p.Rank)*0x9e3779b9
		}
	}
}

// AllowReaders lets another process and its descendants read this one's memory, as Config.Tracer does from
// the start.
func (p *Process) AllowReaders(tracer int) { p.net.AllowReaders(tracer) }

// Spread puts the calling thread, of a rank that is about to begin, on a processor so that the ranks of the
// node are spread evenly where they share processors.
func (p *Process) Spread() {
	if n := len(p.Node); n > p.Cores {
		shm.Spread(p.NodeRank, n)
	}
}

// CloseFastPath ends that. The program has left MPI, for now or for good: ranks of other nodes hear that what
// comes next is no death.
func (p *Process) CloseFastPath() {
	p.Endpoint.Open, p.Endpoint.FarDue = fast.Closed, 0
	p.Engine.Dismiss()
	p.RMA.Dismiss()
	if p.far != nil {
		p.far.Leave(p.Engine.HasFailed, leaving)
	}
}

// Close gives back what the kernel keeps for this process. Where a process of the machine ends with it, there
// is no need for that.
func (p *Process) Close() {
	if p.far != nil {
		p.far.Close()
	}
}

// Accept waits at a port of the root for another group to connect (MPI_Comm_accept); see jobs.Ports.
func (p *Process) Accept(c *comm.Comm, root int, port string, w jobs.Wait) (*comm.Comm, error) {
	return p.Ports.Accept(p.Comms, c, root, port, w)
}

// Connect connects with the group that accepts at a port (MPI_Comm_connect); see jobs.Connect.
func (p *Process) Connect(c *comm.Comm, root int, port string, w jobs.Wait) (*comm.Comm, error) {
	return jobs.Connect(p.Comms, c, root, port, w)
}

// Join connects this process with that at the other end of a socket (MPI_Comm_join); see jobs.Join.
func (p *Process) Join(fd int) (*comm.Comm, error) { return jobs.Join(p.Comms, p.Self, fd) }

// Finalize completes all communication of this process and waits for the others of its job, whose data may
// still lie here (MPI 5.0, 11.2.2).
func (p *Process) Finalize() error {
	p.Ports.Close()
	if err := p.Engine.Drain(); err != nil {
		return err
	}
	if err := p.Comms.Part(); err != nil {
		return err
	}
	if unused, err := p.unused(); unused || err != nil {
		return err
	}
	if err := p.meetLast(); err != nil {
		return err
	}
	return p.Engine.Drain()
}

// meetLast waits until all ranks of the job that live have come to their end.
func (p *Process) meetLast() error {
	if p.Settings.Recovery {
		return p.World.Recovery.MeetLiving()
	}
	err := coll.Barrier(p.World)
	if mpierr.CodeOf(err) == int(mpierr.ErrRevoked) {
		return p.World.Recovery.MeetLiving()
	}
	return err
}

// Counters is what this process has counted.
func (p *Process) Counters() tool.Counters {
	c, t := p.Engine.Counters(), p.Files.Traffic
	c.Collectives, c.RMA = p.Comms.Collectives(), p.RMA.RMA()
	c.Reads, c.ReadBytes, c.Writes, c.WrittenBytes = t.Reads.Load(), t.ReadBytes.Load(), t.Writes.Load(),
		t.WrittenBytes.Load()
	return c
}

// CurrentSettings are the settings that the process has, with what has been changed since its start.
func (p *Process) CurrentSettings() tool.Settings {
	s := p.Settings
	s.Eager = p.Engine.EagerLimit()
	return s
}

// Apply changes those settings that can be changed while the process runs.
func (p *Process) Apply(s tool.Settings) { p.Engine.SetEagerLimit(s.Eager) }
