package comm

import (
	"gompi/runtime/group"
	"gompi/shm"
	"gompi/wire/state"
)

// What reports of a rank's waits need to know of contexts.

// InContext is the communicator to which a context belongs, and the one whose ranks are named there, which is
// the same but where some ranks of it do a part of a collective operation among themselves; nil when there is
// none. own says that the context is for the program's messages.
func (r *Registry) InContext(ctx uint32) (c, ranks *Comm, own bool) {
	if ctx >= beyondCIDs {
		return nil, nil, false
	}
	if c = r.Of(ctx); c == nil {
		return nil, nil, false
	}
	ranks = c
	switch ctx % contextsEach {
	case withinContext:
		ranks = c.within
	case betweenContext:
		ranks = c.between
	case railContext:
		ranks = c.rail
	}
	return c, ranks, UserContext(ctx)
}

// CID is the number of the communicator's contexts, the same on all its ranks.
func (c *Comm) CID() uint32 { return c.cid }

// RankOfPeer is the rank to which messages of a context go that reach a peer of the engine, -1 if there is
// none.
func (r *Registry) RankOfPeer(ctx uint32, peer int) int32 {
	_, c, own := r.InContext(ctx)
	if c == nil {
		return -1
	}
	x := &c.Coll
	if own || c.remote != nil {
		x = &c.P2P
	}
	for rank := range x.Size {
		if x.Peers.Of(rank) == peer {
			return int32(rank)
		}
	}
	return -1
}

// Group implements p2p.Grouped.
func (p parted) Group() (name string, g *group.Group) {
	return "a connection between jobs", group.New(p.b.processes)
}

// Describe implements p2p.Describer.
func (p parted) Describe(n *state.Need) {
	n.Kind, n.Text = state.Window, "the same call of"
	for i := range p.b.Members {
		if !shm.Left(p.b.Segment, i) && !p.b.Members[i].Own {
			n.Absent = append(n.Absent, int32(i))
		}
	}
}
