package algorithm

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
)

// AllgatherBruck takes as many rounds for any number of ranks: each rank collects the blocks from its own on,
// twice as many each round, and puts them in order at the end.
func AllgatherBruck(x *schedule.Exchange, recv datatype.Buffer, n int64) {
	x.CountAlgorithm(tool.Bruck)
	all := x.Raw(n * int64(x.Size))
	x.Copy(all.Slice(0, n), partition.Block(recv, x.Rank))
	for have := 1; have < x.Size; have <<= 1 {
		count := int64(min(have, x.Size-have)) * n
		x.Sendrecv(all.Slice(0, count), (x.Rank-have+x.Size)%x.Size, all.Slice(int64(have)*n, count),
			(x.Rank+have)%x.Size)
	}
	for i := 1; i < x.Size; i++ {
		x.Copy(partition.Block(recv, (x.Rank+i)%x.Size), all.Slice(int64(i)*n, n))
	}
}

// AlltoallBruck sends small blocks together. Each is numbered by how far it has to go; in the round of
// distance 2^k all blocks whose number has that bit set go that far, in one message.
func AlltoallBruck(x *schedule.Exchange, send, recv datatype.Buffer, n int64) {
	x.CountAlgorithm(tool.Bruck)
	size := int64(x.Size)
	all := x.Raw(size * n)
	half := (size + 1) / 2 * n
	out, in := x.Raw(half), x.Raw(half)
	x.CopyOwnForAll(all.Slice(0, n), partition.Block(send, x.Rank))
	for i := 1; i < x.Size; i++ {
		x.Copy(all.Slice(int64(i)*n, n), partition.Block(send, (x.Rank+i)%x.Size))
	}
	for bit := 1; bit < x.Size; bit <<= 1 {
		count := int64(0)
		for i := bit; i < x.Size; i++ {
			if i&bit != 0 {
				x.Copy(out.Slice(count, n), all.Slice(int64(i)*n, n))
				count += n
			}
		}
		x.Sendrecv(out.Slice(0, count), (x.Rank+bit)%x.Size, in.Slice(0, count), (x.Rank-bit+x.Size)%x.Size)
		count = 0
		for i := bit; i < x.Size; i++ {
			if i&bit != 0 {
				x.Copy(all.Slice(int64(i)*n, n), in.Slice(count, n))
				count += n
			}
		}
	}
	for i := range x.Size {
		x.Copy(partition.Block(recv, (x.Rank-i+x.Size)%x.Size), all.Slice(int64(i)*n, n))
	}
}
