package algorithm

import (
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// AllgatherDoubling is for a power of two of ranks: groups of 1, 2, 4 ranks and so on exchange all they have.
func AllgatherDoubling(x *schedule.Exchange, recv datatype.Buffer) {
	x.CountAlgorithm(tool.Doubling)
	for mask := 1; mask < x.Size; mask <<= 1 {
		other := x.Rank ^ mask
		mine, theirs := x.Rank&^(mask-1), other&^(mask-1)
		count := recv.Count * int64(mask)
		x.Sendrecv(recv.Slice(int64(mine)*recv.Count, count), other,
			recv.Slice(int64(theirs)*recv.Count, count), other)
	}
}

// ScanDoubling has each rank pass on the sum of a row of ranks up to itself, which grows twice as long each
// round. Unless it is exclusive, recv holds the own contribution.
func ScanDoubling(x *schedule.Exchange, own, recv datatype.Buffer, o *op.Op, exclusive bool) {
	x.CountAlgorithm(tool.Doubling)
	sum, first := recv, exclusive
	if exclusive {
		sum = x.Like(recv)
		x.CopyOwn(sum, own)
	}
	room := x.Like(sum)
	for k := 1; k < x.Size; k <<= 1 {
		out, in := sum, room
		if x.Rank+k >= x.Size {
			out.Count = 0
		}
		if x.Rank < k {
			in.Count = 0
		}
		x.Sendrecv(out, x.Rank+k, in, x.Rank-k)
		if in.Count == 0 {
			continue
		}
		if first {
			x.Copy(recv, room)
			first = false
		} else if exclusive {
			x.Apply(o, room, recv)
		}
		if !exclusive || x.Rank+2*k < x.Size { // it is passed on again
			x.Apply(o, room, sum)
		}
	}
}
