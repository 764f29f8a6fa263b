package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Scatter deals out the root's send buffer in equal parts, in rank order (MPI_Scatter, MPI 5.0, 6.6).
// send.Count is the number of elements for each rank; send is significant at the root alone, where recv may
// be in place: its part then stays in send.
func Scatter(c *comm.Comm, send, recv datatype.Buffer, root int) error {
	t := join(c, tagScatter)
	return t.close(t.Scatter(send, recv, root))
}

// Scatter is MPI_Scatter. Between two groups, the root's buffer is dealt out among the ranks of the other
// group.
func (t *Team) Scatter(send, recv datatype.Buffer, root int) error {
	t.op = tool.Scatter
	blocks := Even(send)
	if t.c.Inter() {
		t.cross()
		t.scatterStraight(&blocks, recv, root)
		t.home()
		return nil
	}
	each := recv.Bytes
	if t.rank == root {
		each = send.Bytes
	}
	n := each()
	if n == 0 || t.size == 1 {
		if t.rank == root {
			return t.keep(recv, blocks.Of(root))
		}
		return nil
	}
	q := t.ask(tool.Scatter, n)
	if t.choose(q).by == tool.Cells || t.how.by == tool.Steps {
		return scatterShared(t, &blocks, recv, root, true)
	}
	if t.rank == root {
		if err := t.keep(recv, blocks.Of(root)); err != nil {
			return err
		}
	}
	switch t.how.by {
	case tool.NbcCells:
		w := t.onNbc(fast.Scattered, root)
		w.send, w.recv.Buffer = blocks, recv
	case tool.OverNodes:
		o := t.over(t.c.Layout())
		o.scatter(send, recv, n, root)
	case tool.Straight:
		t.scatterStraight(&blocks, recv, root)
	default:
		t.scatterTree(send, recv, n, root)
	}
	return nil
}

// Scatterv is Scatter with parts that may differ in size (MPI_Scatterv, MPI 5.0, 6.6).
func Scatterv(c *comm.Comm, send *Blocks, recv datatype.Buffer, root int) error {
	t := join(c, tagScatter)
	return t.close(t.Scatterv(send, recv, root))
}

// Scatterv is MPI_Scatterv.
func (t *Team) Scatterv(send *Blocks, recv datatype.Buffer, root int) error {
	t.op = tool.Scatter
	if t.c.Inter() {
		t.cross()
		t.scatterStraight(send, recv, root)
		t.home()
		return nil
	}
	q := t.askUneven(tool.Scatter, recv.Bytes())
	if t.rank == root {
		q.bytes = send.spreadBytes(t.size, root)
	}
	if t.choose(q).by == tool.Cells || t.how.by == tool.Steps {
		return scatterShared(t, send, recv, root, false)
	}
	if t.rank == root {
		if err := t.keep(recv, send.Of(root)); err != nil {
			return err
		}
	}
	if t.how.by != tool.NbcCells {
		t.scatterStraight(send, recv, root)
		return nil
	}
	w := t.onNbc(fast.ScatteredV, root)
	if w.recv.Buffer = recv; t.rank == root {
		w.send = t.plan.kept(send)
	}
	return nil
}

// scatterStraight has the root send to everybody.
func (t *Team) scatterStraight(send *Blocks, recv datatype.Buffer, root int) {
	t.countAlgorithm(tool.Straight)
	switch partOf(t.c, root) {
	case chief:
		t.deal(send)
	case peer:
		if !t.leavesOut(recv) {
			t.recv(recv, root)
		}
	}
}

// deal sends a block to each other rank.
func (t *Team) deal(send *Blocks) {
	w := window{x: &t.exchange}
	for rank := range t.context.Size {
		if !t.isSelf(rank) {
			w.send(send.Of(rank), rank)
			w.room()
		}
	}
	w.wait()
}

// scatterTree passes the parts down a binomial tree. A rank gets those of all ranks below it, n bytes each,
// packed and in the order of their numbers in the tree.
func (t *Team) scatterTree(send, recv datatype.Buffer, n int64, root int) {
	t.countAlgorithm(tool.Binomial)
	b := t.binomial(root)
	below := b.below(b.v)
	if b.v != 0 && below == 1 {
		t.recv(recv, b.parent())
		return
	}
	all := t.raw(int64(below) * n)
	for i := 1; i < t.size && b.v == 0; i++ {
		t.copy(all.Slice(int64(i)*n, n), block(send, b.rank(i)))
	}
	t.down(b, func(v, count int) datatype.Buffer {
		return all.Slice(int64(v-b.v)*n, int64(count)*n)
	})
	if b.v != 0 {
		t.copy(recv, all.Slice(0, n))
	}
}
