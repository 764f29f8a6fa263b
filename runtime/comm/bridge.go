package comm

import (
	"hash/fnv"
	"slices"
	"sync"

	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/recovery"
	"gompi/runtime/transport"
	"gompi/shm"
)

// A bridge connects two groups of processes of different jobs. It is made for one intercommunicator, and used
// by all that are made of this one; when the last of them is gone on this process, the process leaves the
// bridge.

// bridges is those of a process, and the jobs to which they lead.
type bridges struct {
	engine    *p2p.Engine
	processes *Processes
	recovery  *recovery.Handler
	linked    func(job shm.JobID, on bool) // nil when nobody wants to know

	mu      sync.Mutex // taken under the engine's lock too, so that must not be taken inside
	jobs    map[shm.JobID]*remoteJob
	all     []*bridge
	settled map[uint32][]need // bridges that are used in contexts that belong to no CID
	calls   map[callee]uint64 // notes that have been exchanged so far
}

// bridge is this process's end of one.
type bridge struct {
	transport.Bridge
	peers     []int   // of the engine, by member; -1 on the own side
	processes []int32 // by member
	users     int     // communicators, and Join as long as it is at work
	homes     []shm.JobID
	last      []*remoteJob // jobs to which there was no other bridge when it was unlinked
	unlinked  bool
	joined    bool           // all members have entered, and a communicator was made over it
	lingers   bool           // no communicator uses it, but others may ask this process over it
	retired   []recovery.Key // communicators over it that are gone and whose agreements they may ask about
}

// remoteJob is a job that this process is connected with.
type remoteJob struct {
	home      *shm.Segment
	users     int // bridges
	lingering int // those of them that no communicator uses any more
}

// Side is one of the two groups that are to be connected: who they are, in the order of their ranks, and the
// segments of their jobs.
type Side struct {
	Members []transport.Identity
	Jobs    []*shm.Segment
}

// Side is what the other side has to know of the group of the communicator.
func (c *Comm) Side() Side {
	var s Side
	for i := range c.group.Size() {
		s.Members = append(s.Members, c.registry.Processes.Identity(c.group.Of(i)))
		if home, _ := c.engine.Home(c.Coll.Peers.Of(i)); !slices.Contains(s.Jobs, home) {
			s.Jobs = append(s.Jobs, home)
		}
	}
	return s
}

// Connection is what a process has in hand to be connected with another group.
type Connection struct {
	Segment *shm.Segment // of the bridge, which Enter and Refuse take over
	Own     Side
	Other   Side // its segments are taken over too
	First   bool // the own side's members come first at the bridge
	Root    int  // rank of the leader of the own side
	Leader  int  // and of the other one
}

// Enter makes the processes of the other side known to this one, so that messages can go to and fro. Leave
// ends it if Join does not follow.
func (r *Registry) Enter(j Connection) (*Entry, error) {
	b, err := r.bridges.enter(j)
	if err != nil {
		return nil, err
	}
	return &Entry{registry: r, bridge: b, Connection: j}, nil
}

// enter makes this process's end of a bridge, with one user.
func (bs *bridges) enter(j Connection) (*bridge, error) {
	if j.Segment == nil {
		j.Refuse()
		return nil, mpierr.New(mpierr.ErrNoMem, "this process could not map the memory for the connection")
	}
	own, other := len(j.Own.Members), len(j.Other.Members)
	b := &bridge{users: 1}
	b.Segment = j.Segment
	at := map[shm.JobID]*shm.Segment{}
	for _, s := range j.Own.Jobs {
		id := s.ID()
		if at[id] = s; bs.share(id) {
			b.homes = append(b.homes, id)
		}
	}
	for _, s := range j.Other.Jobs {
		id := s.ID()
		if at[id] != nil { // a job may have processes on both sides
			s.Close()
			continue
		}
		at[id] = bs.admit(id, s)
		b.homes = append(b.homes, id)
	}
	members := slices.Concat(j.Own.Members, j.Other.Members)
	if !j.First {
		members = slices.Concat(j.Other.Members, j.Own.Members)
	}
	me := bs.processes.Identity(bs.processes.rank)
	var err error
	for i, id := range members {
		m := transport.Member{Home: at[id.Job], Rank: int(id.Node), Own: (i < own) == j.First}
		if !j.First {
			m.Own = i >= other
		}
		if m.Home == nil || m.Rank < 0 || m.Rank >= m.Home.Ranks() {
			err = mpierr.New(mpierr.ErrIntern, "the other side names a process of an unknown job")
			break
		}
		if id == me {
			b.Me = i
		}
		b.Members = append(b.Members, m)
		b.processes = append(b.processes, bs.processes.number(id))
	}
	if err == nil {
		b.peers, err = bs.engine.Connect(b.Bridge)
	}
	if err != nil {
		bs.abandon(b)
		return nil, err
	}
	shm.Attach(b.Segment, b.Me)
	bs.mu.Lock()
	bs.all = append(bs.all, b)
	bs.mu.Unlock()
	return b, nil
}

// Refuse gives back what a connection holds that cannot be entered.
func (j Connection) Refuse() {
	if j.Segment != nil {
		j.Segment.Close()
	}
	for _, s := range j.Other.Jobs {
		s.Close()
	}
}

// Entry is a bridge that this process has entered.
type Entry struct {
	registry *Registry
	bridge   *bridge
	Connection
}

// Leave gives the entry up. Communicators that were made over the bridge stay.
func (e *Entry) Leave() { e.registry.bridges.drop([]*bridge{e.bridge}) }

// Join makes the intercommunicator between the group of local and the other side, all of whose processes have
// entered.
func (e *Entry) Join(local *Comm, origin string) (*Comm, error) {
	r, b := e.registry, e.bridge
	offset := len(e.Own.Members)
	if !e.First {
		offset = 0
	}
	remote := b.processes[offset : offset+len(e.Other.Members)]
	peers := make([]int32, len(remote))
	for i, process := range remote {
		if peers[i] = process; int(process) >= r.Processes.job.Size() {
			peers[i] = int32(b.peers[offset+i])
		}
	}
	h := fnv.New64a()
	id := b.Segment.ID()
	_, _ = h.Write(id[:]) // never fails
	sum := h.Sum64()
	p := &pair{local: local.members(), root: e.Root, remote: 0, tag: int(sum & (leadersTag - 1))}
	p.x = p2p.Context{ID: beyondCIDs | uint32(sum>>32), Size: 1,
		Peers: p2p.Peers{Base: b.peers[offset+e.Leader]}}
	r.bridges.settle(p.x.ID, []need{{b, everybody}})
	u, err := r.agree(sum, p.and)
	r.bridges.unsettle(p.x.ID)
	if err != nil {
		return nil, err
	}
	c := r.shape(local.group, group.New(slices.Clone(remote)), local, origin).inherit(local)
	if !r.Processes.atHome(c.remote) {
		c.P2P.Peers, c.Cross.Peers = p2p.Peers{Table: peers}, p2p.Peers{Table: peers}
	}
	if err := r.assign(c, u); err != nil {
		return nil, err
	}
	r.engine.Do(c.Recovery.CatchUp)
	b.joined = true
	return c, nil
}

// admit counts a bridge to a job, whose segment s is closed if it is mapped already.
func (bs *bridges) admit(id shm.JobID, s *shm.Segment) *shm.Segment {
	home, first := bs.enlist(id, s)
	if first && bs.linked != nil {
		bs.linked(id, true)
	}
	return home
}

// enlist is admit, and reports whether the bridge is the first one to that job that is in use.
func (bs *bridges) enlist(id shm.JobID, s *shm.Segment) (home *shm.Segment, first bool) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if known := bs.jobs[id]; known != nil {
		known.users++
		s.Close()
		return known.home, known.users-1 == known.lingering
	}
	if bs.jobs == nil {
		bs.jobs = map[shm.JobID]*remoteJob{}
	}
	bs.jobs[id] = &remoteJob{home: s, users: 1}
	return s, true
}

// share counts a bridge to a job whose processes are on the own side of it; false for the own job.
func (bs *bridges) share(id shm.JobID) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	known := bs.jobs[id]
	if known != nil {
		known.users++
	}
	return known != nil
}

// use lists the bridges over which a communicator reaches its processes. Each counts a user more.
func (bs *bridges) use(c *Comm) (used []*bridge) {
	if bs.processes.atHome(c.group) && (c.remote == nil || bs.processes.atHome(c.remote)) {
		return nil
	}
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, x := range [...]*p2p.Context{&c.Coll, &c.P2P} {
		for i := range x.Size {
			peer := x.Peers.Of(i)
			if peer < bs.processes.job.Size() {
				continue
			}
			for _, b := range bs.all {
				if slices.Contains(b.peers, peer) && !slices.Contains(used, b) {
					b.users++
					used = append(used, b)
				}
			}
		}
	}
	return used
}

// separate waits until all processes of c are about to leave it: nobody may as long as others count on it.
// Then all tell of the connections that end by that, and wait for each other once more, so that whoever dies
// afterwards takes nobody along.
func (c *Comm) separate() error {
	if err := c.and([]uint64{0}); err != nil {
		return err
	}
	c.registry.bridges.renounce(c.bridges)
	return c.and([]uint64{0})
}

// Across reports whether the communicator has processes of several jobs.
func (c *Comm) Across() bool { return len(c.bridges) > 0 }
