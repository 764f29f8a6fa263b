package algorithm

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/shm"
)

// ring passes parts round a ring of all ranks, in which this one has number at, until everybody has them all.
// rank is the rank with a number, and part what it begins with.
func ring(x *schedule.Exchange, at int, rank func(i int) int, part func(i int) datatype.Buffer) {
	p := x.Size
	right, left := rank((at+1)%p), rank((at+p-1)%p)
	for k := range p - 1 {
		x.Sendrecv(part((at-k+p)%p), right, part((at-k-1+p)%p), left)
	}
}

// pieces divides n bytes among the ranks; ranks at the end may get less or nothing.
type pieces struct {
	data datatype.Buffer
	each int64
}

// of is the bytes of count ranks from relative number v on.
func (p pieces) of(v, count int) datatype.Buffer {
	from := min(int64(v)*p.each, p.data.Count)
	to := min(int64(v+count)*p.each, p.data.Count)
	return p.data.Slice(from, to-from)
}

// BcastRing scatters data down a binomial tree, each rank getting the pieces of all ranks below it, and then
// passes the pieces round a ring until everybody has them all.
func BcastRing(x *schedule.Exchange, data datatype.Buffer, root int) {
	x.CountAlgorithm(tool.Ring)
	each := (data.Count + int64(x.Size) - 1) / int64(x.Size)
	p := pieces{data, (each + shm.CacheLine - 1) &^ (shm.CacheLine - 1)}
	b := binomialTree(x, root)
	down(x, b, p.of)
	ring(x, b.v, b.rank, func(v int) datatype.Buffer { return p.of(v, 1) })
}

// AllgatherRing passes the blocks round a ring, each straight to where it belongs. This rank has number at in
// it.
func AllgatherRing(x *schedule.Exchange, recv *partition.Blocks, at int, rank func(i int) int) {
	x.CountAlgorithm(tool.Ring)
	ring(x, at, rank, func(i int) datatype.Buffer { return recv.Of(rank(i)) })
}
