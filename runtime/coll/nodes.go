package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
)

// Operations over several nodes. What happens within a node goes through its shared memory where that is
// possible; of each node one rank, the one with the lowest number, its leader, deals with those of the
// others, so that nothing crosses the network more often than it has to. All of it is made of operations on
// views of the communicator: the ranks of one node, the leaders, and the rails, each of which joins the ranks
// with the same index on their nodes.

// standpoint is the communicator that a Team works on.
type standpoint struct {
	c          *comm.Comm
	x          *p2p.Context
	rank, size int
}

// enter has what follows happen among the ranks of a view of the communicator, until leave.
func (t *Team) enter(v *comm.Comm) standpoint {
	s := standpoint{t.c, t.x, t.rank, t.size}
	t.c, t.x, t.rank, t.size = v, &v.Coll, v.Coll.Rank, v.Coll.Size
	return s
}

func (t *Team) leave(s standpoint) { t.c, t.x, t.rank, t.size = s.c, s.x, s.rank, s.size }

// on carries out a part of the operation among the ranks of a view: shared is an operation of its own where
// they share memory, part goes by messages.
func (t *Team) on(v *comm.Comm, shared, part func() error) {
	if t.dead || t.plan != nil || sharedArea(v) == nil {
		t.among(v, part)
		return
	}
	v.Spoilt = t.spoilt
	t.ended(shared())
	v.Spoilt = false
}

// among carries out a part of the operation among the ranks of a view by messages.
func (t *Team) among(v *comm.Comm, part func() error) {
	if t.dead {
		return
	}
	s, held := t.enter(v), t.nChunks
	t.ended(part())
	t.leave(s)
	t.giveBack(held)
}

// ended remembers the failure of a part of the operation. Memory that could not be reached ends nothing:
// others wait for the parts to come.
func (t *Team) ended(err error) {
	t.spoil(err)
	if mpierr.CodeOf(err) != int(mpierr.ErrBuffer) {
		t.note(err)
	} else if t.err == nil {
		t.err = err
	}
}

// leads reports whether this rank is its node's leader.
func (t *Team) leads(l *comm.Layout) bool { return l.Seat(t.rank) == 0 }

// ordered is the layout for an operation that combines what ranks have, nil when it has to go as on one node:
// the leaders combine what stands for whole nodes, which an operation that does not commute allows if no rank
// comes between those of a node.
func (t *Team) ordered(o *op.Op) *comm.Layout {
	if l := t.c.Layout(); l != nil && (l.Straight || o.Commutative()) {
		return l
	}
	return nil
}

// halves is ordered for a reduction of n bytes to one rank or all. Of many, halving shares the work among all
// ranks; where the nodes are halves of halves of the ranks, it sends each node's outcome over the network
// once as well, in the same tree.
func (t *Team) halves(o *op.Op, n int64) *comm.Layout {
	l := t.ordered(o)
	if l != nil && n >= reduceLong && l.Straight && l.Even && l.Count()&(l.Count()-1) == 0 &&
		l.Size(0)&(l.Size(0)-1) == 0 {
		return nil
	}
	return l
}

func (t *Team) bcastOn(v *comm.Comm, b datatype.Buffer, root int) {
	t.on(v, func() error { return Bcast(v, b, root) }, func() error { t.bcast(b, root); return nil })
}

func (t *Team) reduceOn(v *comm.Comm, send, recv datatype.Buffer, o *op.Op, root int) {
	t.on(v, func() error { return Reduce(v, send, recv, o, root) },
		func() error { return t.Reduce(send, recv, o, root) })
}

// here is MPI_IN_PLACE.
func here(t *datatype.Type) datatype.Buffer {
	return datatype.Buffer{Addr: datatype.InPlace, Type: t}
}

// barrierNodes has the ranks of each node meet, then the leaders, who let the others go.
func (t *Team) barrierNodes() {
	within := t.c.Within()
	t.on(within, func() error { return Barrier(within) }, t.Barrier)
	if between := t.c.Between(); between != nil {
		t.among(between, t.Barrier)
	}
	t.on(within, func() error { return Barrier(within) }, func() error {
		t.bcastTree(datatype.Raw(0, 0),
			0)
		return nil
	})
}

// bcastNodes has the root's node get the data first, then the leaders of the others, then their nodes.
func (t *Team) bcastNodes(l *comm.Layout, data datatype.Buffer, root int) {
	within, from := t.c.Within(), l.NodeOf(root)
	if l.Mine == from {
		t.bcastOn(within, data, l.Seat(root))
	}
	if between := t.c.Between(); between != nil {
		t.bcastOn(between, data, from)
	}
	if l.Mine != from {
		t.bcastOn(within, data, 0)
	}
}

// reduceNodes combines the contributions of each node at its leader, and what these have at that of the
// root's node.
func (t *Team) reduceNodes(l *comm.Layout, o *op.Op, send datatype.Buffer, result *datatype.Buffer,
	root int) {
	within, to := t.c.Within(), l.NodeOf(root)
	value := send
	if send.InPlace() {
		value = *result
	}
	if value.Bytes() == 0 {
		return
	}
	if !t.leads(l) {
		t.reduceOn(within, value, datatype.Buffer{}, o, 0)
		if t.rank == root {
			s := t.enter(within)
			t.recv(*result, 0)
			t.leave(s)
		}
		return
	}
	sum := value
	switch {
	case t.rank == root:
		sum = *result
		t.reduceOn(within, send, sum, o, 0)
	case l.Size(l.Mine) > 1 || l.Mine == to:
		sum = t.like(value)
		t.reduceOn(within, value, sum, o, 0)
	}
	between := t.c.Between()
	if l.Mine != to {
		t.reduceOn(between, sum, datatype.Buffer{}, o, to)
		return
	}
	t.reduceOn(between, here(sum.Type), sum, o, to)
	if t.rank != root {
		s := t.enter(within)
		t.send(sum, l.Seat(root))
		t.leave(s)
	}
}

// allreduceNodes combines within the nodes, between them, and spreads the outcome. Of many elements each rank
// of a node takes its share on its rail, so that all work.
func (t *Team) allreduceNodes(l *comm.Layout, o *op.Op, send, recv datatype.Buffer) {
	if l.Even && recv.Bytes() >= railsLong && recv.Count >= int64(l.Size(0)) {
		t.allreduceRails(l, o, send, recv)
		return
	}
	within := t.c.Within()
	switch {
	case t.leads(l):
		t.reduceOn(within, send, recv, o, 0)
		between := t.c.Between()
		t.among(between, func() error { return t.Allreduce(here(recv.Type), recv, o) })
	case send.InPlace():
		t.reduceOn(within, recv, datatype.Buffer{}, o, 0)
	default:
		t.reduceOn(within, send, datatype.Buffer{}, o, 0)
	}
	t.bcastOn(within, recv, 0)
}

// allreduceRails is allreduceNodes for many elements.
func (t *Team) allreduceRails(l *comm.Layout, o *op.Op, send, recv datatype.Buffer) {
	within, rail := t.c.Within(), t.c.Rail()
	k := l.Size(l.Mine)
	counts, displs := make([]int64, k), make([]int64, k)
	for i := range k {
		displs[i] = recv.Count * int64(i) / int64(k)
		counts[i] = recv.Count*int64(i+1)/int64(k) - displs[i]
	}
	seat := l.Seat(t.rank)
	own := recv.Slice(displs[seat], counts[seat])
	sum := own
	if send.InPlace() { // others still read recv
		send, sum = recv, t.like(own)
	}
	t.on(within, func() error { return ReduceScatter(within, send, sum, counts, o) },
		func() error { return t.ReduceScatter(send, sum, counts, o) })
	t.among(rail, func() error { return t.Allreduce(here(sum.Type), sum, o) })
	if sum.Addr != own.Addr {
		t.copy(own, sum)
	}
	parts := Blocks{Buffer: recv, Counts: counts, Displs: displs}
	t.on(within, func() error { return Allgatherv(within, here(recv.Type), &parts) },
		func() error { return t.Allgatherv(here(recv.Type), &parts) })
}
