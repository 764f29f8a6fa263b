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
	return reduceScatter(c, send, recv, o, nil)
}

// ReduceScatterBlock is MPI_Reduce_scatter_block.
func (t *Team) ReduceScatterBlock(send, recv datatype.Buffer, o *op.Op) error {
	return t.reduceScatter(send, recv, o, nil)
}

// ReduceScatter is ReduceScatterBlock with blocks of counts[i] elements for rank i (MPI_Reduce_scatter, MPI
// 5.0, 6.10).
func ReduceScatter(c *comm.Comm, send, recv datatype.Buffer, counts []int64, o *op.Op) error {
	return reduceScatter(c, send, recv, o, counts)
}

// ReduceScatter is MPI_Reduce_scatter.
func (t *Team) ReduceScatter(send, recv datatype.Buffer, counts []int64, o *op.Op) error {
	return t.reduceScatter(send, recv, o, counts)
}

// shareOf is what a rank gets: recv.Count elements each if counts is nil.
func shareOf(rank int, recv datatype.Buffer, counts []int64) share {
	if counts == nil {
		return share{int64(rank) * recv.Count, recv.Count}
	}
	return share{total(counts[:rank]), counts[rank]}
}

func reduceScatter(c *comm.Comm, send, recv datatype.Buffer, o *op.Op, counts []int64) error {
	t := join(c, tagReduceScatter)
	if !c.Inter() && recv.Type.Dense() {
		if err := combinable(o, send, recv); err != nil {
			return err
		}
		last := shareOf(t.size-1, recv, counts)
		all := send
		if send.InPlace() {
			all = recv
		}
		all = all.Slice(0, last.from+last.count)
		if a := sharedArea(c); a != nil && all.Bytes() > 0 {
			if all.Bytes() <= maxReduceScattered {
				return sharedReduceScatter(c, a, all, recv.Slice(0, shareOf(t.rank, recv, counts).count),
					shareOf(t.rank, recv, counts).from, o)
			}
			if reducesInSteps(all) {
				return steppedReduceScatter(c, a, all, recv, counts, send.InPlace(), o)
			}
		}
	}
	return t.close(t.reduceScatter(send, recv, o, counts))
}

func (t *Team) reduceScatter(send, recv datatype.Buffer, o *op.Op, counts []int64) error {
	if err := combinable(o, send, recv); err != nil {
		return err
	}
	if err := t.apart(send); err != nil {
		return err
	}
	in := send
	if in.InPlace() {
		in = recv
	}
	last := shareOf(t.size-1, recv, counts)
	all := in.Slice(0, last.from+last.count)
	switch {
	case all.Bytes() == 0:
	case t.c.Inter():
		t.countAlgorithm(tool.Across)
		t.reduceScatterAcross(o, all, recv, counts)
	default:
		mine := shareOf(t.rank, recv, counts)
		if w := t.onNbc(recv.Type.Dense() && fitsCell(all.Bytes()), fast.Shares, -1); w != nil {
			w.send.Buffer, w.recv.Buffer, w.share, w.op = all, recv.Slice(0, mine.count), mine, o
			return nil
		}
		if l := t.ordered(o); l != nil {
			t.countAlgorithm(tool.OverNodes)
			t.reduceScatterNodes(l, o, all, recv.Slice(0, mine.count), counts)
		} else {
			t.combineShare(o, all, recv.Slice(0, mine.count), send.InPlace(), counts)
		}
	}
	return nil
}

// combineShare has every rank collect all contributions to its own share, and combine them by itself.
func (t *Team) combineShare(o *op.Op, all, recv datatype.Buffer, inPlace bool, counts []int64) {
	t.countAmongAll(tool.Pairwise)
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
	var w window
	if v.written(v.me) {
		t.copy(v.at(t.rank), v.own)
	}
	at := int64(0)
	if counts == nil {
		at = -1
	}
	for round := range t.size {
		to := t.partner(round)
		if to == t.rank {
			continue
		}
		if own.count > 0 {
			w.recv(t, v.at(to), to)
		}
		theirs := share{int64(to) * own.count, own.count}
		if at >= 0 {
			theirs = shareOf(to, recv, counts)
		}
		if theirs.count > 0 { // counts are the same on all ranks
			w.send(t, all.Slice(theirs.from, theirs.count), to)
		}
		w.room(t)
	}
	w.wait(t)
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
	value := t.reduce(o, all, nil, 0)
	in := Even(recv)
	if t.rank == 0 {
		theirs := t.like(all)
		t.cross()
		t.exchange(value, 0, theirs, 0)
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
		t.deal(&in, t.size, 0)
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
