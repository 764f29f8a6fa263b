package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Alltoall sends block j of every rank i to rank j, which receives it as block i (MPI_Alltoall, MPI 5.0,
// 6.8). send.Count and recv.Count are the number of elements of one block. send may be in place: the blocks
// of recv are then sent and replaced. What a rank sends and receives does not depend on whether it is in
// place, so some ranks may be and others not.
func Alltoall(c *comm.Comm, send, recv datatype.Buffer) error {
	t := join(c, tagAlltoall)
	return t.close(t.Alltoall(send, recv))
}

// Alltoall is MPI_Alltoall. Between two groups, block j goes to rank j of the other group.
func (t *Team) Alltoall(send, recv datatype.Buffer) error {
	t.op = tool.Alltoall
	n := recv.Bytes()
	out, in := Even(send), Even(recv)
	if t.c.Inter() {
		return t.alltoallAcross(&out, &in)
	}
	if err := distinct(send, recv); err != nil {
		return err
	}
	switch {
	case t.size == 1:
		t.alltoallPairs(&out, &in)
		return nil
	case n == 0:
		if !send.InPlace() {
			t.copied(in.Of(t.rank), out.Of(t.rank))
		}
		return nil
	}
	gives := send
	if send.InPlace() {
		gives = recv // all of which has been read before anything is received, in short blocks
	}
	q := t.ask(t.op, n)
	if q.at&onNodeNbc != 0 {
		q.bytes = max(n, gives.Bytes())
	}
	switch t.choose(q).by {
	case tool.Cells:
		alltoallAtOnce(t, &out, &in)
	case tool.Steps:
		s := t.stepping(t.segment(), in.bytes(t.size))
		s.alltoall(&out, &in)
	case tool.NbcCells:
		w := t.onNbc(fast.Crossed, -1)
		if w.send, w.recv = Even(gives), in; !send.InPlace() {
			t.copied(in.Of(t.rank), out.Of(t.rank))
		}
	case tool.OverNodes:
		o := t.over(t.c.Layout())
		o.alltoall(gives, recv, n)
	case tool.Bruck:
		t.alltoallBruck(gives, recv, n)
	default:
		t.alltoallPairs(&out, &in)
	}
	return nil
}

// Alltoallw is Alltoall with blocks that may differ in size and type (MPI_Alltoallv and MPI_Alltoallw, MPI
// 5.0, 6.8).
func Alltoallw(c *comm.Comm, send, recv *Blocks) error {
	t := join(c, tagAlltoall)
	return t.close(t.Alltoallw(send, recv))
}

// Alltoallw is MPI_Alltoallv and MPI_Alltoallw.
func (t *Team) Alltoallw(send, recv *Blocks) error {
	t.op = tool.Alltoall
	if t.c.Inter() {
		return t.alltoallAcross(send, recv)
	}
	if err := separate(send, recv, t.size); err != nil {
		return err
	}
	q := t.askUneven(t.op, outgoing(send, recv).spreadBytes(t.size, t.rank))
	switch t.choose(q).by {
	case tool.Cells, tool.Steps: // each rank as it has little or much
		s := t.stepping(t.segment(), recv.bytes(t.size))
		s.alltoall(send, recv)
	case tool.NbcCells:
		w := t.onNbc(fast.CrossedV, -1)
		if w.recv = t.plan.kept(recv); send.InPlace() {
			w.replace(t)
		} else {
			t.copied(recv.Of(t.rank), send.Of(t.rank))
			w.send = t.plan.kept(send)
		}
	default:
		t.alltoallPairs(send, recv)
	}
	return nil
}

// alltoallAcross exchanges a block with each rank of the other group.
func (t *Team) alltoallAcross(send, recv *Blocks) error {
	if err := t.apart(send.Buffer); err != nil {
		return err
	}
	t.cross()
	t.pairwise(sentToFew, send.Of, recv.Of)
	t.home()
	return nil
}

// outgoing is what a rank sends to which send and recv are given: in place what is to be replaced.
func outgoing(send, recv *Blocks) *Blocks {
	if send.InPlace() {
		return recv
	}
	return send
}

// separate is distinct for blocks of n ranks.
func separate(send, recv *Blocks, n int) error {
	if send.Addr == recv.Addr && send.Addr != 0 && send.largest(n) > 0 && recv.largest(n) > 0 {
		return distinct(datatype.Raw(send.Addr, 1), datatype.Raw(recv.Addr, 1))
	}
	return nil
}

// alltoallPairs exchanges each block with the rank that it is for, some at a time; in place one block at a
// time, of which it needs a copy. All ranks have the same partners in the same order, so nobody waits for
// ever.
func (t *Team) alltoallPairs(send, recv *Blocks) {
	t.countAlgorithm(tool.Pairwise)
	if !send.InPlace() {
		t.copied(recv.Of(t.rank), send.Of(t.rank))
		t.pairwise(sentToFew, send.Of, recv.Of)
		return
	}
	aside := t.raw(recv.largest(t.size))
	w := window{x: &t.exchange}
	for round := range t.size {
		p := t.partner(round, t.size)
		if p == t.rank {
			continue
		}
		b := recv.Of(p)
		out := aside.Slice(0, b.Bytes())
		t.copy(out, b)
		w.recv(b, p)
		w.send(out, p)
		w.wait()
	}
}

// alltoallBruck sends small blocks together. Each is numbered by how far it has to go; in the round of
// distance 2^k all blocks whose number has that bit set go that far, in one message.
func (t *Team) alltoallBruck(send, recv datatype.Buffer, n int64) {
	t.countAlgorithm(tool.Bruck)
	size := int64(t.size)
	all := t.raw(size * n)
	half := (size + 1) / 2 * n
	out, in := t.raw(half), t.raw(half)
	t.copiedForAll(all.Slice(0, n), block(send, t.rank))
	for i := 1; i < t.size; i++ {
		t.copy(all.Slice(int64(i)*n, n), block(send, (t.rank+i)%t.size))
	}
	for bit := 1; bit < t.size; bit <<= 1 {
		count := int64(0)
		for i := bit; i < t.size; i++ {
			if i&bit != 0 {
				t.copy(out.Slice(count, n), all.Slice(int64(i)*n, n))
				count += n
			}
		}
		t.sendrecv(out.Slice(0, count), (t.rank+bit)%t.size, in.Slice(0, count), (t.rank-bit+t.size)%t.size)
		count = 0
		for i := bit; i < t.size; i++ {
			if i&bit != 0 {
				t.copy(all.Slice(int64(i)*n, n), in.Slice(count, n))
				count += n
			}
		}
	}
	for i := range t.size {
		t.copy(block(recv, (t.rank-i+t.size)%t.size), all.Slice(int64(i)*n, n))
	}
}
