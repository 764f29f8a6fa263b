package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
)

// Alltoall sends block j of every rank i to rank j, which receives it as block i (MPI_Alltoall, MPI 5.0, 6.8).
// send.Count and recv.Count are the number of elements of one block. send may be in place: the blocks of recv are
// then sent and replaced.
func Alltoall(c *comm.Comm, send, recv datatype.Buffer) error {
	t := join(c, tagAlltoall)
	n := recv.Bytes()
	if send.InPlace() {
		if n > 0 && t.size > 1 {
			t.alltoallReplace(recv, n)
		}
		return t.finish()
	}
	if err := distinct(send, recv); err != nil {
		return err
	}
	switch {
	case n > alltoallShort || t.size <= alltoallFew || n == 0 || send.Bytes() != n:
		t.alltoallPairs(send, recv)
	default:
		t.alltoallBruck(send, recv, n)
	}
	return t.finish()
}

// partner is with whom this rank exchanges blocks in a round. In round r the numbers of two partners add up to r,
// modulo the number of ranks, so that each is the other's; in one or two rounds a rank is its own partner.
func (t *team) partner(round int) int { return (round - t.rank + t.size) % t.size }

// alltoallPairs exchanges each block with the rank that it is for, some at a time.
func (t *team) alltoallPairs(send, recv datatype.Buffer) {
	var w wave
	for round := range t.size {
		p := t.partner(round)
		if p == t.rank {
			t.copied(block(recv, p), block(send, p))
			continue
		}
		if recv.Bytes() > 0 {
			w.recv(t, block(recv, p), p)
		}
		if send.Bytes() > 0 {
			w.send(t, block(send, p), p)
		}
		if w.full() {
			w.wait(t)
		}
	}
	w.wait(t)
}

// alltoallReplace exchanges each block with the one that takes its place.
func (t *team) alltoallReplace(recv datatype.Buffer, n int64) {
	aside := t.raw(n)
	for round := range t.size {
		p := t.partner(round)
		if p == t.rank || t.dead {
			continue
		}
		b := block(recv, p)
		datatype.Copy(aside, b)
		t.exchange(aside, p, b, p)
	}
}

// alltoallBruck sends small blocks together. Each is numbered by how far it has to go; in the round of distance 2^k
// all blocks whose number has that bit set go that far, in one message.
func (t *team) alltoallBruck(send, recv datatype.Buffer, n int64) {
	size := int64(t.size)
	all := t.raw(size * n)
	half := (size + 1) / 2 * n
	out, in := t.raw(half), t.raw(half)
	for i := range t.size {
		datatype.Copy(all.Slice(int64(i)*n, n), block(send, (t.rank+i)%t.size))
	}
	for bit := 1; bit < t.size; bit <<= 1 {
		count := int64(0)
		for i := bit; i < t.size; i++ {
			if i&bit != 0 {
				datatype.Copy(out.Slice(count, n), all.Slice(int64(i)*n, n))
				count += n
			}
		}
		t.exchange(out.Slice(0, count), (t.rank+bit)%t.size, in.Slice(0, count), (t.rank-bit+t.size)%t.size)
		if t.dead {
			return
		}
		count = 0
		for i := bit; i < t.size; i++ {
			if i&bit != 0 {
				datatype.Copy(all.Slice(int64(i)*n, n), in.Slice(count, n))
				count += n
			}
		}
	}
	for i := range t.size {
		datatype.Copy(block(recv, (t.rank-i+t.size)%t.size), all.Slice(int64(i)*n, n))
	}
}
