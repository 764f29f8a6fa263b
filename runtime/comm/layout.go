package comm

import "gompi/runtime/group"

// Layout is how the ranks of a communicator lie on nodes, which are numbered in the order of their lowest
// ranks.
type Layout struct {
	Order    []int32 // all ranks, node by node, ascending within each
	Position []int32 // of each rank in Order
	First    []int32 // where each node begins in Order, and the end of the last one
	Mine     int     // the node of this process
	Even     bool    // all nodes have the same number of ranks
	Straight bool    // Order is that of the ranks: no node begins before another one ends
}

// Count is the number of nodes.
func (l *Layout) Count() int { return len(l.First) - 1 }

// Ranks lists the ranks on a node.
func (l *Layout) Ranks(node int) []int32 { return l.Order[l.First[node]:l.First[node+1]] }

// Size is the number of ranks on a node.
func (l *Layout) Size(node int) int { return int(l.First[node+1] - l.First[node]) }

// NodeOf is the node of a rank.
func (l *Layout) NodeOf(rank int) int {
	at := l.Position[rank]
	lo, hi := 0, l.Count()
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.First[mid] <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Seat is the number of a rank among those of its node.
func (l *Layout) Seat(rank int) int { return int(l.Position[rank] - l.First[l.NodeOf(rank)]) }

// placement is where the ranks of the job run, of which this process is one.
type placement struct {
	rank     int
	nodes    []int // node of each job rank; nil when all share one
	machines []int // likewise, without those that are pretended
}

// nodeOf is a number that a job rank has in common with those of its node.
func (p *placement) nodeOf(job int) int {
	switch {
	case p.nodes == nil:
		return 0
	case job < len(p.nodes):
		return p.nodes[job]
	}
	return len(p.nodes) + job // of another job, whose nodes are not known here
}

// onNode reports whether a job rank shares the node of this process.
func (p *placement) onNode(job int) bool { return p.nodeOf(job) == p.nodeOf(p.rank) }

// onMachine reports whether a process, which may be of another job, is on this machine.
func (p *placement) onMachine(job int) bool {
	return job >= len(p.machines) || p.machines[job] == p.machines[p.rank]
}

// all reports whether something is true of all processes of the communicator.
func (c *Comm) all(f func(process int) bool) bool {
	for _, g := range [...]*group.Group{c.group, c.remote} {
		for i := 0; g != nil && i < g.Size(); i++ {
			if !f(g.Of(i)) {
				return false
			}
		}
	}
	return true
}

// OnOneNode reports whether all ranks of the communicator share a node.
func (c *Comm) OnOneNode() bool {
	p := &c.registry.places
	return p.nodes == nil || c.all(p.onNode)
}

// OnOneMachine reports whether all processes of the communicator, which are of this job, are on this machine.
// Those of other jobs always are.
func (c *Comm) OnOneMachine() bool {
	p := &c.registry.places
	return p.machines == nil || c.all(p.onMachine)
}

// Near reports whether a rank of the local group shares the job and the node of this process, and so the
// memory of the job's segment.
func (c *Comm) Near(rank int) bool {
	job := c.group.Of(rank)
	return job < c.registry.Processes.Job().Size() && c.registry.places.onNode(job)
}

// Layout is how the ranks lie on nodes; nil when there is nothing in it for a collective operation, because
// all share one node, or none has more than one rank. Like Area, it is called by one thread at a time.
func (c *Comm) Layout() *Layout {
	if !c.laid {
		c.laid = true
		if r := c.registry; r.places.nodes != nil && c.remote == nil && r.Processes.AtHome(c.group) {
			c.layout = c.lay()
		}
	}
	return c.layout
}

func (c *Comm) lay() *Layout {
	n := c.Size()
	number := map[int]int{}
	node := make([]int, n)
	var sizes []int32
	for rank := range n {
		key := c.registry.places.nodeOf(c.group.Of(rank))
		i, known := number[key]
		if !known {
			i = len(sizes)
			number[key] = i
			sizes = append(sizes, 0)
		}
		node[rank] = i
		sizes[i]++
	}
	if len(sizes) == 1 || len(sizes) == n {
		return nil
	}
	l := &Layout{Order: make([]int32, n), Position: make([]int32, n), First: make([]int32, len(sizes)+1),
		Mine: node[c.Rank()], Even: true, Straight: true}
	for i, size := range sizes {
		l.First[i+1] = l.First[i] + size
		l.Even = l.Even && size == sizes[0]
	}
	next := append([]int32{}, l.First[:len(sizes)]...)
	for rank, i := range node {
		at := next[i]
		next[i]++
		l.Order[at], l.Position[rank] = int32(rank), at
		l.Straight = l.Straight && int(at) == rank
	}
	return l
}

// view is a communicator of some ranks of c, in one of its contexts, for the use of its collectives. The
// registry does not know it: it has no messages but theirs, and nobody frees it.
func (c *Comm) view(context uint32, ranks []int32) *Comm {
	table := make([]int32, len(ranks))
	for i, r := range ranks {
		table[i] = int32(c.group.Of(int(r)))
	}
	v := c.registry.shape(group.New(table), nil, c, c.Origin)
	v.SetName(c.Label())
	v.cid, v.hasBlock = c.cid, c.hasBlock
	v.Coll.ID = c.cid*contextsEach + context
	v.P2P.ID = v.Coll.ID
	return v
}

// Within is the ranks of c on this node, for communicators that have a Layout.
func (c *Comm) Within() *Comm {
	if c.within == nil {
		c.within = c.view(withinContext, c.layout.Ranks(c.layout.Mine))
	}
	return c.within
}

// Between is the lowest ranks of all nodes, in the order of the nodes; nil on other ranks.
func (c *Comm) Between() *Comm {
	l := c.layout
	if c.between == nil && l.Seat(c.Rank()) == 0 {
		first := make([]int32, l.Count())
		for i := range first {
			first[i] = l.Order[l.First[i]]
		}
		c.between = c.view(betweenContext, first)
	}
	return c.between
}

// Rail is the ranks that have the same Seat on all nodes, in the order of the nodes, where the layout is
// Even.
func (c *Comm) Rail() *Comm {
	if l := c.layout; c.rail == nil {
		seat := l.Seat(c.Rank())
		ranks := make([]int32, l.Count())
		for i := range ranks {
			ranks[i] = l.Ranks(i)[seat]
		}
		c.rail = c.view(railContext, ranks)
	}
	return c.rail
}
