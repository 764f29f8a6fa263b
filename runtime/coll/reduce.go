package coll

import (
	"gompi/runtime/collseg"
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
	t.op = tool.Reduce
	if t.c.Inter() {
		return t.reduceAcross(send, recv, o, root)
	}
	what, result, err := operands(t.c, send, &recv, o, root)
	if err != nil || what.Bytes() == 0 {
		return err
	}
	q := t.asking(tool.Reduce, what, o)
	switch t.choose(q).by {
	case tool.Cells:
		reduceAtOnce(t, what, result, o)
	case tool.AtRoot:
		t.countAlgorithm(tool.AtRoot)
		if q.bytes <= collseg.MaxData {
			reduceAtOnce(t, what, result, o)
		} else {
			reduceInSteps(t, what, result, o, root, true)
		}
	case tool.Steps:
		reduceInSteps(t, what, result, o, root, t.size == 2)
	case tool.NbcCells:
		w := t.onNbc(fast.Reduction, root)
		if w.send.Buffer, w.op = what, o; result != nil {
			w.recv.Buffer = *result
		}
		t.plan.cut(q.bytes)
	case tool.OverNodes:
		n := t.over(t.c.Layout())
		n.reduce(o, send, result, root)
	case tool.Halving:
		t.reduceByMessages(o, send, result, root, true)
	default:
		t.reduceByMessages(o, send, result, root, false)
	}
	return nil
}

// reduceAcross combines the contributions of one group at the root in the other.
func (t *Team) reduceAcross(send, recv datatype.Buffer, o *op.Op, root int) error {
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
		if value := t.reduceToLeader(o, send); t.rank == 0 && value.Bytes() > 0 {
			t.cross()
			t.send(value, root)
			t.home()
		}
	}
	return nil
}

// reduceToLeader combines the contributions of the group of an intercommunicator at its rank 0, where the
// value returned is the outcome.
func (t *Team) reduceToLeader(o *op.Op, send datatype.Buffer) datatype.Buffer {
	q := t.asked(question{op: tool.Reduce, at: messages, bytes: send.Bytes(), ranks: t.size,
		elements: send.Count})
	return t.reduceByMessages(o, send, nil, 0, t.choose(q).by == tool.Halving)
}

// reduceByMessages combines the contributions of the group. The ranks share the work if shared. The value
// returned is the outcome at the root, which is in result if there is one.
func (t *Team) reduceByMessages(o *op.Op, send datatype.Buffer, result *datatype.Buffer, root int,
	shared bool) datatype.Buffer {
	r := t.reduction(o, send, result, root)
	if r.value.Bytes() == 0 {
		return r.value
	}
	r.countShared(shared, tool.Binomial)
	if r.gatherMate() {
		if shared {
			r.halveToRoot()
		} else {
			r.tree()
		}
	}
	if result != nil {
		r.settle()
	}
	return r.value
}
