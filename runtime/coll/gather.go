package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
)

// Gather collects the send buffers of all ranks in the root's receive buffer, in rank order (MPI_Gather, MPI 5.0,
// 6.5). recv.Count is the number of elements from each rank; recv is significant at the root alone, where send may
// be in place: its contribution then stands in recv already.
func Gather(c *comm.Comm, send, recv datatype.Buffer, root int) error {
	t := join(c, tagGather)
	n := recv.Count
	if t.rank != root {
		n = send.Bytes()
	} else {
		own := recv.Slice(int64(root)*n, n)
		if !send.InPlace() {
			if err := distinct(send, own); err != nil {
				return err
			}
			t.copied(own, send)
		}
		n = recv.Bytes()
	}
	switch {
	case n == 0 || t.size == 1:
	case n > gatherShort || t.size <= fewRanks:
		t.gatherStraight(send, recv, root)
	default:
		t.gatherTree(send, recv, n, root)
	}
	return t.finish()
}

// gatherStraight has everybody send to the root.
func (t *team) gatherStraight(send, recv datatype.Buffer, root int) {
	if t.rank != root {
		t.send(send, root)
		return
	}
	var w wave
	for rank := range t.size {
		if rank == root {
			continue
		}
		w.recv(t, block(recv, rank), rank)
		if w.full() {
			w.wait(t)
		}
	}
	w.wait(t)
}

// block is the part of a buffer that belongs to a rank, where Count is that of one rank.
func block(b datatype.Buffer, rank int) datatype.Buffer {
	return b.Slice(int64(rank)*b.Count, b.Count)
}

// subtree is how many ranks hang below the one with relative number v in a binomial tree, itself included.
func (t *team) subtree(v int) int {
	n := t.size
	if v != 0 {
		n = v & -v
	}
	return min(n, t.size-v)
}

// gatherTree passes the contributions up a binomial tree. A rank collects those of all ranks below it, n bytes each,
// packed and in the order of relative numbers, and sends them on at once.
func (t *team) gatherTree(send, recv datatype.Buffer, n int64, root int) {
	v := t.relative(root)
	below := t.subtree(v)
	if v != 0 && below == 1 {
		t.send(send, t.absolute(v&(v-1), root))
		return
	}
	all := t.raw(int64(below) * n)
	if v != 0 {
		datatype.Copy(all.Slice(0, n), send)
	}
	for mask := 1; mask < t.size && v&mask == 0; mask <<= 1 {
		if child := v + mask; child < t.size {
			t.recv(all.Slice(int64(mask)*n, int64(t.subtree(child))*n), t.absolute(child, root))
		}
	}
	if v != 0 {
		t.send(all, t.absolute(v&(v-1), root))
		return
	}
	if t.dead {
		return
	}
	for i := 1; i < t.size; i++ {
		datatype.Copy(block(recv, t.absolute(i, root)), all.Slice(int64(i)*n, n))
	}
}
