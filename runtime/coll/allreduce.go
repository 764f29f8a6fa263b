package coll

import (
	"gompi/runtime/collseg"
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
	t.op = tool.Allreduce
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
	q := t.asking(tool.Allreduce, recv, o)
	switch t.choose(q).by {
	case tool.Cells:
		allreduceAtOnce(t, own, recv, o, false)
	case tool.AtRoot:
		t.countAlgorithm(tool.AtRoot)
		if q.bytes <= collseg.MaxData {
			allreduceAtOnce(t, own, recv, o, true)
		} else {
			allreduceAtRoot(t, own, recv, o)
		}
	case tool.Steps:
		allreduceInSteps(t, own, recv, o)
	case tool.NbcCells:
		w := t.onNbc(fast.ReductionToAll, -1)
		w.send.Buffer, w.recv.Buffer, w.op = own, recv, o
		t.plan.cut(q.bytes)
	case tool.OverNodes:
		n := t.over(t.c.Layout())
		n.allreduce(o, send, recv)
	case tool.Rails:
		t.countAlgorithm(tool.Rails)
		n := t.over(t.c.Layout())
		n.allreduceRails(o, send, recv)
	case tool.Halving:
		t.allreduce(o, send, recv, true)
	default:
		t.allreduce(o, send, recv, false)
	}
	return nil
}

// allreduceAcross gives the outcome of each group to the other.
func (t *Team) allreduceAcross(o *op.Op, send, recv datatype.Buffer) error {
	if err := t.apart(send); err != nil {
		return err
	}
	t.countAlgorithm(tool.Across)
	value := t.reduceToLeader(o, send)
	if t.rank == 0 {
		t.cross()
		t.sendrecv(value, 0, recv, 0)
		t.home()
	}
	t.bcast(recv, 0)
	return nil
}

// allreduce combines the contributions of the group by messages. The ranks share the work if shared.
func (t *Team) allreduce(o *op.Op, send, recv datatype.Buffer, shared bool) {
	r := t.reduction(o, send, &recv, -1)
	r.countShared(shared, tool.Doubling)
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
