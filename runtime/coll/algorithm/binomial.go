package algorithm

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
)

// binomial is a binomial tree of all ranks, which are numbered from its root on: one whose number v ends in k
// zero bits has k children, whose numbers are greater by powers of two.
type binomial struct {
	size, root int
	v          int // this rank's number
}

// rank is the rank with a number.
func (b binomial) rank(v int) int { return (v + b.root) % b.size }

// parent is the rank above this one, which is not the root.
func (b binomial) parent() int { return b.rank(b.v & (b.v - 1)) }

// below is how many ranks hang below the one with number v, itself included.
func (b binomial) below(v int) int {
	n := b.size
	if v != 0 {
		n = v & -v
	}
	return min(n, b.size-v)
}

// down passes data down a binomial tree. part is what is for the n ranks from number v on.
func down(x *schedule.Exchange, b binomial, part func(v, n int) datatype.Buffer) {
	if b.v != 0 {
		x.Recv(part(b.v, b.below(b.v)), b.parent())
	}
	mask := 1
	for mask < b.size && b.v&mask == 0 {
		mask <<= 1
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if child := b.v + mask; child < b.size {
			x.Send(part(child, b.below(child)), b.rank(child))
		}
	}
}

func binomialTree(x *schedule.Exchange, root int) binomial {
	return binomial{x.Size, root, (x.Rank - root + x.Size) % x.Size}
}

// BcastTree sends data down a binomial tree.
func BcastTree(x *schedule.Exchange, data datatype.Buffer, root int) {
	x.CountAlgorithm(tool.Binomial)
	down(x, binomialTree(x, root), func(int, int) datatype.Buffer { return data })
}

// GatherTree passes the contributions up a binomial tree. A rank collects those of all ranks below it, n
// bytes each, packed and in the order of their numbers in the tree, and sends them on at once.
func GatherTree(x *schedule.Exchange, send, recv datatype.Buffer, n int64, root int) {
	x.CountAlgorithm(tool.Binomial)
	b := binomialTree(x, root)
	below := b.below(b.v)
	if b.v != 0 && below == 1 {
		x.Send(send, b.parent())
		return
	}
	all := x.Raw(int64(below) * n)
	if b.v != 0 {
		x.Copy(all.Slice(0, n), send)
	}
	for mask := 1; mask < x.Size && b.v&mask == 0; mask <<= 1 {
		if child := b.v + mask; child < x.Size {
			x.Recv(all.Slice(int64(mask)*n, int64(b.below(child))*n), b.rank(child))
		}
	}
	if b.v != 0 {
		x.Send(all, b.parent())
		return
	}
	for i := 1; i < x.Size; i++ {
		x.Copy(partition.Block(recv, b.rank(i)), all.Slice(int64(i)*n, n))
	}
}

// ScatterTree passes the parts down a binomial tree. A rank gets those of all ranks below it, n bytes each,
// packed and in the order of their numbers in the tree.
func ScatterTree(x *schedule.Exchange, send, recv datatype.Buffer, n int64, root int) {
	x.CountAlgorithm(tool.Binomial)
	b := binomialTree(x, root)
	below := b.below(b.v)
	if b.v != 0 && below == 1 {
		x.Recv(recv, b.parent())
		return
	}
	all := x.Raw(int64(below) * n)
	for i := 1; i < x.Size && b.v == 0; i++ {
		x.Copy(all.Slice(int64(i)*n, n), partition.Block(send, b.rank(i)))
	}
	down(x, b, func(v, count int) datatype.Buffer {
		return all.Slice(int64(v-b.v)*n, int64(count)*n)
	})
	if b.v != 0 {
		x.Copy(recv, all.Slice(0, n))
	}
}
