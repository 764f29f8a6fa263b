package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Allgather collects the send buffers of all ranks in everybody's receive buffer, in rank order
// (MPI_Allgather, MPI 5.0, 6.7). recv.Count is the number of elements from each rank. send may be in place:
// the contribution then stands in recv already.
func Allgather(c *comm.Comm, send, recv datatype.Buffer) error {
	if n := recv.Bytes(); !c.Inter() && n > 0 {
		if a := sharedArea(c); a != nil {
			blocks := Even(recv)
			if n <= gathersAtOnce(a) {
				return sharedAllgather(c, a, send, &blocks)
			}
			return steppedAllgather(c, a, send, &blocks)
		}
	}
	t := join(c, tagAllgather)
	return t.close(t.Allgather(send, recv))
}

// Allgather is MPI_Allgather. Between two groups, each rank gets what the ranks of the other group have.
func (t *Team) Allgather(send, recv datatype.Buffer) error {
	blocks := Even(recv)
	if t.c.Inter() {
		return t.allgatherAcross(send, &blocks)
	}
	if err := t.keepForAll(&blocks, send); err != nil {
		return err
	}
	n := recv.Bytes()
	if w := t.pieced(n, fast.Everyone, -1); w != nil {
		w.send.Buffer, w.recv = t.contribution(send, &blocks), blocks
		return nil
	}
	total := n * int64(t.size)
	switch l := t.c.Layout(); {
	case n == 0 || t.size == 1:
	case total > allgatherStaged && t.c.OnOneNode():
		t.allgatherStraight(&blocks)
	case l != nil:
		t.allgatherOver(l, &blocks, total)
	case t.size&(t.size-1) == 0 && total <= allgatherDoubling:
		t.allgatherDoubling(recv)
	case total <= allgatherShort:
		t.allgatherBruck(recv, n)
	default:
		t.allgatherRing(&blocks)
	}
	return nil
}

// Allgatherv is Allgather with contributions that may differ in size (MPI_Allgatherv, MPI 5.0, 6.7).
func Allgatherv(c *comm.Comm, send datatype.Buffer, recv *Blocks) error {
	if !c.Inter() {
		if a := sharedArea(c); a != nil {
			if recv.largest(c.Size()) <= gathersAtOnce(a) {
				return sharedAllgather(c, a, send, recv)
			}
			return steppedAllgather(c, a, send, recv)
		}
	}
	t := join(c, tagAllgather)
	return t.close(t.Allgatherv(send, recv))
}

// Allgatherv is MPI_Allgatherv.
func (t *Team) Allgatherv(send datatype.Buffer, recv *Blocks) error {
	if t.c.Inter() {
		return t.allgatherAcross(send, recv)
	}
	if err := t.keepForAll(recv, send); err != nil {
		return err
	}
	if w := t.onNbc(true, fast.Everyone, -1); w != nil {
		w.send.Buffer, w.recv = t.contribution(send, recv), t.plan.kept(recv)
		return nil
	}
	switch l, n := t.c.Layout(), recv.bytes(t.size); {
	case t.size == 1:
	case l != nil:
		t.allgatherOver(l, recv, n)
	case n <= allgatherShort || t.c.OnOneNode():
		t.allgatherStraight(recv)
	default:
		t.allgatherRing(recv)
	}
	return nil
}

// contribution is what this rank has for the others: send, or in place its block of recv.
func (t *Team) contribution(send datatype.Buffer, recv *Blocks) datatype.Buffer {
	if send.InPlace() {
		return recv.Of(t.rank)
	}
	return send
}

// allgatherStraight has everybody send to everybody.
func (t *Team) allgatherStraight(recv *Blocks) {
	t.countAlgorithm(tool.Straight)
	var w window
	own := recv.Of(t.rank)
	for round := range t.size {
		if p := t.partner(round); p != t.rank {
			w.recv(t, recv.Of(p), p)
			w.send(t, own, p)
			w.room(t)
		}
	}
	w.wait(t)
}

// allgatherAcross has everybody send to everybody in the other group.
func (t *Team) allgatherAcross(send datatype.Buffer, recv *Blocks) error {
	if err := t.apart(send); err != nil {
		return err
	}
	t.countAlgorithm(tool.Across)
	t.cross()
	t.between(func(w *window, p int) {
		w.recv(t, recv.Of(p), p)
		w.send(t, send, p)
	})
	t.home()
	return nil
}

// between has the ranks of two groups deal with each other, pair by pair. In round r the numbers of two
// partners add up to r, modulo the size of the larger group.
func (t *Team) between(deal func(w *window, peer int)) {
	var w window
	rounds := max(t.size, t.x.Size)
	for round := range rounds {
		if p := (round - t.rank + rounds) % rounds; p < t.x.Size {
			deal(&w, p)
			w.room(t)
		}
	}
	w.wait(t)
}

// allgatherDoubling is for a power of two of ranks: groups of 1, 2, 4 ranks and so on exchange all they have.
func (t *Team) allgatherDoubling(recv datatype.Buffer) {
	t.countAlgorithm(tool.Doubling)
	for mask := 1; mask < t.size; mask <<= 1 {
		other := t.rank ^ mask
		mine, theirs := t.rank&^(mask-1), other&^(mask-1)
		count := recv.Count * int64(mask)
		t.exchange(recv.Slice(int64(mine)*recv.Count, count), other,
			recv.Slice(int64(theirs)*recv.Count, count), other)
	}
}

// allgatherBruck takes as many rounds for any number of ranks: each rank collects the blocks from its own on,
// twice as many each round, and puts them in order at the end.
func (t *Team) allgatherBruck(recv datatype.Buffer, n int64) {
	t.countAlgorithm(tool.Bruck)
	all := t.raw(n * int64(t.size))
	t.copy(all.Slice(0, n), block(recv, t.rank))
	for have := 1; have < t.size; have <<= 1 {
		count := int64(min(have, t.size-have)) * n
		t.exchange(all.Slice(0, count), (t.rank-have+t.size)%t.size, all.Slice(int64(have)*n, count),
			(t.rank+have)%t.size)
	}
	for i := 1; i < t.size; i++ {
		t.copy(block(recv, (t.rank+i)%t.size), all.Slice(int64(i)*n, n))
	}
}

// allgatherRing passes the blocks round a ring, each straight to where it belongs.
func (t *Team) allgatherRing(recv *Blocks) {
	t.countAlgorithm(tool.Ring)
	right, left := (t.rank+1)%t.size, (t.rank-1+t.size)%t.size
	for k := range t.size - 1 {
		out, in := (t.rank-k+t.size)%t.size, (t.rank-k-1+t.size)%t.size
		t.exchange(recv.Of(out), right, recv.Of(in), left)
	}
}
