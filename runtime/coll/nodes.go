package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Operations over several nodes. What happens within a node goes through its shared memory where that is
// possible; of each node one rank, the one with the lowest number, its leader, deals with those of the
// others, so that nothing crosses the network more often than it has to. All of it is made of operations on
// views of the communicator: the ranks of one node, the leaders, and the rails, each of which joins the ranks
// with the same index on their nodes.

// nodes is one rank's part in such an operation.
type nodes struct {
	*Team
	l       *comm.Layout
	within  *comm.Comm // the ranks of this node
	between *comm.Comm // the leaders; nil on a rank that is none
	seat    int        // of this rank on its node
}

// over is an operation over the nodes of a layout.
func (t *Team) over(l *comm.Layout) nodes {
	t.CountAlgorithm(tool.OverNodes)
	return nodes{Team: t, l: l, within: t.Comm.Within(), between: t.Comm.Between(), seat: l.Seat(t.Rank)}
}

// on is this rank among those of a view, for a part of the operation. A part that begins after one that has
// failed is told so: this rank contributes nothing to it.
func (n *nodes) on(v *comm.Comm) *Team {
	p := join(v, n.Tag)
	p.Plan, p.Dead, p.PartFailed = n.Plan, n.Dead, n.PartFailed
	return p
}

// ended ends a part of the operation, which was refused if err is not nil. Memory that could not be reached
// ends nothing: others wait for the parts to come.
func (n *nodes) ended(p *Team, err error) {
	p.Note(err)
	f := p.Failure
	if p.finish() != nil {
		n.Remember(f.Err)
		n.Dead, n.PartFailed = f.Dead, f.PartFailed || schedule.IsLength(f.Err)
	}
}

func (n *nodes) bcastOn(v *comm.Comm, b datatype.Buffer, root int) {
	p := n.on(v)
	n.ended(p, p.Bcast(b, root))
}

func (n *nodes) reduceOn(v *comm.Comm, send, recv datatype.Buffer, o *op.Op, root int) {
	p := n.on(v)
	n.ended(p, p.Reduce(send, recv, o, root))
}

func (n *nodes) allreduceOn(v *comm.Comm, recv datatype.Buffer, o *op.Op) {
	p := n.on(v)
	n.ended(p, p.Allreduce(here(recv.Type), recv, o))
}

// pass has one rank of this node, by seats, send b to another.
func (n *nodes) pass(b datatype.Buffer, from, to int) {
	p := n.on(n.within)
	switch n.seat {
	case from:
		p.Send(b, to)
	case to:
		p.Recv(b, from)
	}
	n.ended(p, nil)
}

// here is MPI_IN_PLACE.
func here(t *datatype.Type) datatype.Buffer {
	return datatype.Buffer{Addr: datatype.InPlace, Type: t}
}

// barrier has the ranks of each node meet, then the leaders, who let the others go.
func (n *nodes) barrier() {
	p := n.on(n.within)
	n.ended(p, p.Barrier())
	if n.between != nil {
		p = n.on(n.between)
		n.ended(p, p.Barrier())
	}
	if p = n.on(n.within); p.segment() == nil {
		algorithm.BcastTree(p.Exchange, datatype.Raw(0, 0), 0)
		n.ended(p, nil)
	} else {
		n.ended(p, p.Barrier())
	}
}

// bcast has the root's node get the data first, then the leaders of the others, then their nodes.
func (n *nodes) bcast(data datatype.Buffer, root int) {
	from := n.l.NodeOf(root)
	if n.l.Mine == from {
		n.bcastOn(n.within, data, n.l.Seat(root))
	}
	if n.between != nil {
		n.bcastOn(n.between, data, from)
	}
	if n.l.Mine != from {
		n.bcastOn(n.within, data, 0)
	}
}

// reduce combines the contributions of each node at its leader, and what these have at that of the root's
// node.
func (n *nodes) reduce(o *op.Op, send datatype.Buffer, result *datatype.Buffer, root int) {
	to := n.l.NodeOf(root)
	value := send
	if send.InPlace() {
		value = *result
	}
	if n.between == nil {
		n.reduceOn(n.within, value, datatype.Buffer{}, o, 0)
		if n.Rank == root {
			n.pass(*result, 0, n.seat)
		}
		return
	}
	sum := value
	switch {
	case n.Rank == root:
		sum = *result
		n.reduceOn(n.within, send, sum, o, 0)
	case n.l.Size(n.l.Mine) > 1 || n.l.Mine == to:
		sum = n.Like(value)
		n.reduceOn(n.within, value, sum, o, 0)
	}
	if n.l.Mine != to {
		n.reduceOn(n.between, sum, datatype.Buffer{}, o, to)
		return
	}
	n.reduceOn(n.between, here(sum.Type), sum, o, to)
	if n.Rank != root {
		n.pass(sum, 0, n.l.Seat(root))
	}
}

// allreduce combines within the nodes, between them, and spreads the outcome.
func (n *nodes) allreduce(o *op.Op, send, recv datatype.Buffer) {
	switch {
	case n.between != nil:
		n.reduceOn(n.within, send, recv, o, 0)
		n.allreduceOn(n.between, recv, o)
	case send.InPlace():
		n.reduceOn(n.within, recv, datatype.Buffer{}, o, 0)
	default:
		n.reduceOn(n.within, send, datatype.Buffer{}, o, 0)
	}
	n.bcastOn(n.within, recv, 0)
}

// allreduceRails is allreduce of many elements: each rank of a node takes its share on its rail, so that all
// work.
func (n *nodes) allreduceRails(o *op.Op, send, recv datatype.Buffer) {
	k := n.l.Size(n.l.Mine)
	counts, displs := make([]int64, k), make([]int64, k)
	for i := range k {
		displs[i] = recv.Count * int64(i) / int64(k)
		counts[i] = recv.Count*int64(i+1)/int64(k) - displs[i]
	}
	own := recv.Slice(displs[n.seat], counts[n.seat])
	sum := own
	if send.InPlace() { // others still read recv
		send, sum = recv, n.Like(own)
	}
	p := n.on(n.within)
	n.ended(p, p.ReduceScatter(send, sum, counts, o))
	n.allreduceOn(n.Comm.Rail(), sum, o)
	if sum.Addr != own.Addr {
		n.Copy(own, sum)
	}
	parts := partition.Blocks{Buffer: recv, Counts: counts, Displs: displs}
	p = n.on(n.within)
	n.ended(p, p.Allgatherv(here(recv.Type), &parts))
}

// scan does a scan within each node. The leaders do one of what whole nodes come to, which the ranks of all
// nodes but the first combine with what they have. recv holds the own contribution, which is not in the
// outcome of an exclusive scan.
func (n *nodes) scan(recv datatype.Buffer, o *op.Op, p fast.Pattern) {
	exclusive, isLast := p == fast.PrefixEx, n.seat == n.l.Size(n.l.Mine)-1
	total := recv // what the ranks of this node come to, on the last of them
	if exclusive && isLast {
		total = n.Like(recv)
		n.Copy(total, recv)
	}
	part := n.on(n.within)
	n.ended(part, part.scan(here(recv.Type), recv, o, p))
	if exclusive && isLast && n.seat > 0 {
		n.Apply(o, recv, total)
	}
	switch before, any := n.before(total, o); {
	case any && exclusive && n.seat == 0:
		n.Copy(recv, before)
	case any:
		n.Apply(o, before, recv)
	}
}

// before is what the contributions of all nodes before this one come to, if there are any. total is what
// those of this node come to, on its last rank.
func (n *nodes) before(total datatype.Buffer, o *op.Op) (sum datatype.Buffer, any bool) {
	if last := n.l.Size(n.l.Mine) - 1; last > 0 && n.l.Mine < n.l.Count()-1 {
		if n.seat == 0 {
			total = n.Like(total)
		}
		n.pass(total, last, 0)
	}
	any = n.l.Mine > 0
	if any || n.seat == 0 {
		sum = n.Like(total)
	}
	if n.between != nil {
		p := n.on(n.between)
		n.ended(p, p.Exscan(total, sum, o))
	}
	if any {
		n.bcastOn(n.within, sum, 0)
	}
	return sum, any
}
