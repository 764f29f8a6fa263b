package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// ReduceScatterBlock combines the send buffers of all ranks, as many blocks of recv.Count elements as there
// are ranks, and gives block i to rank i (MPI_Reduce_scatter_block, MPI 5.0, 6.10). send may be in place: the
// contribution then stands in recv.
func ReduceScatterBlock(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	return ReduceScatter(c, send, recv, nil, o)
}

// ReduceScatterBlock is MPI_Reduce_scatter_block.
func (t *Team) ReduceScatterBlock(send, recv datatype.Buffer, o *op.Op) error {
	return t.ReduceScatter(send, recv, nil, o)
}

// ReduceScatter is ReduceScatterBlock with blocks of counts[i] elements for rank i (MPI_Reduce_scatter, MPI
// 5.0, 6.10).
func ReduceScatter(c *comm.Comm, send, recv datatype.Buffer, counts []int64, o *op.Op) error {
	t := join(c, schedule.TagReduceScatter)
	return t.close(t.ReduceScatter(send, recv, counts, o))
}

// ReduceScatter is MPI_Reduce_scatter.
func (t *Team) ReduceScatter(send, recv datatype.Buffer, counts []int64, o *op.Op) error {
	t.Operation = tool.ReduceScatter
	if err := combinable(o, send, recv); err != nil {
		return err
	}
	if err := t.apart(send); err != nil {
		return err
	}
	all := send
	if send.InPlace() {
		all = recv
	}
	mine, last := partition.ShareOf(t.Rank, recv, counts), partition.ShareOf(t.Size-1, recv, counts)
	all = all.Slice(0, last.From+last.Count)
	own := recv.Slice(0, mine.Count)
	switch {
	case all.Bytes() == 0:
		return nil
	case t.Comm.Inter():
		t.CountAlgorithm(tool.Across)
		t.reduceScatterAcross(o, all, recv, counts)
		return nil
	}
	q := t.asking(tool.ReduceScatter, all, o)
	switch t.choose(q).By {
	case tool.Cells:
		t.group().ReduceScatterAtOnce(all, own, mine, o)
	case tool.Steps:
		t.group().ReduceScatterInSteps(all, recv, counts, send.InPlace(), o)
	case tool.NbcCells:
		w := t.operation.Over(fast.Shares, -1)
		w.Send.Buffer, w.Recv.Buffer, w.Share, w.Op = all, own, mine, o
	case tool.OverNodes:
		n := t.over(t.Comm.Layout())
		n.reduceScatter(o, all, own, counts)
	default:
		algorithm.CombineShare(t.Exchange, o, all, own, send.InPlace(), counts)
	}
	return nil
}

// reduceScatterAcross gives the outcome of each group to the other.
func (t *Team) reduceScatterAcross(o *op.Op, all, recv datatype.Buffer, counts []int64) {
	value := t.reduceToLeader(o, all)
	in := partition.Even(recv)
	if t.Rank == 0 {
		theirs := t.Like(all)
		t.cross()
		t.Sendrecv(value, 0, theirs, 0)
		t.Home()
		in.Addr, in.Type = theirs.Addr, theirs.Type
		if counts != nil {
			in.Counts, in.Displs = counts, make([]int64, t.Size)
			for rank := range in.Displs {
				in.Displs[rank] = partition.Sum(counts[:rank])
			}
		}
		own := in.Of(0)
		t.Copy(recv.Slice(0, own.Count), own)
		algorithm.Deal(t.Exchange, &in)
	} else {
		mine := partition.ShareOf(t.Rank, recv, counts)
		if b := recv.Slice(0, mine.Count); !t.LeavesOut(b) {
			t.Recv(b, 0)
		}
	}
}
