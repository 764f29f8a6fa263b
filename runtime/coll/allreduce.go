package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/schedule"
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
	t := join(c, schedule.TagAllreduce)
	return t.close(t.Allreduce(send, recv, o))
}

// Allreduce is MPI_Allreduce. Between two groups, each gets what the contributions of the other come to.
func (t *Team) Allreduce(send, recv datatype.Buffer, o *op.Op) error {
	t.Operation = tool.Allreduce
	if err := combinable(o, send, recv); err != nil {
		return err
	}
	if recv.Bytes() == 0 {
		return nil
	}
	if t.Comm.Inter() {
		return t.allreduceAcross(o, send, recv)
	}
	own := send
	if send.InPlace() {
		own = recv
	}
	q := t.asking(tool.Allreduce, recv, o)
	switch t.choose(q).By {
	case tool.Cells:
		t.group().AllreduceAtOnce(own, recv, o, false)
	case tool.AtRoot:
		t.CountAlgorithm(tool.AtRoot)
		if q.bytes <= collseg.MaxData {
			t.group().AllreduceAtOnce(own, recv, o, true)
		} else {
			t.group().AllreduceAtRoot(own, recv, o)
		}
	case tool.Steps:
		t.group().AllreduceInSteps(own, recv, o)
	case tool.NbcCells:
		w := t.operation.Over(fast.ReductionToAll, -1)
		w.Send.Buffer, w.Recv.Buffer, w.Op = own, recv, o
		t.operation.Cut(q.combinedInPieces())
	case tool.OverNodes:
		n := t.over(t.Comm.Layout())
		n.allreduce(o, send, recv)
	case tool.Rails:
		t.CountAlgorithm(tool.Rails)
		n := t.over(t.Comm.Layout())
		n.allreduceRails(o, send, recv)
	case tool.Halving:
		algorithm.Allreduce(t.Exchange, o, send, recv, true)
	default:
		algorithm.Allreduce(t.Exchange, o, send, recv, false)
	}
	return nil
}

// allreduceAcross gives the outcome of each group to the other.
func (t *Team) allreduceAcross(o *op.Op, send, recv datatype.Buffer) error {
	if err := t.apart(send); err != nil {
		return err
	}
	t.CountAlgorithm(tool.Across)
	value := t.reduceToLeader(o, send)
	if t.Rank == 0 {
		t.cross()
		t.Sendrecv(value, 0, recv, 0)
		t.Home()
	}
	t.bcast(recv, 0)
	return nil
}

// allreduceGoesToRoot reports whether an allreduce of n bytes is combined by rank 0.
func allreduceGoesToRoot(x *schedule.Exchange, n int64) bool {
	t := Team{Exchange: x}
	q := t.asking(tool.Allreduce, datatype.Raw(0, n), nil)
	return q.choose(x.Comm.Pins()[tool.Allreduce]).By == tool.AtRoot
}
