// Package topo is the virtual topology of a communicator: a Cartesian grid, a graph that every rank knows as a whole, or
// a graph of which every rank knows its own neighbors. It makes such communicators, tells who is where, and moves data
// between neighbors (MPI 5.0, chapter 8). It knows nothing of the other collective operations, nor of handles.
//
// A topology belongs to one rank's view of a communicator and never changes, so duplicates share it.
package topo

import (
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// Topology is what the three kinds have in common.
type Topology interface {
	// neighborhood is with whom neighborhood collectives communicate.
	neighborhood(me int) neighborhood
}

// neighborhood is the neighbors of one rank in the order of its blocks; p2p.ProcNull stands where there is none.
type neighborhood struct {
	sources, destinations []int32
	// crossed says that what a rank sends by its block i arrives in block i^1 of the other side, as in a grid, where
	// what goes to the left comes from the right. Otherwise the k-th block that a rank sends to another one is the
	// k-th that this one receives from it.
	crossed bool
}

// Of is the topology of a communicator, nil when it has none.
func Of(c *comm.Comm) Topology {
	t, _ := c.Topology.(Topology)
	return t
}

// lacks is the error for a communicator without the topology that a call is about.
func lacks(c *comm.Comm, kind string) error {
	return mpierr.New(mpierr.ErrTopology, "communicator %q has no %s topology", c.Label(), kind)
}

// within checks a rank of a communicator.
func within(c *comm.Comm, what string, rank int) error {
	if rank < 0 || rank >= c.Size() {
		return mpierr.New(mpierr.ErrRank, "%s: rank %d is not in communicator %q of size %d", what, rank, c.Label(), c.Size())
	}
	return nil
}
