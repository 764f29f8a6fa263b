package algorithm

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Pairwise has every rank send something to each other and receive something from it, some at a time: with
// those of its group, or with all of the other group.
func Pairwise(x *schedule.Exchange, empty schedule.Empties, out, in func(peer int) datatype.Buffer) {
	w := schedule.Window{Exchange: x, Empty: empty}
	rounds := max(x.Size, x.Context.Size)
	for round := range rounds {
		if p := x.Partner(round, rounds); p < x.Context.Size && !x.IsSelf(p) {
			w.Recv(in(p), p)
			w.Send(out(p), p)
			w.Room()
		}
	}
	w.Wait()
}

// AlltoallPairwise exchanges each block with the rank that it is for, some at a time; in place one block at a
// time, of which it needs a copy. All ranks have the same partners in the same order, so nobody waits for
// ever.
func AlltoallPairwise(x *schedule.Exchange, send, recv *partition.Blocks) {
	x.CountAlgorithm(tool.Pairwise)
	if !send.InPlace() {
		x.CopyOwn(recv.Of(x.Rank), send.Of(x.Rank))
		Pairwise(x, schedule.SentToFew, send.Of, recv.Of)
		return
	}
	aside := x.Raw(recv.Largest(x.Size))
	w := schedule.Window{Exchange: x}
	for round := range x.Size {
		p := x.Partner(round, x.Size)
		if p == x.Rank {
			continue
		}
		b := recv.Of(p)
		out := aside.Slice(0, b.Bytes())
		x.Copy(out, b)
		w.Recv(b, p)
		w.Send(out, p)
		w.Wait()
	}
}

// CombineShare has every rank collect all contributions to its own share, and combine them by itself.
func CombineShare(x *schedule.Exchange, o *op.Op, all, recv datatype.Buffer, inPlace bool, counts []int64) {
	x.CountAlgorithm(tool.Pairwise)
	own := partition.ShareOf(x.Rank, recv, counts)
	p := int64(x.Size)
	room := x.Like(datatype.Buffer{Count: own.Count * p, Type: all.Type})
	v := values{Tree: partition.TreeOf(x.Size, -1), room: room, each: own.Count, me: x.Rank,
		own: all.Slice(own.From, own.Count)}
	if !inPlace {
		v.last = recv // the outcome comes to stand where the last value does
	} else {
		room.Count = own.Count
		v.last = partition.Block(room, x.Size-1)
	}
	if v.Written(v.me) {
		x.Copy(v.at(x.Rank), v.own)
	}
	Pairwise(x, schedule.LeftOut, func(to int) datatype.Buffer { // counts are the same on all ranks
		theirs := partition.ShareOf(to, recv, counts)
		return all.Slice(theirs.From, theirs.Count)
	}, v.at)
	if own.Count == 0 {
		return
	}
	v.Combine(func(in, inout int) { x.Apply(o, v.at(in), v.at(inout)) })
	if inPlace {
		x.Copy(recv, v.last)
	}
}

// values are the contributions of all ranks to one share, which one rank combines.
type values struct {
	partition.Tree
	room datatype.Buffer // those of all ranks, in order
	each int64           // elements of one
	me   int
	own  datatype.Buffer // this rank's, which must not be written
	last datatype.Buffer // where the last rank's goes
}

// at is where the value of a rank stands.
func (v *values) at(rank int) datatype.Buffer {
	switch {
	case rank == v.Pairs+v.Count-1:
		return v.last
	case rank == v.me && !v.Written(v.me):
		return v.own
	}
	return v.room.Slice(int64(rank)*v.each, v.each)
}
