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
	t := join(c, tagAllgather)
	return t.close(t.Allgather(send, recv))
}

// Allgather is MPI_Allgather. Between two groups, each rank gets what the ranks of the other group have.
func (t *Team) Allgather(send, recv datatype.Buffer) error {
	t.op = tool.Allgather
	blocks := Even(recv)
	if t.c.Inter() {
		return t.allgatherAcross(send, &blocks)
	}
	n := recv.Bytes()
	if n == 0 || t.size == 1 {
		return t.keepForAll(blocks.Of(t.rank), send)
	}
	q := t.ask(t.op, n)
	if t.choose(q).by == tool.Cells || t.how.by == tool.Steps {
		return allgatherShared(t, send, &blocks)
	}
	return t.allgather(send, recv)
}

// allgather is Allgather of one group by messages or over the nonblocking segment, as has been chosen.
func (t *Team) allgather(send, recv datatype.Buffer) error {
	blocks, n := Even(recv), recv.Bytes()
	if err := t.keepForAll(blocks.Of(t.rank), send); err != nil {
		return err
	}
	switch t.how.by {
	case tool.NbcCells:
		w := t.onNbc(fast.Everyone, -1)
		w.send.Buffer, w.recv = blocks.contribution(send, t.rank), blocks
		t.plan.cut(n)
	case tool.Doubling:
		t.allgatherDoubling(recv)
	case tool.Bruck:
		t.allgatherBruck(recv, n)
	default:
		t.allgatherBlocks(&blocks)
	}
	return nil
}

// Allgatherv is Allgather with contributions that may differ in size (MPI_Allgatherv, MPI 5.0, 6.7).
func Allgatherv(c *comm.Comm, send datatype.Buffer, recv *Blocks) error {
	t := join(c, tagAllgather)
	return t.close(t.Allgatherv(send, recv))
}

// Allgatherv is MPI_Allgatherv.
func (t *Team) Allgatherv(send datatype.Buffer, recv *Blocks) error {
	t.op = tool.Allgather
	if t.c.Inter() {
		return t.allgatherAcross(send, recv)
	}
	if recv.bytes(t.size) == 0 {
		return t.keepForAll(recv.Of(t.rank), send)
	}
	q := t.askUneven(t.op, 0)
	if q.at&onNode != 0 {
		q.bytes = recv.largest(t.size)
	} else {
		q.bytes = (recv.bytes(t.size) + int64(t.size) - 1) / int64(t.size)
	}
	if t.choose(q).by == tool.Cells || t.how.by == tool.Steps {
		return allgatherShared(t, send, recv)
	}
	if err := t.keepForAll(recv.Of(t.rank), send); err != nil {
		return err
	}
	switch {
	case t.size == 1:
	case t.how.by == tool.NbcCells:
		w := t.onNbc(fast.Everyone, -1)
		w.send.Buffer, w.recv = recv.contribution(send, t.rank), t.plan.kept(recv)
	default:
		t.allgatherBlocks(recv)
	}
	return nil
}

// allgatherBlocks is an allgather of blocks that may differ in size by messages, as has been chosen.
func (t *Team) allgatherBlocks(recv *Blocks) {
	switch l := t.c.Layout(); {
	case t.how.by == tool.Straight:
		t.allgatherStraight(recv)
	case l == nil:
		t.allgatherRing(recv, t.rank, itself)
	case t.how.by == tool.Ring: // which enters each node once
		t.allgatherRing(recv, int(l.Position[t.rank]), func(i int) int { return int(l.Order[i]) })
	case recv.bytes(t.size) > 0:
		n := t.over(l)
		n.allgather(recv)
	}
}

// itself numbers the ranks of a ring in their order.
func itself(rank int) int { return rank }

// contribution is what a rank has for the others: send, or in place its block of what it receives.
func (b *Blocks) contribution(send datatype.Buffer, rank int) datatype.Buffer {
	if send.InPlace() {
		return b.Of(rank)
	}
	return send
}

// allgatherStraight has everybody send to everybody.
func (t *Team) allgatherStraight(recv *Blocks) {
	t.countAlgorithm(tool.Straight)
	own := recv.Of(t.rank)
	t.pairwise(sentToFew, func(int) datatype.Buffer { return own }, recv.Of)
}

// allgatherAcross has everybody send to everybody in the other group.
func (t *Team) allgatherAcross(send datatype.Buffer, recv *Blocks) error {
	if err := t.apart(send); err != nil {
		return err
	}
	t.cross()
	t.pairwise(sentToFew, func(int) datatype.Buffer { return send }, recv.Of)
	t.home()
	return nil
}

// allgatherRing passes the blocks round a ring, each straight to where it belongs. This rank has number at in
// it.
func (t *Team) allgatherRing(recv *Blocks, at int, rank func(i int) int) {
	t.countAlgorithm(tool.Ring)
	t.ring(at, rank, func(i int) datatype.Buffer { return recv.Of(rank(i)) })
}

// allgatherDoubling is for a power of two of ranks: groups of 1, 2, 4 ranks and so on exchange all they have.
func (t *Team) allgatherDoubling(recv datatype.Buffer) {
	t.countAlgorithm(tool.Doubling)
	for mask := 1; mask < t.size; mask <<= 1 {
		other := t.rank ^ mask
		mine, theirs := t.rank&^(mask-1), other&^(mask-1)
		count := recv.Count * int64(mask)
		t.sendrecv(recv.Slice(int64(mine)*recv.Count, count), other,
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
		t.sendrecv(all.Slice(0, count), (t.rank-have+t.size)%t.size, all.Slice(int64(have)*n, count),
			(t.rank+have)%t.size)
	}
	for i := 1; i < t.size; i++ {
		t.copy(block(recv, (t.rank+i)%t.size), all.Slice(int64(i)*n, n))
	}
}
