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

// Scatter deals out the root's send buffer in equal parts, in rank order (MPI_Scatter, MPI 5.0, 6.6).
// send.Count is the number of elements for each rank; send is significant at the root alone, where recv may
// be in place: its part then stays in send.
func Scatter(c *comm.Comm, send, recv datatype.Buffer, root int) error {
	t := join(c, schedule.TagScatter)
	return t.close(t.Scatter(send, recv, root))
}

// Scatter is MPI_Scatter. Between two groups, the root's buffer is dealt out among the ranks of the other
// group.
func (t *Team) Scatter(send, recv datatype.Buffer, root int) error {
	t.Operation = tool.Scatter
	blocks := partition.Even(send)
	if t.Comm.Inter() {
		t.cross()
		algorithm.ScatterStraight(t.Exchange, &blocks, recv, root)
		t.Home()
		return nil
	}
	each := recv.Bytes
	if t.Rank == root {
		each = send.Bytes
	}
	n := each()
	if n == 0 || t.Size == 1 {
		if t.Rank == root {
			return t.Keep(recv, blocks.Of(root))
		}
		return nil
	}
	q := t.ask(tool.Scatter, n)
	if t.choose(q).By == tool.Cells || t.how.By == tool.Steps {
		return t.group().Scatter(&blocks, recv, root, true)
	}
	if t.Rank == root {
		if err := t.Keep(recv, blocks.Of(root)); err != nil {
			return err
		}
	}
	switch t.how.By {
	case tool.NbcCells:
		w := t.operation.Over(fast.Scattered, root)
		w.Send, w.Recv.Buffer = blocks, recv
		t.operation.Cut(collseg.WideSize)
	case tool.OverNodes:
		o := t.over(t.Comm.Layout())
		o.scatter(send, recv, n, root)
	case tool.Straight:
		algorithm.ScatterStraight(t.Exchange, &blocks, recv, root)
	default:
		algorithm.ScatterTree(t.Exchange, send, recv, n, root)
	}
	return nil
}

// Scatterv is Scatter with parts that may differ in size (MPI_Scatterv, MPI 5.0, 6.6).
func Scatterv(c *comm.Comm, send *partition.Blocks, recv datatype.Buffer, root int) error {
	t := join(c, schedule.TagScatter)
	return t.close(t.Scatterv(send, recv, root))
}

// Scatterv is MPI_Scatterv.
func (t *Team) Scatterv(send *partition.Blocks, recv datatype.Buffer, root int) error {
	t.Operation = tool.Scatter
	if t.Comm.Inter() {
		t.cross()
		algorithm.ScatterStraight(t.Exchange, send, recv, root)
		t.Home()
		return nil
	}
	q := t.askUneven(tool.Scatter, recv.Bytes())
	if t.Rank == root {
		q.bytes = send.SpreadBytes(t.Size, root)
	}
	if t.choose(q).By == tool.Cells || t.how.By == tool.Steps {
		return t.group().Scatter(send, recv, root, false)
	}
	if t.Rank == root {
		if err := t.Keep(recv, send.Of(root)); err != nil {
			return err
		}
	}
	if t.how.By != tool.NbcCells {
		algorithm.ScatterStraight(t.Exchange, send, recv, root)
		return nil
	}
	w := t.operation.Over(fast.ScatteredV, root)
	if w.Recv.Buffer = recv; t.Rank == root {
		w.Send = t.operation.Kept(send)
		t.operation.Cut(q.inPieces())
	}
	return nil
}
