package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Alltoall sends block j of every rank i to rank j, which receives it as block i (MPI_Alltoall, MPI 5.0,
// 6.8). send.Count and recv.Count are the number of elements of one block. send may be in place: the blocks
// of recv are then sent and replaced. What a rank sends and receives does not depend on whether it is in
// place, so some ranks may be and others not.
func Alltoall(c *comm.Comm, send, recv datatype.Buffer) error {
	t := join(c, schedule.TagAlltoall)
	return t.close(t.Alltoall(send, recv))
}

// Alltoall is MPI_Alltoall. Between two groups, block j goes to rank j of the other group.
func (t *Team) Alltoall(send, recv datatype.Buffer) error {
	t.Operation = tool.Alltoall
	n := recv.Bytes()
	out, in := partition.Even(send), partition.Even(recv)
	if t.Comm.Inter() {
		return t.alltoallAcross(&out, &in)
	}
	if err := partition.Distinct(send, recv); err != nil {
		return err
	}
	switch {
	case t.Size == 1:
		algorithm.AlltoallPairwise(t.Exchange, &out, &in)
		return nil
	case n == 0:
		if !send.InPlace() {
			t.CopyOwn(in.Of(t.Rank), out.Of(t.Rank))
		}
		return nil
	}
	gives := send
	if send.InPlace() {
		gives = recv // all of which has been read before anything is received, in short blocks
	}
	q := t.ask(t.Operation, n)
	if q.at&onNodeNbc != 0 {
		q.bytes = max(n, gives.Bytes())
	}
	switch t.choose(q).By {
	case tool.Cells:
		t.group().AlltoallAtOnce(&out, &in)
	case tool.Steps:
		t.group().Alltoall(&out, &in)
	case tool.NbcCells:
		w := t.operation.Over(fast.Crossed, -1)
		if w.Send, w.Recv = partition.Even(gives), in; !send.InPlace() {
			t.CopyOwn(in.Of(t.Rank), out.Of(t.Rank))
		}
		t.operation.Cut(collseg.WideSize)
	case tool.OverNodes:
		o := t.over(t.Comm.Layout())
		o.alltoall(gives, recv, n)
	case tool.Bruck:
		algorithm.AlltoallBruck(t.Exchange, gives, recv, n)
	default:
		algorithm.AlltoallPairwise(t.Exchange, &out, &in)
	}
	return nil
}

// Alltoallw is Alltoall with blocks that may differ in size and type (MPI_Alltoallv and MPI_Alltoallw, MPI
// 5.0, 6.8).
func Alltoallw(c *comm.Comm, send, recv *partition.Blocks) error {
	t := join(c, schedule.TagAlltoall)
	return t.close(t.Alltoallw(send, recv))
}

// Alltoallw is MPI_Alltoallv and MPI_Alltoallw.
func (t *Team) Alltoallw(send, recv *partition.Blocks) error {
	t.Operation = tool.Alltoall
	if t.Comm.Inter() {
		return t.alltoallAcross(send, recv)
	}
	if err := partition.Separate(send, recv, t.Size); err != nil {
		return err
	}
	q := t.askUneven(t.Operation, partition.Outgoing(send, recv).SpreadBytes(t.Size, t.Rank))
	switch t.choose(q).By {
	case tool.Cells, tool.Steps: // each rank as it has little or much
		t.group().Alltoall(send, recv)
	case tool.NbcCells:
		w := t.operation.Over(fast.CrossedV, -1)
		if w.Recv = t.operation.Kept(recv); send.InPlace() {
			t.operation.Replace(q.inPieces())
		} else {
			t.CopyOwn(recv.Of(t.Rank), send.Of(t.Rank))
			w.Send = t.operation.Kept(send)
			t.operation.Cut(q.inPieces())
		}
	default:
		algorithm.AlltoallPairwise(t.Exchange, send, recv)
	}
	return nil
}

// alltoallAcross exchanges a block with each rank of the other group.
func (t *Team) alltoallAcross(send, recv *partition.Blocks) error {
	if err := t.apart(send.Buffer); err != nil {
		return err
	}
	t.cross()
	algorithm.Pairwise(t.Exchange, schedule.SentToFew, send.Of, recv.Of)
	t.Home()
	return nil
}
