package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// Allreduce combines the send buffers of all ranks, element by element, into everybody's receive buffer
// (MPI_Allreduce, MPI 5.0, 6.9.6). send may be in place. All ranks get the same bits.
func Allreduce(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	if !send.InPlace() {
		if err := distinct(send, recv); err != nil {
			return err
		}
	}
	if err := reducible(o, recv.Type); err != nil {
		return err
	}
	if recv.Bytes() == 0 {
		return nil
	}
	if a := sharedArea(c, recv.Bytes()); a != nil && recv.Contiguous() {
		if send.InPlace() {
			send = recv
		}
		return sharedReduce(c, a, send, &recv, o)
	}
	t := join(c, tagAllreduce)
	a := accumulate(o, send, &recv)
	g := arrange(t.size, -1)
	if !t.gatherMate(&a, g) {
		t.recv(recv, g.mate(t.rank))
		return t.finish()
	}
	if recv.Bytes() < reduceLong || recv.Count < int64(g.count) {
		t.double(&a, g)
	} else {
		t.halveAndDouble(&a, g)
	}
	a.settle(&t)
	if mate := g.mate(t.rank); mate >= 0 {
		t.send(recv, mate)
	}
	return t.finish()
}

// double exchanges everything with groups at distances 1, 2, 4 and so on.
func (t *team) double(a *accumulator, g groups) {
	mine := g.of(t.rank)
	for mask := 1; mask < g.count; mask <<= 1 {
		group := mine ^ mask
		other := g.holder(group)
		t.exchange(a.value, other, a.room(t), other)
		a.combine(t, group > mine)
	}
}

// halveAndDouble shares the work, each group ending up with the outcome for one part of the elements, and then
// exchanges the parts, the way back.
func (t *team) halveAndDouble(a *accumulator, g groups) {
	r := t.halve(a, g)
	mine := g.of(t.rank)
	for k := g.levels - 1; k >= 0; k-- {
		other := g.holder(mine ^ 1<<k)
		t.exchange(r.mine(k+1, a.value), other, r.theirs(k, mine, a.value), other)
	}
}
