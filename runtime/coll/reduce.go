package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Reduce combines the send buffers of all ranks, element by element, into the root's receive buffer
// (MPI_Reduce, MPI 5.0, 6.9.1). recv is significant at the root alone, where send may be in place.
func Reduce(c *comm.Comm, send, recv datatype.Buffer, o *op.Op, root int) error {
	t := join(c, tagReduce)
	if !c.Inter() {
		what, result, err := operands(c, send, &recv, o, root)
		if err != nil {
			return err
		}
		if what.Bytes() == 0 {
			c.Count(tool.Alone)
			return nil
		}
		if a := sharedArea(c); a != nil && reducesShared(a, what) {
			if isAtOnce(a, what.Bytes()) || reducesAtRootAtOnce(a, what) {
				return sharedReduce(c, a, what, result, o)
			}
			return steppedReduce(c, a, what, result, o, root)
		}
	}
	return t.close(t.Reduce(send, recv, o, root))
}

// operands is the contribution of a rank to a reduction within a group, and where the result goes at the
// root.
func operands(c *comm.Comm, send datatype.Buffer, recv *datatype.Buffer, o *op.Op,
	root int) (what datatype.Buffer, result *datatype.Buffer, err error) {
	what = send
	if c.Rank() == root {
		result = recv
		if what.InPlace() {
			what = *recv
		} else if err := distinct(send, *recv); err != nil {
			return what, nil, err
		}
	}
	return what, result, reducible(o, what.Type)
}

// Reduce is MPI_Reduce. Between two groups, the contributions of one are combined at the root in the other.
func (t *Team) Reduce(send, recv datatype.Buffer, o *op.Op, root int) error {
	if !t.c.Inter() {
		what, result, err := operands(t.c, send, &recv, o, root)
		if err != nil {
			return err
		}
		if w := t.onNbc(isReducedInCells(t.size, what), fast.Reduction, root); w != nil {
			if w.send.Buffer, w.op = what, o; result != nil {
				w.recv.Buffer = *result
			}
		} else if l := t.halves(o, what.Bytes()); l != nil {
			t.countAlgorithm(tool.OverNodes)
			t.reduceNodes(l, o, send, result, root)
		} else {
			t.reduce(o, send, result, root)
		}
		return nil
	}
	t.countAlgorithm(tool.Across)
	switch partOf(t.c, root) {
	case chief:
		if recv.Bytes() > 0 {
			t.cross()
			t.recv(recv, 0)
			t.home()
		}
	case peer:
		if err := reducible(o, send.Type); err != nil {
			return err
		}
		if value := t.reduce(o, send, nil, 0); t.rank == 0 && value.Bytes() > 0 {
			t.cross()
			t.send(value, root)
			t.home()
		}
	}
	return nil
}

// reduce combines the contributions of the group. The value returned is the outcome at the root, which is in
// result if there is one.
func (t *Team) reduce(o *op.Op, send datatype.Buffer, result *datatype.Buffer, root int) datatype.Buffer {
	a := accumulate(o, send, result)
	if a.value.Bytes() == 0 {
		return a.value
	}
	g := arrange(t.size, root)
	shared := t.sharesWork(g, a.value, tool.Binomial)
	if t.gatherMate(&a, g) {
		if shared {
			t.reduceHalving(&a, g)
		} else {
			t.reduceTree(&a, g)
		}
	}
	if result != nil {
		a.settle(t)
	}
	return a.value
}

// sharesWork reports whether the groups share the work of combining values like b, and counts that algorithm,
// or else the other one.
func (t *Team) sharesWork(g groups, b datatype.Buffer, other tool.Algorithm) bool {
	shared := b.Bytes() >= reduceLong && b.Count >= int64(g.count)
	switch {
	case t.size == 1:
	case shared:
		t.countAlgorithm(tool.Halving)
	default:
		t.countAlgorithm(other)
	}
	return shared
}

// gatherMate combines the values within a group of two and reports whether this rank holds the outcome.
func (t *Team) gatherMate(a *accumulator, g groups) bool {
	mate := g.mate(t.rank)
	if mate < 0 {
		return true
	}
	if g.holder(g.of(t.rank)) != t.rank {
		t.send(a.value, mate)
		return false
	}
	t.recv(a.room(t), mate)
	a.combine(t, mate > t.rank)
	return true
}

// reduceTree combines the values of the groups in a binomial tree to the root. Groups are numbered by how
// their number differs from that of the root's group: that keeps neighbours together.
func (t *Team) reduceTree(a *accumulator, g groups) {
	mine, top := g.of(t.rank), g.of(g.root)
	v := mine ^ top
	for mask := 1; mask < g.count; mask <<= 1 {
		other := mine ^ mask
		if v&mask != 0 {
			t.send(a.value, g.holder(other))
			return
		}
		t.recv(a.room(t), g.holder(other))
		a.combine(t, other > mine)
	}
}

// reduceHalving shares the work: each group ends up with the outcome for one part of the elements, and the
// parts go up a binomial tree to the root.
func (t *Team) reduceHalving(a *accumulator, g groups) {
	ranges := t.halve(a, g)
	mine, top := g.of(t.rank), g.of(g.root)
	v := mine ^ top
	for k := g.levels - 1; k >= 0; k-- {
		other := g.holder(mine ^ 1<<k)
		if v>>k&1 != 0 {
			t.send(ranges.mine(k+1, a.value), other)
			return
		}
		t.recv(ranges.theirs(k, mine, a.value), other)
	}
}
