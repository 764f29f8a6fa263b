// Package topo is the virtual topology of a communicator: a Cartesian grid, a graph that every rank knows as
// a whole, or a graph of which every rank knows its own neighbors. It makes such communicators, tells who is
// where, and moves data between neighbors (MPI 5.0, chapter 8). It knows nothing of the other collective
// operations, nor of handles.
//
// A topology belongs to one rank's view of a communicator and never changes, so duplicates share it.
package topo

import (
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// Topology is what the three kinds have in common.
type Topology interface {
	// Neighborhood is with whom a rank communicates in neighborhood collectives; me is the rank of the
	// caller.
	Neighborhood(me int) Neighborhood
}

// Neighborhood is the neighbors of one rank in the order of its blocks (MPI 5.0, 8.6); p2p.ProcNull stands
// where there is none.
type Neighborhood struct {
	Sources, Destinations []int32
	// Crossed says that what a rank sends by its block i arrives in block i^1 of the other side, as in a
	// grid, where what goes to the left comes from the right. Otherwise the k-th block that a rank sends to
	// another one is the k-th that this one receives from it.
	Crossed bool
}

// NeighborhoodOf is the neighborhood of the calling rank of c. Without a topology the error is of class
// MPI_ERR_TOPOLOGY.
func NeighborhoodOf(c *comm.Comm) (Neighborhood, error) {
	if t := Of(c); t != nil {
		return t.Neighborhood(c.Rank()), nil
	}
	return Neighborhood{}, lacks(c, "virtual")
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
