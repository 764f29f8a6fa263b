package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/topo"
)

// Cartesian topologies (MPI 5.0, 8.5).

func TopoTest(c *comm.Comm) (int, error) {
	t, _ := topologyOf(c, nil)
	return int(t.Kind), nil
}

// topologyOf is the topology of a communicator, and its numbers, as the C stubs tell of it.
func topologyOf(c *comm.Comm, numbers []int32) (fast.Topology, []int32) {
	switch g := topo.Of(c).(type) {
	case *topo.Cart:
		for _, d := range g.Dims {
			numbers = append(numbers, int32(d))
		}
		for _, p := range g.Periods {
			period := int32(0)
			if p {
				period = 1
			}
			numbers = append(numbers, period)
		}
		for _, x := range g.Coords {
			numbers = append(numbers, int32(x))
		}
		return fast.Topology{Kind: fast.TopologyCart, First: int32(len(g.Dims))}, numbers
	case *topo.Graph:
		return fast.Topology{Kind: fast.TopologyGraph, First: int32(len(g.Index)),
			Second: int32(len(g.Edges))}, append(append(numbers, g.Index...), g.Edges...)
	case *topo.DistGraph:
		t := fast.Topology{Kind: fast.TopologyDistGraph, First: int32(len(g.In.Ranks)),
			Second: int32(len(g.Out.Ranks))}
		if g.Weighted {
			t.Weighted = 1
		}
		for _, l := range [...][]int32{g.In.Ranks, g.Out.Ranks, g.In.Weights, g.Out.Weights} {
			numbers = append(numbers, l...)
		}
		return t, numbers
	}
	return fast.Topology{Kind: fast.Undefined}, numbers
}

// flags is the first n truth values of the array.
func (a IntArray) flags(n int) []bool {
	affordable(int64(n))
	all := make([]bool, n)
	for i := range all {
		all[i] = a.number(i) != 0
	}
	return all
}

func CartCreate(c *comm.Comm, ndims int, dims, periods IntArray, reorder bool) (uintptr, error) {
	return newComm(topo.CreateCart(registry(), c, dims.numbers(ndims), periods.flags(ndims), reorder))
}

func CartSub(c *comm.Comm, remain IntArray) (uintptr, error) {
	g, err := topo.CartOf(c)
	if err != nil {
		return commNull, err
	}
	if remain.Addr == 0 && len(g.Dims) > 0 {
		return commNull, mpierr.New(mpierr.ErrArg, "remain_dims is NULL")
	}
	return newComm(topo.SubCart(registry(), c, remain.flags(len(g.Dims))))
}

func CartMap(c *comm.Comm, ndims int, dims, _ IntArray) (int, error) {
	if err := intraOnly(c); err != nil {
		return undefined, err
	}
	return topo.MapCart(c, dims.numbers(ndims))
}

// intraOnly refuses an intercommunicator, which cannot have a topology (MPI 5.0, 8.1).
func intraOnly(c *comm.Comm) error {
	if c.Inter() {
		return mpierr.New(mpierr.ErrComm, "communicator %q is an intercommunicator", c.Label())
	}
	return nil
}

func CartdimGet(c *comm.Comm) (int, error) {
	g, err := topo.CartOf(c)
	if err != nil {
		return 0, err
	}
	return len(g.Dims), nil
}

// fits checks that an array of the program's has room for n elements.
func fits(name string, room, n int) error {
	if room < n {
		return mpierr.New(mpierr.ErrArg, "%s is %d, but there are %d values to return", name, room, n)
	}
	return nil
}

func CartGet(c *comm.Comm, maxdims int, dims, periods, coords IntArray) error {
	g, err := topo.CartOf(c)
	if err == nil {
		err = fits("maxdims", maxdims, len(g.Dims))
	}
	if err != nil {
		return err
	}
	for i, d := range g.Dims {
		period := int64(0)
		if g.Periods[i] {
			period = 1
		}
		dims.set(i, int64(d))
		periods.set(i, period)
		coords.set(i, int64(g.Coords[i]))
	}
	return nil
}

func CartCoords(c *comm.Comm, rank, maxdims int, coords IntArray) error {
	g, err := topo.CartOf(c)
	if err == nil {
		err = memberOf(c, rank)
	}
	if err == nil {
		err = fits("maxdims", maxdims, len(g.Dims))
	}
	if err != nil {
		return err
	}
	at := make([]int, len(g.Dims))
	g.Locate(rank, at)
	for i, x := range at {
		coords.set(i, int64(x))
	}
	return nil
}

// memberOf checks a rank of a communicator.
func memberOf(c *comm.Comm, rank int) error {
	if rank < 0 || rank >= c.Size() {
		return mpierr.New(mpierr.ErrRank, "rank: rank %d is not in communicator %q of size %d", rank, c.Label(), c.Size())
	}
	return nil
}

func CartRank(c *comm.Comm, coords IntArray) (int, error) {
	g, err := topo.CartOf(c)
	if err != nil {
		return undefined, err
	}
	if coords.Addr == 0 && len(g.Dims) > 0 {
		return undefined, mpierr.New(mpierr.ErrArg, "coords is NULL")
	}
	return g.Rank(coords.numbers(len(g.Dims)))
}

func CartShift(c *comm.Comm, direction, distance int) (source, destination int, err error) {
	g, err := topo.CartOf(c)
	if err == nil {
		err = g.CheckDirection(direction)
	}
	if err != nil {
		return undefined, undefined, err
	}
	source, destination = g.Shift(c.Rank(), direction, distance)
	return source, destination, nil
}

func DimsCreate(nodes, ndims int, dims IntArray) error {
	all := dims.numbers(ndims)
	if err := topo.Balance(nodes, all); err != nil {
		return err
	}
	for i, d := range all {
		dims.set(i, int64(d))
	}
	return nil
}
