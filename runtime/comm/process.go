package comm

import (
	"bytes"
	"cmp"

	"gompi/runtime/group"
	"gompi/runtime/p2p"
	"gompi/runtime/transport"
	"gompi/shm"
)

// Processes have numbers, of which groups consist: those of the own job their rank in it, those of other jobs
// the next ones, in the order in which they became known here. A number stands for the same process for ever.
// Which peer of the engine a process is depends on the bridge over which one of the communicators reaches it.

// Identity tells who the process with a number is, whichever process asks.
func (r *Registry) Identity(process int) transport.Identity {
	if process < r.job.Size() {
		home, _ := r.engine.Home(r.rank)
		id := transport.Identity{Job: home.ID(), Rank: int32(process), Node: -1}
		if there, node := r.engine.Home(process); there != nil {
			id.Node = int32(node)
		}
		return id
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.remoteProcesses[process-r.job.Size()]
}

// number is that of a process, which becomes known by that.
func (r *Registry) number(id transport.Identity) int32 {
	if home, _ := r.engine.Home(r.rank); id.Job == home.ID() {
		return id.Rank
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.numbers[id]
	if !ok {
		if r.numbers == nil {
			r.numbers = map[transport.Identity]int32{}
		}
		n = int32(r.job.Size() + len(r.remoteProcesses))
		r.numbers[id] = n
		r.remoteProcesses = append(r.remoteProcesses, id)
	}
	return n
}

// before orders processes the same on all.
func before(a, b transport.Identity) int {
	if c := bytes.Compare(a.Job[:], b.Job[:]); c != 0 {
		return c
	}
	return cmp.Compare(a.Rank, b.Rank)
}

// first is the process of a group that comes before all others of it.
func (r *Registry) first(g *group.Group) transport.Identity {
	first := r.Identity(g.Of(0))
	for i := 1; i < g.Size(); i++ {
		if id := r.Identity(g.Of(i)); before(id, first) < 0 {
			first = id
		}
	}
	return first
}

// atHome reports whether all processes of a group are of this one's job.
func (r *Registry) atHome(g *group.Group) bool {
	base, stride, table := g.Form()
	if table == nil {
		return g.Size() == 0 || max(base, base+stride*(g.Size()-1)) < r.job.Size()
	}
	for _, process := range table {
		if int(process) >= r.job.Size() {
			return false
		}
	}
	return true
}

// sameJob reports whether two groups that are about to be connected are of one job.
func (r *Registry) sameJob(p *pair, local *group.Group) (bool, error) {
	id := r.Identity(r.rank).Job
	var own, other [shm.JobIDSize + 1]byte
	copy(own[:], id[:])
	if !r.atHome(local) {
		own[shm.JobIDSize] = 1
	}
	err := p.swap(own[:], other[:])
	return own == other && own[shm.JobIDSize] == 0, err
}

// peers is how the engine reaches the processes of a group, as communicator via does if they are of other
// jobs.
func (r *Registry) peers(g *group.Group, via *Comm) p2p.Peers {
	if r.atHome(g) {
		return peersOf(g)
	}
	table := make([]int32, g.Size())
	for i := range table {
		table[i] = int32(r.peer(g.Of(i), via))
	}
	return p2p.Peers{Table: table}
}

// peer is the number by which the engine knows a process that via reaches, which matters for processes of
// other jobs.
func (r *Registry) peer(process int, via *Comm) int {
	if process < r.job.Size() {
		return process
	}
	if rank := via.group.Rank(process); rank != group.Undefined {
		return via.Coll.Peers.Of(rank)
	}
	if via.remote != nil {
		if rank := via.remote.Rank(process); rank != group.Undefined {
			return via.P2P.Peers.Of(rank)
		}
	}
	return -1
}
