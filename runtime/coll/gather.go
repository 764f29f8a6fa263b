package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Gather collects the send buffers of all ranks in the root's receive buffer, in rank order (MPI_Gather, MPI
// 5.0, 6.5). recv.Count is the number of elements from each rank; recv is significant at the root alone,
// where send may be in place: its contribution then stands in recv already.
func Gather(c *comm.Comm, send, recv datatype.Buffer, root int) error {
	t := join(c, schedule.TagGather)
	return t.close(t.Gather(send, recv, root))
}

// Gather is MPI_Gather. Between two groups, the root gets what the ranks of the other group have.
func (t *Team) Gather(send, recv datatype.Buffer, root int) error {
	t.Operation = tool.Gather
	blocks := partition.Even(recv)
	if t.Comm.Inter() {
		t.cross()
		algorithm.GatherStraight(t.Exchange, send, &blocks, root)
		t.Home()
		return nil
	}
	each := send.Bytes
	if t.Rank == root {
		each = recv.Bytes
	}
	n := each()
	if n == 0 || t.Size == 1 {
		if t.Rank == root {
			return t.Keep(blocks.Of(root), send)
		}
		return nil
	}
	q := t.ask(tool.Gather, n)
	switch t.choose(q).By {
	case tool.Cells:
		return t.group().GatherAtOnce(send, &blocks, root)
	case tool.Steps:
		return t.group().GatherInSteps(send, &blocks, root)
	}
	if t.Rank == root {
		if err := t.Keep(blocks.Of(root), send); err != nil {
			return err
		}
	}
	switch t.how.By {
	case tool.NbcCells:
		w := t.operation.Over(fast.ToRoot, root)
		w.Send.Buffer, w.Recv = send, blocks
		t.operation.Cut(q.inPieces())
	case tool.OverNodes:
		if t.Rank == root {
			send = partition.Block(recv, root)
		}
		o := t.over(t.Comm.Layout())
		o.gather(send, recv, n, root)
	case tool.Straight:
		algorithm.GatherStraight(t.Exchange, send, &blocks, root)
	default:
		algorithm.GatherTree(t.Exchange, send, recv, n, root)
	}
	return nil
}

// Gatherv is Gather with contributions that may differ in size (MPI_Gatherv, MPI 5.0, 6.5).
func Gatherv(c *comm.Comm, send datatype.Buffer, recv *partition.Blocks, root int) error {
	t := join(c, schedule.TagGather)
	return t.close(t.Gatherv(send, recv, root))
}

// Gatherv is MPI_Gatherv.
func (t *Team) Gatherv(send datatype.Buffer, recv *partition.Blocks, root int) error {
	t.Operation = tool.Gather
	if t.Comm.Inter() {
		t.cross()
		algorithm.GatherStraight(t.Exchange, send, recv, root)
		t.Home()
		return nil
	}
	q := t.askUneven(tool.Gather, send.Bytes())
	if t.Rank == root {
		q.bytes = recv.Largest(t.Size)
	}
	if t.choose(q).By == tool.Cells {
		return t.group().GathervAtOnce(send, recv, root)
	}
	if t.Rank == root {
		if err := t.Keep(recv.Of(root), send); err != nil {
			return err
		}
	}
	if t.how.By != tool.NbcCells {
		algorithm.GatherStraight(t.Exchange, send, recv, root)
		return nil
	}
	w := t.operation.Over(fast.ToRoot, root)
	if w.Send.Buffer = send; t.Rank == root {
		w.Recv = t.operation.Kept(recv)
	}
	t.operation.Cut(q.inPieces())
	return nil
}
