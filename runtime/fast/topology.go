package fast

// Topologies (MPI 5.0, 8.5). The numbers of a communicator's topology stand in a row:
//
//	grid                dimensions, periods, own coordinates                     First of each
//	graph               index, edges                                             First, Second
//	distributed graph   sources, destinations; weights of both, if Weighted      First, Second
//
// It is written with the record of the communicator and never changes.

// What MPI_Topo_test says (MPI 5.0, 20.3).
const (
	TopologyCart      int32 = 211
	TopologyGraph     int32 = 212
	TopologyDistGraph int32 = 213
)

// Topology is the topology of a communicator.
type Topology struct {
	Kind          int32 // what MPI_Topo_test says: TopologyCart, ... or Undefined
	Weighted      uint32
	First, Second int32
	Numbers       *int32
}

// count is how many numbers there are.
func (t *Topology) count() int32 {
	if t.Kind == TopologyCart {
		return 3 * t.First
	}
	n := t.First + t.Second
	if t.Weighted != 0 {
		n *= 2
	}
	return n
}

// arranged is the record of a communicator with a topology of that kind; nil when it has none.
func (o *Objects) arranged(comm uintptr, kind int32) *Comm {
	c := o.known(comm)
	if c == nil || c.Topology.Kind != kind {
		return nil
	}
	return c
}

// topology is the topology of a communicator of that kind; nil when it has none.
func (o *Objects) topology(comm uintptr, kind int32) *Topology {
	c := o.arranged(comm, kind)
	if c == nil {
		return nil
	}
	return &c.Topology
}

// copyInts copies n numbers.
func copyInts(to, from *int32, n int32) {
	for i := int32(0); i < n; i++ {
		*intAt(to, i) = *intAt(from, i)
	}
}

// lacksRoom reports whether an array of the program's cannot take n numbers, or has no room for them.
func lacksRoom(to *int32, room, n int32) bool { return room < n || n > 0 && nowhere(to) }

// TopoTest is MPI_Topo_test.
func TopoTest(e *Endpoint, comm uintptr, status *int32) bool {
	c := e.known(comm)
	if c == nil || nowhere(status) {
		return false
	}
	*status = c.Topology.Kind
	return true
}

// CartdimGet is MPI_Cartdim_get.
func CartdimGet(e *Endpoint, comm uintptr, ndims *int32) bool {
	t := e.topology(comm, TopologyCart)
	if t == nil || nowhere(ndims) {
		return false
	}
	*ndims = t.First
	return true
}

// CartGet is MPI_Cart_get.
func CartGet(e *Endpoint, comm uintptr, maxdims int32, dims, periods, coords *int32) bool {
	t := e.topology(comm, TopologyCart)
	if t == nil || lacksRoom(dims, maxdims, t.First) || lacksRoom(periods, maxdims, t.First) ||
		lacksRoom(coords, maxdims, t.First) {
		return false
	}
	copyInts(dims, t.Numbers, t.First)
	copyInts(periods, intAt(t.Numbers, t.First), t.First)
	copyInts(coords, intAt(t.Numbers, 2*t.First), t.First)
	return true
}

// CartRank is MPI_Cart_rank.
func CartRank(e *Endpoint, comm uintptr, coords, rank *int32) bool {
	t := e.topology(comm, TopologyCart)
	if t == nil || lacksRoom(coords, t.First, t.First) || nowhere(rank) {
		return false
	}
	at := int32(0)
	for i := int32(0); i < t.First; i++ {
		x := *intAt(coords, i)
		d := *intAt(t.Numbers, i)
		if uint32(x) >= uint32(d) {
			if *intAt(t.Numbers, t.First+i) == 0 {
				return false
			}
			x %= d
			if x < 0 {
				x += d
			}
		}
		at = at*d + x
	}
	*rank = at
	return true
}

// CartCoords is MPI_Cart_coords.
func CartCoords(e *Endpoint, comm uintptr, rank, maxdims int32, coords *int32) bool {
	c := e.arranged(comm, TopologyCart)
	if c == nil || uint32(rank) >= c.Size {
		return false
	}
	t := &c.Topology
	if lacksRoom(coords, maxdims, t.First) {
		return false
	}
	for i := t.First - 1; i >= 0; i-- {
		d := *intAt(t.Numbers, i)
		*intAt(coords, i) = rank % d
		rank /= d
	}
	return true
}

// shifted is the rank that is some steps away from rank in a dimension of that many places, which are stride
// ranks apart.
func shifted(rank, x, d, stride int32, steps int64, periodic bool) int32 {
	y := int64(x) + steps
	if y < 0 || y >= int64(d) {
		if !periodic {
			return ProcNull
		}
		y %= int64(d)
		if y < 0 {
			y += int64(d)
		}
	}
	return rank + (int32(y)-x)*stride
}

// CartShift is MPI_Cart_shift.
func CartShift(e *Endpoint, comm uintptr, direction, disp int32, source, dest *int32) bool {
	c := e.arranged(comm, TopologyCart)
	if c == nil || nowhere(source) || nowhere(dest) {
		return false
	}
	t := &c.Topology
	if uint32(direction) >= uint32(t.First) {
		return false
	}
	stride := int32(1)
	for i := direction + 1; i < t.First; i++ {
		stride *= *intAt(t.Numbers, i)
	}
	d := *intAt(t.Numbers, direction)
	x := *intAt(t.Numbers, 2*t.First+direction)
	periodic := *intAt(t.Numbers, t.First+direction) != 0
	*source = shifted(c.Rank, x, d, stride, -int64(disp), periodic)
	*dest = shifted(c.Rank, x, d, stride, int64(disp), periodic)
	return true
}

// GraphdimsGet is MPI_Graphdims_get.
func GraphdimsGet(e *Endpoint, comm uintptr, nodes, edges *int32) bool {
	t := e.topology(comm, TopologyGraph)
	if t == nil || nowhere(nodes) || nowhere(edges) {
		return false
	}
	*nodes = t.First
	*edges = t.Second
	return true
}

// GraphGet is MPI_Graph_get.
func GraphGet(e *Endpoint, comm uintptr, maxindex, maxedges int32, index, edges *int32) bool {
	t := e.topology(comm, TopologyGraph)
	if t == nil || lacksRoom(index, maxindex, t.First) || lacksRoom(edges, maxedges, t.Second) {
		return false
	}
	copyInts(index, t.Numbers, t.First)
	copyInts(edges, intAt(t.Numbers, t.First), t.Second)
	return true
}

// firstEdge is where the edges of a node of a graph begin among all, which is where those of the node before
// end.
func (t *Topology) firstEdge(node int32) int32 {
	if node == 0 {
		return 0
	}
	return *intAt(t.Numbers, node-1)
}

// GraphNeighborsCount is MPI_Graph_neighbors_count.
func GraphNeighborsCount(e *Endpoint, comm uintptr, rank int32, count *int32) bool {
	t := e.topology(comm, TopologyGraph)
	if t == nil || uint32(rank) >= uint32(t.First) || nowhere(count) {
		return false
	}
	first := t.firstEdge(rank)
	*count = *intAt(t.Numbers, rank) - first
	return true
}

// GraphNeighbors is MPI_Graph_neighbors.
func GraphNeighbors(e *Endpoint, comm uintptr, rank, room int32, neighbors *int32) bool {
	t := e.topology(comm, TopologyGraph)
	if t == nil || uint32(rank) >= uint32(t.First) {
		return false
	}
	first := t.firstEdge(rank)
	n := *intAt(t.Numbers, rank) - first
	if lacksRoom(neighbors, room, n) {
		return false
	}
	copyInts(neighbors, intAt(t.Numbers, t.First+first), n)
	return true
}

// DistGraphNeighborsCount is MPI_Dist_graph_neighbors_count.
func DistGraphNeighborsCount(e *Endpoint, comm uintptr, indegree, outdegree, weighted *int32) bool {
	t := e.topology(comm, TopologyDistGraph)
	if t == nil || nowhere(indegree) || nowhere(outdegree) || nowhere(weighted) {
		return false
	}
	*indegree = t.First
	*outdegree = t.Second
	*weighted = int32(t.Weighted)
	return true
}

// DistGraphNeighbors is MPI_Dist_graph_neighbors. Where a graph has weights, arrays that ask for none are
// left to package mpi.
func DistGraphNeighbors(e *Endpoint, comm uintptr, maxindegree int32, sources, sourceweights *int32,
	maxoutdegree int32, destinations, destweights *int32) bool {
	t := e.topology(comm, TopologyDistGraph)
	if t == nil || lacksRoom(sources, maxindegree, t.First) ||
		lacksRoom(destinations, maxoutdegree, t.Second) {
		return false
	}
	if t.Weighted != 0 {
		if nowhere(sourceweights) || nowhere(destweights) {
			return false
		}
		weights := intAt(t.Numbers, t.First+t.Second)
		copyInts(sourceweights, weights, t.First)
		copyInts(destweights, intAt(weights, t.First), t.Second)
	}
	copyInts(sources, t.Numbers, t.First)
	copyInts(destinations, intAt(t.Numbers, t.First), t.Second)
	return true
}

// mapped is the caller's rank in a topology of the first n ranks of a communicator.
func (c *Comm) mapped(n uint32) int32 {
	if uint32(c.Rank) < n {
		return c.Rank
	}
	return Undefined
}

// CartMap is MPI_Cart_map (MPI 5.0, 8.5.8) of ranks that are all on this node.
func CartMap(e *Endpoint, comm uintptr, ndims int32, dims, periods, rank *int32) bool {
	c := e.comm(comm)
	if c == nil || c.Flags&(CommInter|CommFar) != 0 || ndims < 0 || nowhere(rank) ||
		ndims > 0 && (nowhere(dims) || nowhere(periods)) {
		return false
	}
	n := uint64(1)
	for i := int32(0); i < ndims; i++ {
		d := *intAt(dims, i)
		n *= uint64(uint32(d))
		if d < 1 || n > uint64(c.Size) {
			return false
		}
	}
	if ndims > 0 && (!readable(addressOf(periods), 4) || !readable(addressOf(intAt(periods, ndims-1)), 4)) {
		return false
	}
	*rank = c.mapped(uint32(n))
	return true
}

// GraphMap is MPI_Graph_map (MPI 5.0, 8.5.8) of a graph whose edges end at its nodes.
func GraphMap(e *Endpoint, comm uintptr, nodes int32, index, edges, rank *int32) bool {
	c := e.comm(comm)
	if c == nil || c.Flags&CommInter != 0 || uint32(nodes) > c.Size || nowhere(rank) ||
		nodes > 0 && nowhere(index) || nowhere(edges) {
		return false
	}
	end := int32(0)
	for i := int32(0); i < nodes; i++ {
		next := *intAt(index, i)
		if next < end {
			return false
		}
		for ; end < next; end++ {
			if uint32(*intAt(edges, end)) >= uint32(nodes) {
				return false
			}
		}
	}
	*rank = c.mapped(uint32(nodes))
	return true
}
