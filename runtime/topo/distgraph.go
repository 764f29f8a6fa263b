package topo

import (
	"encoding/binary"

	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// DistGraph is a graph of which a rank knows its own edges (MPI 5.0, 8.5.4).
type DistGraph struct {
	Weighted bool
	In, Out  Edges // from the sources, to the destinations
}

// Edges are the edges of one rank in one direction.
type Edges struct {
	Ranks   []int32
	Weights []int32 // as many; nil when the graph has no weights
}

func (e *Edges) add(rank, weight int32) {
	e.Ranks, e.Weights = append(e.Ranks, rank), append(e.Weights, weight)
}

// DistGraphOf is the distributed graph of a communicator. Without one the error is of class MPI_ERR_TOPOLOGY.
func DistGraphOf(c *comm.Comm) (*DistGraph, error) {
	if g, ok := c.Topology.(*DistGraph); ok {
		return g, nil
	}
	return nil, lacks(c, "distributed graph")
}

// Neighborhood is the sources and destinations in the order of MPI_Dist_graph_neighbors (MPI 5.0, 8.6).
func (g *DistGraph) Neighborhood(int) Neighborhood {
	return Neighborhood{Sources: g.In.Ranks, Destinations: g.Out.Ranks}
}

// CheckRanks checks that all ranks are ranks of c.
func CheckRanks(c *comm.Comm, name string, ranks []int32) error {
	for i, r := range ranks {
		if err := within(c, name, int(r)); err != nil {
			return mpierr.New(mpierr.ErrRank, "%s[%d]: rank %d is not in communicator %q of size %d", name, i, r, c.Label(), c.Size())
		}
	}
	return nil
}

// CheckWeights checks that no weight is negative.
func CheckWeights(name string, weights []int32) error {
	for i, w := range weights {
		if w < 0 {
			return mpierr.New(mpierr.ErrArg, "%s[%d] is %d, must not be negative", name, i, w)
		}
	}
	return nil
}

// CreateAdjacent makes a communicator whose ranks are the nodes of a graph, from each rank's own edges, which
// have been checked (MPI_Dist_graph_create_adjacent, MPI 5.0, 8.5.4). The order of the ranks stays as it is.
func CreateAdjacent(r *comm.Registry, c *comm.Comm, g *DistGraph) (*comm.Comm, error) {
	return createDist(r, c, g, "MPI_Dist_graph_create_adjacent")
}

func createDist(r *comm.Registry, c *comm.Comm, g *DistGraph, origin string) (*comm.Comm, error) {
	d, err := r.Subset(c, c.Group(), origin)
	if err == nil {
		d.Topology = g
	}
	return d, err
}

// Contribution is what one rank says of a graph: edges of any ranks.
type Contribution struct {
	Weights      Weights
	Sources      []int32 // the rank that each edge begins at
	Destinations []int32
	Weight       []int32 // of each edge; nil when there are no weights
	Err          error   // what is wrong with the rest, which then does not count
}

// Weights is what a rank says about the weights of a graph.
type Weights uint8

// What a rank may say.
const (
	Silent     Weights = iota // it has no edges and leaves it to the others
	Unweighted                // MPI_UNWEIGHTED
	Weighted
	wrong // the arguments of the rank are wrong
)

// CreateDist makes a communicator whose ranks are the nodes of a graph, from edges that any rank may name
// (MPI_Dist_graph_create, MPI 5.0, 8.5.4). An error in one rank's contribution is an error of all. The edges
// of a rank are in the order of the ranks that named them, and in these ranks' order, so that parallel edges
// are in the same order on both sides.
func CreateDist(r *comm.Registry, c *comm.Comm, own Contribution) (*comm.Comm, error) {
	if own.Err != nil {
		own = Contribution{Weights: wrong, Err: own.Err}
	}
	g, err := distribute(c, own)
	if own.Err != nil {
		return nil, own.Err
	}
	if err != nil {
		return nil, err
	}
	return createDist(r, c, g, "MPI_Dist_graph_create")
}

// distribute tells every rank its edges. Every rank has something to say to every other one, if only that
// there are no edges: so all learn of wrong arguments and of weights that some have and others have not.
func distribute(c *comm.Comm, own Contribution) (*DistGraph, error) {
	size, me := c.Size(), c.Rank()
	lists := own.edgeLists(size)
	received := make([]edgeList, size)
	received[me] = lists[me]
	said := make([]Weights, size)
	said[me] = own.Weights
	for k := 1; k < size; k++ {
		to, from := (me+k)%size, (me-k+size)%size
		var out, in [headBytes]byte
		lists[to].head(own.Weights, out[:])
		if err := c.Swap(out[:], to, in[:], from); err != nil {
			return nil, err
		}
		said[from] = received[from].announced(in[:])
		bytes := make([]byte, edgeBytes*len(received[from]))
		if err := c.Swap(lists[to].bytes(), to, bytes, from); err != nil {
			return nil, err
		}
		received[from].fill(bytes)
	}
	weighted, err := agreed(said)
	if err != nil {
		return nil, err
	}
	g := &DistGraph{Weighted: weighted}
	for _, p := range received {
		for _, e := range p {
			if e.out != 0 {
				g.Out.add(e.other, e.weight)
			} else {
				g.In.add(e.other, e.weight)
			}
		}
	}
	if !weighted {
		g.In.Weights, g.Out.Weights = nil, nil
	}
	return g, nil
}

// agreed is whether the graph has weights.
func agreed(said []Weights) (bool, error) {
	with, without := -1, -1
	for rank, w := range said {
		switch w {
		case wrong:
			return false, mpierr.New(mpierr.ErrArg, "the arguments of rank %d are wrong", rank)
		case Weighted:
			with = rank
		case Unweighted:
			without = rank
		}
	}
	if with >= 0 && without >= 0 {
		return false, mpierr.New(mpierr.ErrArg, "rank %d passes weights, rank %d passes MPI_UNWEIGHTED; all have to do the same", with, without)
	}
	return without < 0, nil
}

// edge is what a rank is told of one of its edges.
type edge struct{ other, weight, out int32 }

// edgeList is the edges that one rank tells another one.
type edgeList []edge

const (
	headBytes = 8
	edgeBytes = 12
)

// edgeLists sorts the edges by the ranks that have to know of them.
func (own *Contribution) edgeLists(size int) []edgeList {
	ps := make([]edgeList, size)
	for i, s := range own.Sources {
		d, w := own.Destinations[i], int32(0)
		if own.Weight != nil {
			w = own.Weight[i]
		}
		ps[s] = append(ps[s], edge{other: d, weight: w, out: 1})
		ps[d] = append(ps[d], edge{other: s, weight: w})
	}
	return ps
}

// head writes the announcement of an edgeList.
func (p edgeList) head(w Weights, b []byte) {
	binary.NativeEndian.PutUint64(b, uint64(len(p))<<8|uint64(w))
}

// announced makes room for the edgeList that was announced.
func (p *edgeList) announced(b []byte) Weights {
	head := binary.NativeEndian.Uint64(b)
	*p = make(edgeList, head>>8)
	return Weights(head)
}

func (p edgeList) bytes() []byte {
	b := make([]byte, 0, edgeBytes*len(p))
	for _, e := range p {
		for _, v := range [...]int32{e.other, e.weight, e.out} {
			b = binary.NativeEndian.AppendUint32(b, uint32(v))
		}
	}
	return b
}

func (p edgeList) fill(b []byte) {
	at := func(i int) int32 { return int32(binary.NativeEndian.Uint32(b[4*i:])) }
	for i := range p {
		p[i] = edge{at(3 * i), at(3*i + 1), at(3*i + 2)}
	}
}
