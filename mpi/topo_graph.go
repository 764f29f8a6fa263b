package mpi

import (
	"slices"

	"gompi/runtime/comm"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/topo"
)

// Graph topologies (MPI 5.0, 8.5).

// Arguments for weights that are no arrays, with the values of the standard ABI.
const (
	unweighted   = 10
	weightsEmpty = 11
)

// int32s is the first n numbers of an array of int.
func (a IntArray) int32s(n int) []int32 {
	affordable(int64(n))
	all := make([]int32, n)
	for i := range all {
		all[i] = loadInt32(a.Addr + uintptr(i)*4)
	}
	return all
}

// setAll writes numbers into an array of int, as many as there is room for.
func (a IntArray) setAll(values []int32, room int) {
	for i, v := range values[:min(room, len(values))] {
		a.set(i, int64(v))
	}
}

// readGraph is the graph that the program describes.
func readGraph(c *comm.Comm, nodes int, index, edges IntArray) (*topo.Graph, error) {
	if err := intraOnly(c); err != nil {
		return nil, err
	}
	if err := topo.CheckNodes(c, nodes); err != nil {
		return nil, err
	}
	g := &topo.Graph{Index: index.int32s(nodes)}
	if err := topo.CheckIndex(g.Index); err != nil {
		return nil, err
	}
	if nodes == 0 || g.Index[nodes-1] == 0 {
		return g, nil
	}
	if edges.Addr == 0 {
		return nil, mpierr.New(mpierr.ErrArg, "edges is NULL")
	}
	g.Edges = edges.int32s(int(g.Index[nodes-1]))
	return g, topo.CheckEdges(g.Edges, nodes)
}

func GraphCreate(c *comm.Comm, nodes int, index, edges IntArray, _ bool) (uintptr, error) {
	g, err := readGraph(c, nodes, index, edges)
	if err != nil {
		return commNull, err
	}
	return newComm(topo.CreateGraph(registry(), c, g))
}

func GraphMap(c *comm.Comm, nodes int, index, edges IntArray) (int, error) {
	if _, err := readGraph(c, nodes, index, edges); err != nil {
		return undefined, err
	}
	return topo.MapGraph(c, nodes), nil
}

func GraphdimsGet(c *comm.Comm) (nodes, edges int, err error) {
	g, err := topo.GraphOf(c)
	if err != nil {
		return 0, 0, err
	}
	return len(g.Index), len(g.Edges), nil
}

func GraphGet(c *comm.Comm, maxindex, maxedges int, index, edges IntArray) error {
	g, err := topo.GraphOf(c)
	if err == nil {
		err = fits("maxindex", maxindex, len(g.Index))
	}
	if err == nil {
		err = fits("maxedges", maxedges, len(g.Edges))
	}
	if err != nil {
		return err
	}
	index.setAll(g.Index, maxindex)
	edges.setAll(g.Edges, maxedges)
	return nil
}

func neighborsOf(c *comm.Comm, rank int) ([]int32, error) {
	g, err := topo.GraphOf(c)
	if err != nil {
		return nil, err
	}
	return g.Neighbors(c, rank)
}

func GraphNeighborsCount(c *comm.Comm, rank int) (int, error) {
	ns, err := neighborsOf(c, rank)
	return len(ns), err
}

func GraphNeighbors(c *comm.Comm, rank, room int, neighbors IntArray) error {
	ns, err := neighborsOf(c, rank)
	if err == nil {
		err = fits("maxneighbors", room, len(ns))
	}
	if err == nil {
		neighbors.setAll(ns, room)
	}
	return err
}

// readWeights is the weights of n edges, nil when the program passes none.
func (a IntArray) readWeights(name string, n int) (topo.Weights, []int32, error) {
	switch {
	case a.Addr == unweighted:
		return topo.Unweighted, nil, nil
	case n == 0 && a.Addr == 0:
		return topo.Silent, nil, nil
	case n == 0:
		return topo.Weighted, nil, nil
	case a.Addr == 0:
		return topo.Weighted, nil, mpierr.New(mpierr.ErrArg, "%s is NULL, but there are %d edges; MPI_UNWEIGHTED says that there are no weights", name, n)
	case a.Addr == weightsEmpty:
		return topo.Weighted, nil, mpierr.New(mpierr.ErrArg, "%s is MPI_WEIGHTS_EMPTY, but there are %d edges", name, n)
	}
	weights := a.int32s(n)
	return topo.Weighted, weights, topo.CheckWeights(name, weights)
}

// readEdges is a rank's own edges in one direction.
func readEdges(c *comm.Comm, name, weightsName string, n int,
	ranks, weights IntArray) (e topo.Edges, w topo.Weights, err error) {
	e.Ranks = ranks.int32s(n)
	if err = topo.CheckRanks(c, name, e.Ranks); err != nil {
		return e, w, err
	}
	w, e.Weights, err = weights.readWeights(weightsName, n)
	return e, w, err
}

func DistGraphCreateAdjacent(c *comm.Comm, indegree int, sources, sourceWeights IntArray, outdegree int,
	destinations, destWeights IntArray, _ *info.Info, _ bool) (uintptr, error) {
	if err := intraOnly(c); err != nil {
		return commNull, err
	}
	for _, n := range []struct {
		name string
		v    int
	}{{"indegree", indegree}, {"outdegree", outdegree}} {
		if n.v < 0 {
			return commNull, mpierr.New(mpierr.ErrArg, "%s is %d, must not be negative", n.name, n.v)
		}
	}
	in, inWeights, err := readEdges(c, "sources", "sourceweights", indegree, sources, sourceWeights)
	if err != nil {
		return commNull, err
	}
	out, outWeights, err := readEdges(c, "destinations", "destweights", outdegree, destinations, destWeights)
	if err != nil {
		return commNull, err
	}
	if inWeights+outWeights == topo.Weighted+topo.Unweighted {
		return commNull, mpierr.New(mpierr.ErrArg, "one of sourceweights and destweights is MPI_UNWEIGHTED and the other is not")
	}
	g := &topo.DistGraph{Weighted: inWeights != topo.Unweighted && outWeights != topo.Unweighted, In: in,
		Out: out}
	return newComm(topo.CreateAdjacent(registry(), c, g))
}

// contribution is the edges that the program names.
func contribution(c *comm.Comm, n int,
	sources, degrees, destinations, weights IntArray) (own topo.Contribution, err error) {
	from, counts := sources.int32s(n), degrees.int32s(n)
	if err = topo.CheckRanks(c, "sources", from); err != nil {
		return own, err
	}
	total := 0
	for i, k := range counts {
		if k < 0 {
			return own, mpierr.New(mpierr.ErrArg, "degrees[%d] is %d, must not be negative", i, k)
		}
		total += int(k)
	}
	if total > 0 {
		if destinations.Addr == 0 {
			return own, mpierr.New(mpierr.ErrArg, "destinations is NULL")
		}
		touch(destinations.Addr + uintptr(total-1)*4)
		affordable(int64(total))
	}
	for i, k := range counts {
		own.Sources = append(own.Sources, slices.Repeat(from[i:i+1], int(k))...)
	}
	own.Destinations = destinations.int32s(len(own.Sources))
	if err = topo.CheckRanks(c, "destinations", own.Destinations); err != nil {
		return own, err
	}
	own.Weights, own.Weight, err = weights.readWeights("weights", len(own.Sources))
	return own, err
}

func DistGraphCreate(c *comm.Comm, n int, sources, degrees, destinations, weights IntArray, _ *info.Info,
	_ bool) (uintptr, error) {
	if err := intraOnly(c); err != nil {
		return commNull, err
	}
	own, err := contribution(c, n, sources, degrees, destinations, weights)
	own.Err = err // the others have to hear of it
	return newComm(topo.CreateDist(registry(), c, own))
}

func DistGraphNeighborsCount(c *comm.Comm) (indegree, outdegree int, weighted bool, err error) {
	g, err := topo.DistGraphOf(c)
	if err != nil {
		return 0, 0, false, err
	}
	return len(g.In.Ranks), len(g.Out.Ranks), g.Weighted, nil
}

// DistGraphNeighbors returns the first neighbors if there is no room for all (MPI 5.0, 8.5.5).
func DistGraphNeighbors(c *comm.Comm, maxin int, sources, sourceWeights IntArray, maxout int,
	destinations, destWeights IntArray) error {
	g, err := topo.DistGraphOf(c)
	if err != nil {
		return err
	}
	sources.setAll(g.In.Ranks, maxin)
	destinations.setAll(g.Out.Ranks, maxout)
	if g.Weighted {
		sourceWeights.setWeights(g.In.Weights, maxin)
		destWeights.setWeights(g.Out.Weights, maxout)
	}
	return nil
}

// setWeights is setAll for an argument that may say that the program wants no weights.
func (a IntArray) setWeights(weights []int32, room int) {
	if a.Addr > weightsEmpty {
		a.setAll(weights, room)
	}
}
