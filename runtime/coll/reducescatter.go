package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// share is one rank's part of what a reduction comes to, in elements.
type share struct{ from, count int64 }

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
	t := join(c, tagReduceScatter)
	return t.close(t.ReduceScatter(send, recv, counts, o))
}

// ReduceScatter is MPI_Reduce_scatter.
func (t *Team) ReduceScatter(send, recv datatype.Buffer, counts []int64, o *op.Op) error {
	t.op = tool.ReduceScatter
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
	mine, last := shareOf(t.rank, recv, counts), shareOf(t.size-1, recv, counts)
	all = all.Slice(0, last.from+last.count)
	own := recv.Slice(0, mine.count)
	switch {
	case all.Bytes() == 0:
		return nil
	case t.c.Inter():
		t.countAlgorithm(tool.Across)
		t.reduceScatterAcross(o, all, recv, counts)
		return nil
	}
	q := t.asking(tool.ReduceScatter, all, o)
	switch t.choose(q).by {
	case tool.Cells:
		reduceScatterAtOnce(t, all, own, mine, o)
	case tool.Steps:
		s := t.stepping(t.segment(), recv.Bytes())
		s.reduceScatter(all, recv, counts, send.InPlace(), o)
	case tool.NbcCells:
		w := t.onNbc(fast.Shares, -1)
		w.send.Buffer, w.recv.Buffer, w.share, w.op = all, own, mine, o
	case tool.OverNodes:
		n := t.over(t.c.Layout())
		n.reduceScatter(o, all, own, counts)
	default:
		t.combineShare(o, all, own, send.InPlace(), counts)
	}
	return nil
}

// shareOf is what a rank gets: recv.Count elements each if counts is nil.
func shareOf(rank int, recv datatype.Buffer, counts []int64) share {
	if counts == nil {
		return share{int64(rank) * recv.Count, recv.Count}
	}
	return share{total(counts[:rank]), counts[rank]}
}

// combineShare has every rank collect all contributions to its own share, and combine them by itself.
func (t *Team) combineShare(o *op.Op, all, recv datatype.Buffer, inPlace bool, counts []int64) {
	t.countAlgorithm(tool.Pairwise)
	own := shareOf(t.rank, recv, counts)
	p := int64(t.size)
	room := t.like(datatype.Buffer{Count: own.count * p, Type: all.Type})
	v := values{groups: arrange(t.size, -1), room: room, each: own.count, me: t.rank,
		own: all.Slice(own.from, own.count)}
	if !inPlace {
		v.last = recv // the outcome comes to stand where the last value does
	} else {
		v.last = block(datatype.Buffer{Addr: room.Addr, Count: own.count, Type: room.Type}, t.size-1)
	}
	if v.written(v.me) {
		t.copy(v.at(t.rank), v.own)
	}
	t.pairwise(leftOut, func(to int) datatype.Buffer { // counts are the same on all ranks
		theirs := shareOf(to, recv, counts)
		return all.Slice(theirs.from, theirs.count)
	}, v.at)
	if own.count == 0 {
		return
	}
	v.combine(func(in, inout int) { t.apply(o, v.at(in), v.at(inout)) })
	if inPlace {
		t.copy(recv, v.last)
	}
}

// reduceScatterAcross gives the outcome of each group to the other.
func (t *Team) reduceScatterAcross(o *op.Op, all, recv datatype.Buffer, counts []int64) {
	value := t.reduceToLeader(o, all)
	in := Even(recv)
	if t.rank == 0 {
		theirs := t.like(all)
		t.cross()
		t.sendrecv(value, 0, theirs, 0)
		t.home()
		in.Addr, in.Type = theirs.Addr, theirs.Type
		if counts != nil {
			in.Counts, in.Displs = counts, make([]int64, t.size)
			for rank := range in.Displs {
				in.Displs[rank] = total(counts[:rank])
			}
		}
		own := in.Of(0)
		t.copy(recv.Slice(0, own.Count), own)
		t.deal(&in)
	} else {
		mine := shareOf(t.rank, recv, counts)
		if b := recv.Slice(0, mine.count); !t.leavesOut(b) {
			t.recv(b, 0)
		}
	}
}

// values are the contributions of all ranks to one share, which one rank combines.
type values struct {
	groups
	room datatype.Buffer // those of all ranks, in order
	each int64           // elements of one
	me   int
	own  datatype.Buffer // this rank's, which must not be written
	last datatype.Buffer // where the last rank's goes
}

// at is where the value of a rank stands.
func (v *values) at(rank int) datatype.Buffer {
	switch {
	case rank == v.pairs+v.count-1:
		return v.last
	case rank == v.me && !v.written(v.me):
		return v.own
	}
	return v.room.Slice(int64(rank)*v.each, v.each)
}
