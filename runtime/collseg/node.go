package collseg

import (
	"slices"
	"sync"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// Node is what a process knows of the coll segments on its node. Several threads may use it.
type Node struct {
	segment  *shm.Segment
	ranks    int         // of the segment
	me       int         // this process's node rank
	nodeRank map[int]int // by job rank
	endpoint *fast.Endpoint
	colls    *fast.Rings
	nbcs     *fast.Rings
	route    Route // of long data in the coll segments
	pinned   bool  // it goes by it if it can
	roomy    bool  // the launcher has said that each rank has a core
	areas    uintptr
	area     area
	touched  []units       // of the chunk areas, by node rank
	touches  atomic.Uint32 // how many of these units this process has touched

	mu     sync.Mutex
	blocks map[int]uintptr   // where coll blocks are mapped
	rows   map[int]fast.Rows // of persistent operations, by the number of a coll block
	left   []int             // those whose communicators have gone, the last to go at the end
	spare  AddressRange
}

// AddressRange is addresses that are reserved for a coll block; 0 for none.
type AddressRange uintptr

// kept is the number of coll blocks that stay as they are when their communicators have gone, warm for the
// next ones: numbers are given out again.
const kept = 256

// NewNode is the coll segments in a segment, whose ranks have the given job ranks; this process has node rank
// me. near tells which of them share the node with it; nil for all. endpoint is where package fast finds
// them.
func NewNode(s *shm.Segment, me int, ranks []int, near func(jobRank int) bool,
	endpoint *fast.Endpoint) (*Node, error) {
	colls, err := fast.NewRings(s.CollBlocks(), MaxRanks)
	if err != nil {
		return nil, err
	}
	nbcs, err := fast.NewRings(s.CollBlocks(), MaxRanks)
	if err != nil {
		return nil, err
	}
	n := &Node{segment: s, ranks: len(ranks), me: me, nodeRank: make(map[int]int, len(ranks)),
		touched: make([]units, len(ranks)), endpoint: endpoint, colls: colls, nbcs: nbcs,
		blocks: map[int]uintptr{}, rows: map[int]fast.Rows{}}
	for i, r := range ranks {
		if near == nil || near(r) {
			n.nodeRank[r] = i
		}
	}
	if len(ranks) > 1 {
		n.mapAreas()
	}
	if len(ranks) < 2 || len(ranks) > MaxRanks {
		return n, nil // MPI_COMM_WORLD has no coll segments
	}
	if n.blocks[0], err = s.MapFirst(); err != nil {
		return nil, err
	}
	return n, nil
}

// PinRoute has long data of collectives go by one route, if it can, in all coll segments that are made from
// now on.
func (n *Node) PinRoute(r Route) { n.route, n.pinned = r, true }

// Crowd says how many cores this process may use, and how many there are for all ranks of the node by what
// the launcher has said to each of them; 0 if it has not.
func (n *Node) Crowd(cores, all int) {
	n.roomy = n.ranks <= all
	atomic.StoreUint32(n.cores(n.me), uint32(cores))
}

func (n *Node) cores(rank int) *uint32 {
	return shm.Word32(n.segment.Base + shm.RankOffset(rank) + shm.RankCores)
}

// perCore is how many ranks of the node are on a core, by the most cores that one of some node ranks may use.
// All of these have said it. A launcher may bind some and not others, and all have to find the same.
func (n *Node) perCore(ranks []int) int {
	cores := uint32(0)
	for _, r := range ranks {
		cores = max(cores, atomic.LoadUint32(n.cores(r)))
	}
	if cores == 0 {
		return 1
	}
	return (n.ranks + int(cores) - 1) / int(cores)
}

// ReserveAddresses takes addresses for the coll block of a communicator that is about to be made. The process
// ends it by Enter or Return. 0 when there are none left: then the communicator has no coll segments, on all
// ranks.
func (n *Node) ReserveAddresses() AddressRange {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r := n.spare; r != 0 {
		n.spare = 0
		return r
	}
	base, err := n.segment.ReserveAddresses()
	if err != nil {
		return 0
	}
	return AddressRange(base)
}

// Return gives addresses back that ReserveAddresses took, or took not.
func (n *Node) Return(r AddressRange) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.give(r)
}

func (n *Node) give(r AddressRange) {
	switch {
	case r == 0:
	case n.spare == 0:
		n.spare = r
	default:
		n.segment.UnmapCollBlock(uintptr(r))
	}
}

// Enter maps the coll block of a communicator into the addresses reserved for it, which are not 0. Leave ends
// it. A coll block beyond those that there are is none.
func (n *Node) Enter(cid int, r AddressRange) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.blocks[cid] != 0 || cid >= n.segment.CollBlocks() {
		n.give(r)
		if i := slices.Index(n.left, cid); i >= 0 {
			n.left = slices.Delete(n.left, i, i+1)
		}
		return nil
	}
	if err := n.segment.MapCollBlock(cid, uintptr(r)); err != nil {
		return err
	}
	n.blocks[cid] = uintptr(r)
	return nil
}

// Leave gives a coll block up when its communicator has gone, and nobody reads any more what this process has
// published there.
func (n *Node) Leave(cid int) {
	n.area.forget(cid)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.blocks[cid] == 0 {
		return
	}
	if n.left = append(n.left, cid); len(n.left) > kept {
		n.drop(n.left[0])
		n.left = slices.Delete(n.left, 0, 1)
	}
}

// drop gives the memory and the addresses of a coll block back.
func (n *Node) drop(cid int) {
	n.segment.DiscardCollBlock(cid, n.me)
	n.segment.UnmapCollBlock(n.blocks[cid])
	delete(n.blocks, cid)
}

// block is where a coll block is mapped and which node ranks the ranks of its communicator are; nil when it
// is not, when one of them is on another node, or when they are too few or too many.
func (n *Node) block(cid, size int, jobRank func(int) int) (base uintptr, node []int) {
	n.mu.Lock()
	base = n.blocks[cid]
	n.mu.Unlock()
	if base == 0 || size < 2 || size > MaxRanks {
		return 0, nil
	}
	node = make([]int, size)
	for r := range node {
		at, ok := n.nodeRank[jobRank(r)]
		if !ok {
			return 0, nil
		}
		node[r] = at
	}
	return base, node
}

// New is the view that rank me of a communicator of size ranks has of its coll segments. jobRank tells who
// the ranks are; nil when one of them is on another node, or the communicator has too many ranks or no coll
// segments.
func (n *Node) New(cid, me, size int, jobRank func(int) int) *Segment {
	base, node := n.block(cid, size, jobRank)
	if node == nil {
		return nil
	}
	ring := n.colls.Coll(cid, me, size)
	a := &Segment{view: n.view(ring, cid, me, node, base, shm.CollOffset), route: n.route, pinned: n.pinned,
		chunks: chunks{on: n, ring: ring, ranks: node, cid: cid, base: shm.CollChunks}}
	a.share(1)
	return a
}

// NewNbc is the view that rank me of a communicator of size ranks has of its nonblocking segments, as New is
// of its coll segments.
func (n *Node) NewNbc(cid, me, size int, jobRank func(int) int) *Nbc {
	base, node := n.block(cid, size, jobRank)
	if node == nil {
		return nil
	}
	ring := n.nbcs.Nbc(cid, me, size)
	offset := func(rank int) uintptr { return shm.NbcOffset(n.ranks, rank) }
	b := &Nbc{roomy: n.roomy, view: n.view(ring, cid, me, node, base, offset),
		chunks: chunks{on: n, ring: ring, ranks: node, cid: cid, base: shm.NbcChunks}}
	b.share(1)
	b.whole = !n.roomy
	b.wide = chunks{on: n, ring: ring, ranks: node, cid: cid, base: shm.NbcWide, count: 1, size: WideSize}
	b.laying = func() (fast.Rows, error) { return n.rowsOf(cid) }
	b.rows[0] = b.CellRing
	return b
}

// rowsOf is room for the rows of persistent operations of communicators with a number.
func (n *Node) rowsOf(cid int) (rows fast.Rows, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	rows, ok := n.rows[cid]
	if !ok {
		if rows, err = fast.NewRows(); err == nil {
			n.rows[cid] = rows
		}
	}
	return rows, err
}
