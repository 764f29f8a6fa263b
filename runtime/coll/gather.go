package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Gather collects the send buffers of all ranks in the root's receive buffer, in rank order (MPI_Gather, MPI
// 5.0, 6.5). recv.Count is the number of elements from each rank; recv is significant at the root alone,
// where send may be in place: its contribution then stands in recv already.
func Gather(c *comm.Comm, send, recv datatype.Buffer, root int) error {
	t := join(c, tagGather)
	return t.close(t.Gather(send, recv, root))
}

// Gather is MPI_Gather. Between two groups, the root gets what the ranks of the other group have.
func (t *Team) Gather(send, recv datatype.Buffer, root int) error {
	t.op = tool.Gather
	blocks := Even(recv)
	if t.c.Inter() {
		t.cross()
		t.gatherStraight(send, &blocks, root)
		t.home()
		return nil
	}
	each := send.Bytes
	if t.rank == root {
		each = recv.Bytes
	}
	n := each()
	if n == 0 || t.size == 1 {
		if t.rank == root {
			return t.keep(blocks.Of(root), send)
		}
		return nil
	}
	q := t.ask(tool.Gather, n)
	switch t.choose(q).by {
	case tool.Cells:
		return gatherAtOnce(t, send, &blocks, root)
	case tool.Steps:
		return gatherInSteps(t, send, &blocks, root)
	}
	if t.rank == root {
		if err := t.keep(blocks.Of(root), send); err != nil {
			return err
		}
	}
	switch t.how.by {
	case tool.NbcCells:
		w := t.onNbc(fast.ToRoot, root)
		w.send.Buffer, w.recv = send, blocks
		t.plan.cut(n)
	case tool.OverNodes:
		if t.rank == root {
			send = block(recv, root)
		}
		o := t.over(t.c.Layout())
		o.gather(send, recv, n, root)
	case tool.Straight:
		t.gatherStraight(send, &blocks, root)
	default:
		t.gatherTree(send, recv, n, root)
	}
	return nil
}

// Gatherv is Gather with contributions that may differ in size (MPI_Gatherv, MPI 5.0, 6.5).
func Gatherv(c *comm.Comm, send datatype.Buffer, recv *Blocks, root int) error {
	t := join(c, tagGather)
	return t.close(t.Gatherv(send, recv, root))
}

// Gatherv is MPI_Gatherv.
func (t *Team) Gatherv(send datatype.Buffer, recv *Blocks, root int) error {
	t.op = tool.Gather
	if t.c.Inter() {
		t.cross()
		t.gatherStraight(send, recv, root)
		t.home()
		return nil
	}
	q := t.askUneven(tool.Gather, send.Bytes())
	if t.rank == root {
		q.bytes = recv.largest(t.size)
	}
	if t.choose(q).by == tool.Cells {
		return gathervAtOnce(t, send, recv, root)
	}
	if t.rank == root {
		if err := t.keep(recv.Of(root), send); err != nil {
			return err
		}
	}
	if t.how.by != tool.NbcCells {
		t.gatherStraight(send, recv, root)
		return nil
	}
	w := t.onNbc(fast.ToRoot, root)
	if w.send.Buffer = send; t.rank == root {
		w.recv = t.plan.kept(recv)
	}
	return nil
}

// gatherStraight has everybody send to the root.
func (t *Team) gatherStraight(send datatype.Buffer, recv *Blocks, root int) {
	t.countAlgorithm(tool.Straight)
	switch partOf(t.c, root) {
	case chief:
		w := window{x: &t.exchange}
		for rank := range t.context.Size {
			if !t.isSelf(rank) {
				w.recv(recv.Of(rank), rank)
				w.room()
			}
		}
		w.wait()
	case peer:
		if !t.leavesOut(send) {
			t.send(send, root)
		}
	}
}

// gatherTree passes the contributions up a binomial tree. A rank collects those of all ranks below it, n
// bytes each, packed and in the order of their numbers in the tree, and sends them on at once.
func (t *Team) gatherTree(send, recv datatype.Buffer, n int64, root int) {
	t.countAlgorithm(tool.Binomial)
	b := t.binomial(root)
	below := b.below(b.v)
	if b.v != 0 && below == 1 {
		t.send(send, b.parent())
		return
	}
	all := t.raw(int64(below) * n)
	if b.v != 0 {
		t.copy(all.Slice(0, n), send)
	}
	for mask := 1; mask < t.size && b.v&mask == 0; mask <<= 1 {
		if child := b.v + mask; child < t.size {
			t.recv(all.Slice(int64(mask)*n, int64(b.below(child))*n), b.rank(child))
		}
	}
	if b.v != 0 {
		t.send(all, b.parent())
		return
	}
	for i := 1; i < t.size; i++ {
		t.copy(block(recv, b.rank(i)), all.Slice(int64(i)*n, n))
	}
}
