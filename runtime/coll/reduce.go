package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
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
	t := join(c, schedule.TagReduce)
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
		} else if err := partition.Distinct(send, *recv); err != nil {
			return what, nil, err
		}
	}
	return what, result, reducible(o, what.Type)
}

// Reduce is MPI_Reduce. Between two groups, the contributions of one are combined at the root in the other.
func (t *Team) Reduce(send, recv datatype.Buffer, o *op.Op, root int) error {
	t.Operation = tool.Reduce
	if t.Comm.Inter() {
		return t.reduceAcross(send, recv, o, root)
	}
	what, result, err := operands(t.Comm, send, &recv, o, root)
	if err != nil || what.Bytes() == 0 {
		return err
	}
	q := t.asking(tool.Reduce, what, o)
	switch t.choose(q).By {
	case tool.Cells:
		t.group().ReduceAtOnce(what, result, o)
	case tool.AtRoot:
		t.CountAlgorithm(tool.AtRoot)
		if q.bytes <= collseg.MaxData {
			t.group().ReduceAtOnce(what, result, o)
		} else {
			t.group().ReduceInSteps(what, result, o, root, true)
		}
	case tool.Steps:
		t.group().ReduceInSteps(what, result, o, root, t.Size == 2)
	case tool.NbcCells:
		w := t.operation.Over(fast.Reduction, root)
		if w.Send.Buffer, w.Op = what, o; result != nil {
			w.Recv.Buffer = *result
		}
		t.operation.Cut(q.combinedInPieces())
	case tool.OverNodes:
		n := t.over(t.Comm.Layout())
		n.reduce(o, send, result, root)
	case tool.Halving:
		algorithm.Reduce(t.Exchange, o, send, result, root, true)
	default:
		algorithm.Reduce(t.Exchange, o, send, result, root, false)
	}
	return nil
}

// reduceAcross combines the contributions of one group at the root in the other.
func (t *Team) reduceAcross(send, recv datatype.Buffer, o *op.Op, root int) error {
	t.CountAlgorithm(tool.Across)
	switch schedule.RoleOf(t.Comm, root) {
	case schedule.IsRoot:
		if recv.Bytes() > 0 {
			t.cross()
			t.Recv(recv, 0)
			t.Home()
		}
	case schedule.IsPeer:
		if err := reducible(o, send.Type); err != nil {
			return err
		}
		if value := t.reduceToLeader(o, send); t.Rank == 0 && value.Bytes() > 0 {
			t.cross()
			t.Send(value, root)
			t.Home()
		}
	}
	return nil
}

// reduceToLeader combines the contributions of the group of an intercommunicator at its rank 0, where the
// value returned is the outcome.
func (t *Team) reduceToLeader(o *op.Op, send datatype.Buffer) datatype.Buffer {
	q := t.asked(question{op: tool.Reduce, at: messages, bytes: send.Bytes(), ranks: t.Size,
		elements: send.Count})
	return algorithm.Reduce(t.Exchange, o, send, nil, 0, t.choose(q).By == tool.Halving)
}
