package partition

import "gompi/runtime/datatype"

// Share is one rank's part of what a reduction comes to, in elements.
type Share struct{ From, Count int64 }

// ShareOf is what a rank gets: recv.Count elements each if counts is nil.
func ShareOf(rank int, recv datatype.Buffer, counts []int64) Share {
	if counts == nil {
		return Share{int64(rank) * recv.Count, recv.Count}
	}
	return Share{Sum(counts[:rank]), counts[rank]}
}

// Division is how a vector is divided into pieces that go in one step each, in elements.
type Division struct{ Count, Each int64 }

// Steps is how many pieces there are.
func (p Division) Steps() uint64 { return uint64((p.Count + p.Each - 1) / p.Each) }

// Part is where the piece of step k begins, and how long it is.
func (p Division) Part(k uint64) (from, n int64) {
	from = int64(k) * p.Each
	return from, min(p.Each, p.Count-from)
}

// Of is the piece of step k.
func (p Division) Of(b datatype.Buffer, k uint64) datatype.Buffer {
	return b.Slice(p.Part(k))
}
