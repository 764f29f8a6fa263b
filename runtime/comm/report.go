package comm

import "gompi/runtime/jobs/bridge"

// What reports of a rank's waits need to know of contexts.

// InContext is the communicator to which a context belongs, and the one whose ranks are named there, which is
// the same but where some ranks of it do a part of a collective operation among themselves; nil when there is
// none. own says that the context is for the program's messages.
func (r *Registry) InContext(ctx uint32) (c, ranks *Comm, own bool) {
	if ctx >= bridge.BeyondCIDs {
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
