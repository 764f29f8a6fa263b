package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
)

// Allgather collects the send buffers of all ranks in everybody's receive buffer, in rank order (MPI_Allgather,
// MPI 5.0, 6.7). recv.Count is the number of elements from each rank. send may be in place: the contribution then
// stands in recv already.
func Allgather(c *comm.Comm, send, recv datatype.Buffer) error {
	t := join(c, tagAllgather)
	own := block(recv, t.rank)
	if !send.InPlace() {
		if err := distinct(send, own); err != nil {
			return err
		}
		t.copied(own, send)
	}
	n := recv.Bytes()
	total := n * int64(t.size)
	switch {
	case n == 0 || t.size == 1:
	case t.size&(t.size-1) == 0 && total <= allgatherDoubling:
		t.allgatherDoubling(recv)
	case total <= allgatherShort:
		t.allgatherBruck(recv, n)
	default:
		t.allgatherRing(recv)
	}
	return t.finish()
}

// allgatherDoubling is for a power of two of ranks: groups of 1, 2, 4 ranks and so on exchange all they have.
func (t *team) allgatherDoubling(recv datatype.Buffer) {
	for mask := 1; mask < t.size; mask <<= 1 {
		other := t.rank ^ mask
		mine, theirs := t.rank&^(mask-1), other&^(mask-1)
		count := recv.Count * int64(mask)
		t.exchange(recv.Slice(int64(mine)*recv.Count, count), other, recv.Slice(int64(theirs)*recv.Count, count), other)
	}
}

// allgatherBruck takes as many rounds for any number of ranks: each rank collects the blocks from its own on, twice
// as many each round, and puts them in order at the end.
func (t *team) allgatherBruck(recv datatype.Buffer, n int64) {
	all := t.raw(n * int64(t.size))
	datatype.Copy(all.Slice(0, n), block(recv, t.rank))
	for have := 1; have < t.size; have <<= 1 {
		count := int64(min(have, t.size-have)) * n
		t.exchange(all.Slice(0, count), (t.rank-have+t.size)%t.size, all.Slice(int64(have)*n, count), (t.rank+have)%t.size)
	}
	if t.dead {
		return
	}
	for i := 1; i < t.size; i++ {
		datatype.Copy(block(recv, (t.rank+i)%t.size), all.Slice(int64(i)*n, n))
	}
}

// allgatherRing passes the blocks round a ring, each straight to where it belongs.
func (t *team) allgatherRing(recv datatype.Buffer) {
	right, left := (t.rank+1)%t.size, (t.rank-1+t.size)%t.size
	for k := range t.size - 1 {
		out, in := (t.rank-k+t.size)%t.size, (t.rank-k-1+t.size)%t.size
		t.exchange(block(recv, out), right, block(recv, in), left)
	}
}
