package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// Reduce combines the send buffers of all ranks, element by element, into the root's receive buffer (MPI_Reduce,
// MPI 5.0, 6.9.1). recv is significant at the root alone, where send may be in place.
func Reduce(c *comm.Comm, send, recv datatype.Buffer, o *op.Op, root int) error {
	var result *datatype.Buffer
	what := send
	if c.Rank() == root {
		result = &recv
		if what.InPlace() {
			what = recv
		} else if err := distinct(send, recv); err != nil {
			return err
		}
	}
	if err := reducible(o, what.Type); err != nil {
		return err
	}
	if what.Bytes() == 0 {
		return nil
	}
	if a := sharedArea(c, what.Bytes()); a != nil && what.Contiguous() {
		return sharedReduce(c, a, what, result, o)
	}
	t := join(c, tagReduce)
	a := accumulate(o, send, result)
	g := arrange(t.size, root)
	if t.gatherMate(&a, g) {
		if what.Bytes() < reduceLong || what.Count < int64(g.count) {
			t.reduceTree(&a, g)
		} else {
			t.reduceHalving(&a, g)
		}
	}
	if result != nil {
		a.settle(&t)
	}
	return t.finish()
}

// gatherMate combines the values within a group of two and tells whether this rank holds the outcome.
func (t *team) gatherMate(a *accumulator, g groups) bool {
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

// reduceTree combines the values of the groups in a binomial tree to the root. Groups are numbered by how their
// number differs from that of the root's group: that keeps neighbours together.
func (t *team) reduceTree(a *accumulator, g groups) {
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

// reduceHalving shares the work: each group ends up with the outcome for one part of the elements, and the parts go
// up a binomial tree to the root.
func (t *team) reduceHalving(a *accumulator, g groups) {
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
