package comm

import (
	"hash/fnv"
	"slices"

	"gompi/runtime/group"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/p2p"
)

// How communicators are made over bridges, and how they go.

// Side is what the other side has to know of the group of the communicator.
func (c *Comm) Side() bridge.Side {
	var s bridge.Side
	for i := range c.group.Size() {
		s.Members = append(s.Members, c.registry.Processes.Identity(c.group.Of(i)))
		if home, _ := c.engine.Home(c.Coll.Peers.Of(i)); !slices.Contains(s.Jobs, home) {
			s.Jobs = append(s.Jobs, home)
		}
	}
	return s
}

// Enter makes the processes of the other side known to this one, so that messages can go to and fro. Leave
// ends it if Join does not follow.
func (r *Registry) Enter(j bridge.Connection) (*Entry, error) {
	b, err := r.bridges.Enter(j)
	if err != nil {
		return nil, err
	}
	return &Entry{registry: r, bridge: b, Connection: j}, nil
}

// Entry is a bridge that this process has entered.
type Entry struct {
	registry *Registry
	bridge   *bridge.Bridge
	bridge.Connection
}

// Leave gives the entry up. Communicators that were made over the bridge stay.
func (e *Entry) Leave() { e.registry.bridges.Drop([]*bridge.Bridge{e.bridge}) }

// Join makes the intercommunicator between the group of local and the other side, all of whose processes have
// entered.
func (e *Entry) Join(local *Comm, origin string) (*Comm, error) {
	r, b := e.registry, e.bridge
	offset := len(e.Own.Members)
	if !e.First {
		offset = 0
	}
	remote := b.Processes[offset : offset+len(e.Other.Members)]
	peers := make([]int32, len(remote))
	for i, process := range remote {
		if peers[i] = process; int(process) >= r.Processes.Job().Size() {
			peers[i] = int32(b.Peers[offset+i])
		}
	}
	h := fnv.New64a()
	id := b.Segment.ID()
	_, _ = h.Write(id[:]) // never fails
	sum := h.Sum64()
	p := &pair{local: local.members(), root: e.Root, remote: 0, tag: int(sum & (leadersTag - 1))}
	p.x = p2p.Context{ID: bridge.BeyondCIDs | uint32(sum>>32), Size: 1,
		Peers: p2p.Peers{Base: b.Peers[offset+e.Leader]}}
	r.bridges.Settle(p.x.ID, []bridge.Need{bridge.All(b)})
	u, err := r.agree(sum, p.and)
	r.bridges.Unsettle(p.x.ID)
	if err != nil {
		return nil, err
	}
	c := r.shape(local.group, group.New(slices.Clone(remote)), local, origin).inherit(local)
	if !r.Processes.AtHome(c.remote) {
		c.P2P.Peers, c.Cross.Peers = p2p.Peers{Table: peers}, p2p.Peers{Table: peers}
	}
	if err := r.assign(c, u); err != nil {
		return nil, err
	}
	r.engine.Do(c.Recovery.CatchUp)
	b.Joined = true
	return c, nil
}

// separate waits until all processes of c are about to leave it: nobody may as long as others count on it.
// Then all tell of the connections that end by that, and wait for each other once more, so that whoever dies
// afterwards takes nobody along.
func (c *Comm) separate() error {
	if err := c.and([]uint64{0}); err != nil {
		return err
	}
	c.registry.bridges.Renounce(c.bridges)
	return c.and([]uint64{0})
}

// Across reports whether the communicator has processes of several jobs.
func (c *Comm) Across() bool { return len(c.bridges) > 0 }

// Part waits until all processes that this one is connected with have parted from it as well, which
// MPI_Finalize does for all that have not been disconnected (MPI 5.0, 11.10.4), or cannot any more.
func (r *Registry) Part() error {
	r.sweep()
	return r.bridges.Part()
}

// peers is how the engine reaches the processes of a group, as communicator via does if they are of other
// jobs.
func (r *Registry) peers(g *group.Group, via *Comm) p2p.Peers {
	switch {
	case r.Processes.AtHome(g):
		return bridge.PeersOf(g)
	case g == via.group:
		return via.Coll.Peers
	case g == via.remote:
		return via.P2P.Peers
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
	if process < r.Processes.Job().Size() {
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
