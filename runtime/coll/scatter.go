package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
)

// Scatter deals out the root's send buffer in equal parts, in rank order (MPI_Scatter, MPI 5.0, 6.6). send.Count is
// the number of elements for each rank; send is significant at the root alone, where recv may be in place: its part
// then stays in send.
func Scatter(c *comm.Comm, send, recv datatype.Buffer, root int) error {
	t := join(c, tagScatter)
	var n int64
	if t.rank != root {
		n = recv.Bytes()
	} else {
		own := block(send, root)
		if !recv.InPlace() {
			if err := distinct(own, recv); err != nil {
				return err
			}
			t.copied(recv, own)
		}
		n = send.Bytes()
	}
	switch {
	case n == 0 || t.size == 1:
	case n > gatherShort || t.size <= fewRanks:
		t.scatterStraight(send, recv, root)
	default:
		t.scatterTree(send, recv, n, root)
	}
	return t.finish()
}

// scatterStraight has the root send to everybody.
func (t *team) scatterStraight(send, recv datatype.Buffer, root int) {
	if t.rank != root {
		t.recv(recv, root)
		return
	}
	var w wave
	for rank := range t.size {
		if rank == root {
			continue
		}
		w.send(t, block(send, rank), rank)
		if w.full() {
			w.wait(t)
		}
	}
	w.wait(t)
}

// scatterTree passes the parts down a binomial tree. A rank gets those of all ranks below it, n bytes each, packed
// and in the order of relative numbers.
func (t *team) scatterTree(send, recv datatype.Buffer, n int64, root int) {
	v := t.relative(root)
	below := t.subtree(v)
	if v != 0 && below == 1 {
		t.recv(recv, t.absolute(v&(v-1), root))
		return
	}
	all := t.raw(int64(below) * n)
	if v != 0 {
		t.recv(all, t.absolute(v&(v-1), root))
		if !t.dead {
			datatype.Copy(recv, all.Slice(0, n))
		}
	} else {
		for i := 1; i < t.size; i++ {
			datatype.Copy(all.Slice(int64(i)*n, n), block(send, t.absolute(i, root)))
		}
	}
	mask := 1
	for mask < t.size && v&mask == 0 {
		mask <<= 1
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		if child := v + mask; child < t.size {
			t.send(all.Slice(int64(mask)*n, int64(t.subtree(child))*n), t.absolute(child, root))
		}
	}
}
