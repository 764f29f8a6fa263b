package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Allreduce combines the send buffers of all ranks, element by element, into everybody's receive buffer
// (MPI_Allreduce, MPI 5.0, 6.9.6). send may be in place. All ranks get the same bits.
func Allreduce(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	if err := combinable(o, send, recv); err != nil {
		return err
	}
	if n := recv.Bytes(); !c.Inter() && n > 0 {
		if a := sharedArea(c); a != nil && reducesShared(a, recv) {
			if send.InPlace() {
				send = recv
			}
			if alone := reducesAtRootAtOnce(a, recv); alone || isAtOnce(a, n) {
				return sharedAllreduce(c, a, send, recv, o, alone)
			}
			return steppedAllreduce(c, a, send, recv, o)
		}
	}
	t := join(c, tagAllreduce)
	return t.close(t.Allreduce(send, recv, o))
}

// Allreduce is MPI_Allreduce. Between two groups, each gets what the contributions of the other come to.
func (t *Team) Allreduce(send, recv datatype.Buffer, o *op.Op) error {
	if err := combinable(o, send, recv); err != nil {
		return err
	}
	switch {
	case recv.Bytes() == 0:
	case t.c.Inter():
		if err := t.apart(send); err != nil {
			return err
		}
		t.countAlgorithm(tool.Across)
		value := t.reduce(o, send, nil, 0)
		if t.rank == 0 {
			t.cross()
			t.exchange(value, 0, recv, 0)
			t.home()
		}
		t.bcast(recv, 0)
	default:
		if w := t.onNbc(isReducedInCells(t.size, recv), fast.Reduction, -1); w != nil {
			if w.send.Buffer, w.recv.Buffer, w.op = send, recv, o; send.InPlace() {
				w.send.Buffer = recv
			}
		} else if l := t.halves(o, recv.Bytes()); l != nil {
			t.countAlgorithm(tool.OverNodes)
			t.allreduceNodes(l, o, send, recv)
		} else {
			t.allreduce(o, send, recv)
		}
	}
	return nil
}

// allreduce combines the contributions of the group.
func (t *Team) allreduce(o *op.Op, send, recv datatype.Buffer) {
	a := accumulate(o, send, &recv)
	g := arrange(t.size, -1)
	shared := t.sharesWork(g, recv, tool.Doubling)
	if !t.gatherMate(&a, g) {
		t.recv(recv, g.mate(t.rank))
		return
	}
	if shared {
		t.halveAndDouble(&a, g)
	} else {
		t.double(&a, g)
	}
	a.settle(t)
	if mate := g.mate(t.rank); mate >= 0 {
		t.send(recv, mate)
	}
}

// double exchanges everything with groups at distances 1, 2, 4 and so on.
func (t *Team) double(a *accumulator, g groups) {
	mine := g.of(t.rank)
	for mask := 1; mask < g.count; mask <<= 1 {
		group := mine ^ mask
		other := g.holder(group)
		t.exchange(a.value, other, a.room(t), other)
		a.combine(t, group > mine)
	}
}

// halveAndDouble shares the work, each group ending up with the outcome for one part of the elements, and
// then exchanges the parts, the way back.
func (t *Team) halveAndDouble(a *accumulator, g groups) {
	r := t.halve(a, g)
	mine := g.of(t.rank)
	for k := g.levels - 1; k >= 0; k-- {
		other := g.holder(mine ^ 1<<k)
		t.exchange(r.mine(k+1, a.value), other, r.theirs(k, mine, a.value), other)
	}
}
