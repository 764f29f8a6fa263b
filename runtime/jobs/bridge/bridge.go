// Package bridge connects processes of several jobs below communicators: the numbers of processes, the
// bridges to other jobs and how they end, and notes between processes that have no communicator in common.
package bridge

import (
	"slices"
	"sync"
	"sync/atomic"

	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/recovery"
	"gompi/runtime/transport"
	"gompi/shm"
)

// A bridge connects two groups of processes of different jobs. It is made for one intercommunicator, and used
// by all that are made of this one; when the last of them is gone on this process, the process leaves the
// bridge.

// Bridges is those of a process, and the jobs to which they lead.
type Bridges struct {
	engine    *p2p.Engine
	processes *Processes
	recovery  *recovery.Handler
	linked    func(job shm.JobID, on bool) // nil when nobody wants to know
	lingered  atomic.Bool                  // some bridge has

	mu      sync.Mutex // taken under the engine's lock too, so that must not be taken inside
	jobs    map[shm.JobID]*remoteJob
	all     []*Bridge
	settled map[uint32][]Need // bridges that are used in contexts that belong to no CID
	calls   map[callee]uint64 // notes that have been exchanged so far
}

// New makes those of a process, which has none yet. linked is told of jobs with which it comes to be
// connected, or is so no more; nil when nobody wants to know.
func New(e *p2p.Engine, processes *Processes, failures *recovery.Handler,
	linked func(job shm.JobID, on bool)) *Bridges {
	return &Bridges{engine: e, processes: processes, recovery: failures, linked: linked}
}

// Bridge is this process's end of one.
type Bridge struct {
	transport.Bridge
	Peers     []int   // of the engine, by member; -1 on the own side
	Processes []int32 // by member
	users     int     // communicators, and Join as long as it is at work
	homes     []shm.JobID
	last      []*remoteJob // jobs to which there was no other bridge when it was unlinked
	unlinked  bool
	Joined    bool           // all members have entered, and a communicator was made over it
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

// Connection is what a process has in hand to be connected with another group.
type Connection struct {
	Segment *shm.Segment // of the bridge, which Enter and Refuse take over
	Own     Side
	Other   Side // its segments are taken over too
	First   bool // the own side's members come first at the bridge
	Root    int  // rank of the leader of the own side
	Leader  int  // and of the other one
}

// Enter makes this process's end of a bridge, with one user.
func (bs *Bridges) Enter(j Connection) (*Bridge, error) {
	if j.Segment == nil {
		j.Refuse()
		return nil, mpierr.New(mpierr.ErrNoMem, "this process could not map the memory for the connection")
	}
	own, other := len(j.Own.Members), len(j.Other.Members)
	b := &Bridge{users: 1}
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
		b.Processes = append(b.Processes, bs.processes.number(id))
	}
	if err == nil {
		b.Peers, err = bs.engine.Connect(b.Bridge)
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

// admit counts a bridge to a job, whose segment s is closed if it is mapped already.
func (bs *Bridges) admit(id shm.JobID, s *shm.Segment) *shm.Segment {
	home, first := bs.enlist(id, s)
	if first && bs.linked != nil {
		bs.linked(id, true)
	}
	return home
}

// enlist is admit, and reports whether the bridge is the first one to that job that is in use.
func (bs *Bridges) enlist(id shm.JobID, s *shm.Segment) (home *shm.Segment, first bool) {
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
func (bs *Bridges) share(id shm.JobID) bool {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	known := bs.jobs[id]
	if known != nil {
		known.users++
	}
	return known != nil
}

// Use lists the bridges by which the processes of other jobs are reached in some contexts. Each counts a user
// more.
func (bs *Bridges) Use(contexts ...*p2p.Context) (used []*Bridge) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	for _, x := range contexts {
		for i := range x.Size {
			peer := x.Peers.Of(i)
			if peer < bs.processes.job.Size() {
				continue
			}
			for _, b := range bs.all {
				if slices.Contains(b.Peers, peer) && !slices.Contains(used, b) {
					b.users++
					used = append(used, b)
				}
			}
		}
	}
	return used
}
