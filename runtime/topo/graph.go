package topo

import (
	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// Graph is a graph of which every rank knows all nodes and edges (MPI 5.0, 8.5.3). The neighbors of rank r
// are Edges[Index[r-1]:Index[r]], the first ones being those of rank 0.
type Graph struct{ Index, Edges []int32 }

// GraphOf is the graph of a communicator. Without one the error is of class MPI_ERR_TOPOLOGY.
func GraphOf(c *comm.Comm) (*Graph, error) {
	if g, ok := c.Topology.(*Graph); ok {
		return g, nil
	}
	return nil, lacks(c, "graph")
}

// CheckNodes checks the number of nodes of a graph for c.
func CheckNodes(c *comm.Comm, nodes int) error {
	if nodes < 0 || nodes > c.Size() {
		return mpierr.New(mpierr.ErrArg, "nnodes is %d, must be from 0 to %d, the size of communicator %q", nodes, c.Size(), c.Label())
	}
	return nil
}

// CheckIndex checks that the ends of the lists of neighbors do not fall.
func CheckIndex(index []int32) error {
	end := int32(0)
	for i, v := range index {
		if v < end {
			return mpierr.New(mpierr.ErrArg, "indx[%d] is %d, must be at least %d", i, v, end)
		}
		end = v
	}
	return nil
}

// CheckEdges checks that edges end at nodes of the graph.
func CheckEdges(edges []int32, nodes int) error {
	for i, v := range edges {
		if v < 0 || int(v) >= nodes {
			return mpierr.New(mpierr.ErrArg, "edges[%d] is %d, must be from 0 to %d", i, v, nodes-1)
		}
	}
	return nil
}

// CreateGraph makes a communicator whose ranks are the nodes of a graph that has been checked
// (MPI_Graph_create, MPI 5.0, 8.5.3). Ranks beyond the graph get nil. The order of the ranks stays as it is.
func CreateGraph(r *comm.Registry, c *comm.Comm, g *Graph) (*comm.Comm, error) {
	d, err := r.Subset(c, first(c, len(g.Index)), "MPI_Graph_create")
	if d != nil && err == nil {
		d.Topology = g
	}
	return d, err
}

// MapGraph is the rank that the caller would have in a graph of that many nodes, group.Undefined beyond it
// (MPI_Graph_map, MPI 5.0, 8.5.8).
func MapGraph(c *comm.Comm, nodes int) int { return mapped(c, nodes) }

// Neighbors lists the neighbors of a rank of c, as they were given (MPI_Graph_neighbors, MPI 5.0, 8.5.5).
func (g *Graph) Neighbors(c *comm.Comm, rank int) ([]int32, error) {
	if err := within(c, "rank", rank); err != nil {
		return nil, err
	}
	return g.of(rank), nil
}

func (g *Graph) of(rank int) []int32 {
	begin := int32(0)
	if rank > 0 {
		begin = g.Index[rank-1]
	}
	return g.Edges[begin:g.Index[rank]]
}

// Neighborhood is the rank's neighbors as they were given. Graphs for neighborhood collectives are symmetric
// (MPI 5.0, 8.6).
func (g *Graph) Neighborhood(me int) Neighborhood {
	ns := g.of(me)
	return Neighborhood{Sources: ns, Destinations: ns}
}
