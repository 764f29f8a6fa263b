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
	if t.c.Inter() {
		return t.reduceAcross(send, recv, o, root)
	}
	what, result, err := operands(t.c, send, &recv, o, root)
	if err != nil || what.Bytes() == 0 {
		return err
	}
	if a := t.segment(); a != nil && reducesShared(a, what) {
		sharedReduce(t, a, what, result, o, root)
	} else if w := t.onNbc(isReducedInCells(t.size, what), fast.Reduction, root); w != nil {
		if w.send.Buffer, w.op = what, o; result != nil {
			w.recv.Buffer = *result
		}
	} else if l := t.halves(o, what.Bytes()); l != nil {
		n := t.over(l)
		n.reduce(o, send, result, root)
	} else {
		t.reduce(o, send, result, root)
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
		if value := t.reduce(o, send, nil, 0); t.rank == 0 && value.Bytes() > 0 {
			t.cross()
			t.send(value, root)
			t.home()
		}
	}
	return nil
}

// reduce combines the contributions of the group by messages. The value returned is the outcome at the root,
// which is in result if there is one.
func (t *Team) reduce(o *op.Op, send datatype.Buffer, result *datatype.Buffer, root int) datatype.Buffer {
	r := t.reduction(o, send, result, root)
	if r.value.Bytes() == 0 {
		return r.value
	}
	shared := r.sharesWork(tool.Binomial)
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
