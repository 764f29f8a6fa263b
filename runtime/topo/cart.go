package topo

import (
	"slices"

	"gompi/runtime/comm"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
)

// Cart is a Cartesian grid as one of its ranks sees it. Ranks go through the grid in row-major order: the
// last coordinate changes fastest (MPI 5.0, 8.5.1).
type Cart struct {
	Dims      []int
	Periods   []bool
	Coords    []int // of this rank
	neighbors []int32

	few struct { // room for few dimensions
		coords    [3]int
		neighbors [6]int32
	}
}

// CartOf is the grid of a communicator. Without one the error is of class MPI_ERR_TOPOLOGY.
func CartOf(c *comm.Comm) (*Cart, error) {
	if g, ok := c.Topology.(*Cart); ok {
		return g, nil
	}
	return nil, lacks(c, "Cartesian")
}

// volume is the number of points of a grid, which must fit into a communicator.
func volume(c *comm.Comm, dims []int) (int, error) {
	for i, d := range dims {
		if d <= 0 {
			return 0, mpierr.New(mpierr.ErrDims, "dims[%d] is %d, must be positive", i, d)
		}
	}
	n := 1
	for _, d := range dims {
		if n > c.Size()/d {
			return 0, mpierr.New(mpierr.ErrDims, "a grid of %v has more points than communicator %q of size %d has ranks", dims, c.Label(), c.Size())
		}
		n *= d
	}
	return n, nil
}

// CreateCart makes a communicator whose ranks form a grid (MPI_Cart_create, MPI 5.0, 8.5.1). Ranks beyond the
// grid get nil. The order of the ranks stays as it is unless reorder allows another one that keeps more
// neighbors on one node.
func CreateCart(r *comm.Registry, c *comm.Comm, dims []int, periods []bool,
	reorder bool) (*comm.Comm, error) {
	n, err := volume(c, dims)
	if err != nil {
		return nil, err
	}
	g := first(c, n)
	if reorder {
		if table := reordered(c, dims); table != nil {
			for point, rank := range table {
				table[point] = int32(c.Group().Of(int(rank)))
			}
			g = group.New(table)
		}
	}
	d, err := r.Subset(c, g, "MPI_Cart_create")
	if d == nil || err != nil {
		return nil, err
	}
	d.Topology = newCart(dims, periods, d.Rank())
	return d, nil
}

// first is the group of the first n ranks of c.
func first(c *comm.Comm, n int) *group.Group {
	if n == c.Size() {
		return c.Group()
	}
	table := make([]int32, n)
	for i := range table {
		table[i] = int32(c.Group().Of(i))
	}
	return group.New(table)
}

func newCart(dims []int, periods []bool, rank int) *Cart {
	n := len(dims)
	g := &Cart{Dims: dims, Periods: periods}
	if n <= len(g.few.coords) {
		g.Coords, g.neighbors = g.few.coords[:n], g.few.neighbors[:2*n]
	} else {
		g.Coords, g.neighbors = make([]int, n), make([]int32, 2*n)
	}
	g.Locate(rank, g.Coords)
	stride := 1
	for i := n - 1; i >= 0; i-- {
		x, d, below, above := g.Coords[i], dims[i], p2p.ProcNull, p2p.ProcNull
		switch {
		case x > 0:
			below = rank - stride
		case periods[i]:
			below = rank + (d-1)*stride
		}
		switch {
		case x < d-1:
			above = rank + stride
		case periods[i]:
			above = rank - (d-1)*stride
		}
		g.neighbors[2*i], g.neighbors[2*i+1] = int32(below), int32(above)
		stride *= d
	}
	return g
}

// Neighborhood is, for each dimension, the neighbor below and the one above (MPI 5.0, 8.6).
func (g *Cart) Neighborhood(int) Neighborhood {
	return Neighborhood{Sources: g.neighbors, Destinations: g.neighbors, Crossed: true}
}

// Locate writes the coordinates of a rank of the grid into coords, which has one element for each dimension
// (MPI_Cart_coords, MPI 5.0, 8.5.5).
func (g *Cart) Locate(rank int, coords []int) {
	for i := len(g.Dims) - 1; i >= 0; i-- {
		coords[i] = rank % g.Dims[i]
		rank /= g.Dims[i]
	}
}

// Rank is the rank at coords; a coordinate in a periodic dimension may lie outside (MPI_Cart_rank, MPI 5.0,
// 8.5.5).
func (g *Cart) Rank(coords []int) (int, error) {
	rank := 0
	for i, d := range g.Dims {
		x := coords[i]
		if x < 0 || x >= d {
			if !g.Periods[i] {
				return 0, mpierr.New(mpierr.ErrArg, "coords[%d] is %d, must be from 0 to %d: dimension %d is not periodic", i, x, d-1, i)
			}
			x = modulo(x, d)
		}
		rank = rank*d + x
	}
	return rank, nil
}

func modulo(x, d int) int { return ((x % d) + d) % d }

// CheckDirection checks the number of a dimension.
func (g *Cart) CheckDirection(i int) error {
	if i < 0 || i >= len(g.Dims) {
		return mpierr.New(mpierr.ErrDims, "direction is %d, but the grid has %d dimensions, counted from 0", i, len(g.Dims))
	}
	return nil
}

// Shift is from where and to where a rank shifts data by distance in a dimension, p2p.ProcNull beyond an edge
// (MPI_Cart_shift, MPI 5.0, 8.5.6).
func (g *Cart) Shift(rank, dimension, distance int) (source, destination int) {
	stride := 1
	for _, d := range g.Dims[dimension+1:] {
		stride *= d
	}
	d := g.Dims[dimension]
	x := rank / stride % d
	at := func(y int) int {
		if y < 0 || y >= d {
			if !g.Periods[dimension] {
				return p2p.ProcNull
			}
			y = modulo(y, d)
		}
		return rank + (y-x)*stride
	}
	return at(x - distance), at(x + distance)
}

// SubCart makes a communicator for each subgrid of the dimensions that remain (MPI_Cart_sub, MPI 5.0, 8.5.7).
func SubCart(r *comm.Registry, c *comm.Comm, remain []bool) (*comm.Comm, error) {
	g, err := CartOf(c)
	if err != nil {
		return nil, err
	}
	var dims []int
	var periods []bool
	ranks := []int{0} // ranks relative to the first one of the subgrid
	origin, stride := c.Rank(), c.Size()
	for i, d := range g.Dims {
		stride /= d
		if !remain[i] {
			continue
		}
		dims, periods = append(dims, d), append(periods, g.Periods[i])
		origin -= g.Coords[i] * stride
		next := make([]int, 0, len(ranks)*d)
		for _, m := range ranks {
			for x := range d {
				next = append(next, m+x*stride)
			}
		}
		ranks = next
	}
	table := make([]int32, len(ranks))
	for i, m := range ranks {
		table[i] = int32(c.Group().Of(origin + m))
	}
	members := c.Group()
	if !members.Is(table) {
		members = group.New(table)
	}
	sub, err := r.Subset(c, members, "MPI_Cart_sub")
	if err != nil {
		return nil, err
	}
	sub.Topology = newCart(dims, periods, sub.Rank())
	return sub, nil
}

// MapCart is the rank that the caller has in a grid that may be reordered, group.Undefined beyond it
// (MPI_Cart_map, MPI 5.0, 8.5.8).
func MapCart(c *comm.Comm, dims []int) (int, error) {
	n, err := volume(c, dims)
	if err == nil {
		if point := slices.Index(reordered(c, dims), int32(c.Rank())); point >= 0 {
			return point, nil
		}
	}
	return mapped(c, n), err
}

// mapped is the caller's rank in a topology of the first n ranks of c.
func mapped(c *comm.Comm, n int) int {
	if c.Rank() >= n {
		return group.Undefined
	}
	return c.Rank()
}
