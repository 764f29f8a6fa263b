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
	t := join(c, tagAllreduce)
	return t.close(t.Allreduce(send, recv, o))
}

// Allreduce is MPI_Allreduce. Between two groups, each gets what the contributions of the other come to.
func (t *Team) Allreduce(send, recv datatype.Buffer, o *op.Op) error {
	if err := combinable(o, send, recv); err != nil {
		return err
	}
	if recv.Bytes() == 0 {
		return nil
	}
	if t.c.Inter() {
		return t.allreduceAcross(o, send, recv)
	}
	own := send
	if send.InPlace() {
		own = recv
	}
	if a := t.segment(); a != nil && reducesShared(a, recv) {
		sharedAllreduce(t, a, own, recv, o)
	} else if w := t.onNbc(isReducedInCells(t.size, recv), fast.Reduction, -1); w != nil {
		w.send.Buffer, w.recv.Buffer, w.op = own, recv, o
	} else if l := t.halves(o, recv.Bytes()); l != nil {
		n := t.over(l)
		n.allreduce(o, send, recv)
	} else {
		t.allreduce(o, send, recv)
	}
	return nil
}

// allreduceAcross gives the outcome of each group to the other.
func (t *Team) allreduceAcross(o *op.Op, send, recv datatype.Buffer) error {
	if err := t.apart(send); err != nil {
		return err
	}
	t.countAlgorithm(tool.Across)
	value := t.reduce(o, send, nil, 0)
	if t.rank == 0 {
		t.cross()
		t.sendrecv(value, 0, recv, 0)
		t.home()
	}
	t.bcast(recv, 0)
	return nil
}

// allreduce combines the contributions of the group by messages.
func (t *Team) allreduce(o *op.Op, send, recv datatype.Buffer) {
	r := t.reduction(o, send, &recv, -1)
	shared := r.sharesWork(tool.Doubling)
	mate := r.g.mate(t.rank)
	if !r.gatherMate() {
		t.recv(recv, mate)
		return
	}
	if shared {
		r.halveAndDouble()
	} else {
		r.double()
	}
	r.settle()
	if mate >= 0 {
		t.send(recv, mate)
	}
}
