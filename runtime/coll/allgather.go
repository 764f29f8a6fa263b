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

// Allgather collects the send buffers of all ranks in everybody's receive buffer, in rank order
// (MPI_Allgather, MPI 5.0, 6.7). recv.Count is the number of elements from each rank. send may be in place:
// the contribution then stands in recv already.
func Allgather(c *comm.Comm, send, recv datatype.Buffer) error {
	t := join(c, schedule.TagAllgather)
	return t.close(t.Allgather(send, recv))
}

// Allgather is MPI_Allgather. Between two groups, each rank gets what the ranks of the other group have.
func (t *Team) Allgather(send, recv datatype.Buffer) error {
	t.Operation = tool.Allgather
	blocks := partition.Even(recv)
	if t.Comm.Inter() {
		return t.allgatherAcross(send, &blocks)
	}
	n := recv.Bytes()
	if n == 0 || t.Size == 1 {
		return t.KeepForAll(blocks.Of(t.Rank), send)
	}
	q := t.ask(t.Operation, n)
	if t.choose(q).By == tool.Cells || t.how.By == tool.Steps {
		return t.group().Allgather(send, &blocks)
	}
	return t.allgather(send, recv)
}

// allgather is Allgather of one group by messages or over the nonblocking segment, as has been chosen.
func (t *Team) allgather(send, recv datatype.Buffer) error {
	blocks, n := partition.Even(recv), recv.Bytes()
	if err := t.KeepForAll(blocks.Of(t.Rank), send); err != nil {
		return err
	}
	switch t.how.By {
	case tool.NbcCells:
		w := t.operation.Over(fast.Everyone, -1)
		w.Send.Buffer, w.Recv = blocks.Contribution(send, t.Rank), blocks
		t.operation.Cut(t.question.inPieces())
	case tool.Doubling:
		algorithm.AllgatherDoubling(t.Exchange, recv)
	case tool.Bruck:
		algorithm.AllgatherBruck(t.Exchange, recv, n)
	default:
		t.allgatherBlocks(&blocks)
	}
	return nil
}

// Allgatherv is Allgather with contributions that may differ in size (MPI_Allgatherv, MPI 5.0, 6.7).
func Allgatherv(c *comm.Comm, send datatype.Buffer, recv *partition.Blocks) error {
	t := join(c, schedule.TagAllgather)
	return t.close(t.Allgatherv(send, recv))
}

// Allgatherv is MPI_Allgatherv.
func (t *Team) Allgatherv(send datatype.Buffer, recv *partition.Blocks) error {
	t.Operation = tool.Allgather
	if t.Comm.Inter() {
		return t.allgatherAcross(send, recv)
	}
	if recv.Total(t.Size) == 0 {
		return t.KeepForAll(recv.Of(t.Rank), send)
	}
	q := t.askUneven(t.Operation, 0)
	if q.at&onNode != 0 {
		q.bytes = recv.Largest(t.Size)
	} else {
		q.bytes = (recv.Total(t.Size) + int64(t.Size) - 1) / int64(t.Size)
	}
	if t.choose(q).By == tool.Cells || t.how.By == tool.Steps {
		return t.group().Allgather(send, recv)
	}
	if err := t.KeepForAll(recv.Of(t.Rank), send); err != nil {
		return err
	}
	switch {
	case t.Size == 1:
	case t.how.By == tool.NbcCells:
		w := t.operation.Over(fast.Everyone, -1)
		w.Send.Buffer, w.Recv = recv.Contribution(send, t.Rank), t.operation.Kept(recv)
		t.operation.Cut(t.question.inPieces())
	default:
		t.allgatherBlocks(recv)
	}
	return nil
}

// allgatherBlocks is an allgather of blocks that may differ in size by messages, as has been chosen.
func (t *Team) allgatherBlocks(recv *partition.Blocks) {
	switch l := t.Comm.Layout(); {
	case t.how.By == tool.Straight:
		algorithm.AllgatherStraight(t.Exchange, recv)
	case l == nil:
		algorithm.AllgatherRing(t.Exchange, recv, t.Rank, itself)
	case t.how.By == tool.Ring: // which enters each node once
		rank := func(i int) int { return int(l.Order[i]) }
		algorithm.AllgatherRing(t.Exchange, recv, int(l.Position[t.Rank]), rank)
	case recv.Total(t.Size) > 0:
		n := t.over(l)
		n.allgather(recv)
	}
}

// itself numbers the ranks of a ring in their order.
func itself(rank int) int { return rank }

// allgatherAcross has everybody send to everybody in the other group.
func (t *Team) allgatherAcross(send datatype.Buffer, recv *partition.Blocks) error {
	if err := t.apart(send); err != nil {
		return err
	}
	t.cross()
	algorithm.Pairwise(t.Exchange, schedule.SentToFew, func(int) datatype.Buffer { return send }, recv.Of)
	t.Home()
	return nil
}
