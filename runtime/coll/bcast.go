package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Bcast sends the root's buffer to all other ranks (MPI_Bcast, MPI 5.0, 6.4).
func Bcast(c *comm.Comm, b datatype.Buffer, root int) error {
	t := join(c, tagBcast)
	return t.close(t.Bcast(b, root))
}

// Bcast is MPI_Bcast.
func (t *Team) Bcast(b datatype.Buffer, root int) error {
	t.op = tool.Bcast
	if t.c.Inter() {
		t.bcastAcross(b, root)
		return nil
	}
	t.bcast(b, root)
	return nil
}

// bcastAcross sends what the root has to the other group.
func (t *Team) bcastAcross(b datatype.Buffer, root int) {
	t.countAlgorithm(tool.Across)
	switch partOf(t.c, root) {
	case chief:
		t.cross()
		t.send(b, 0)
		t.home()
	case peer:
		if t.rank == 0 {
			t.cross()
			t.recv(b, root)
			t.home()
		}
		t.bcast(b, 0)
	}
}

// bcast sends what root has to all others of the group.
func (t *Team) bcast(b datatype.Buffer, root int) {
	n := b.Bytes()
	if n == 0 || t.size == 1 {
		return
	}
	q := t.ask(tool.Bcast, n)
	how := t.choose(q)
	switch how.by {
	case tool.Cells, tool.Steps:
		s := t.stepping(t.segment(), n)
		s.bcast(b, root)
		return
	case tool.NbcCells:
		w := t.onNbc(fast.FromRoot, root)
		w.send.Buffer, w.recv.Buffer = b, b
		t.plan.cut(n)
		return
	}
	data := datatype.Raw(b.Start(), n)
	if !b.Contiguous() { // pack and unpack once, not for each message
		data = t.raw(n)
		if t.rank == root {
			t.copy(data, b)
		}
	}
	switch how.by {
	case tool.OverNodes:
		o := t.over(t.c.Layout())
		o.bcast(data, root)
	case tool.Straight:
		t.bcastFlat(data, root)
	case tool.Binomial:
		t.bcastTree(data, root)
	default:
		t.bcastRing(data, root)
	}
	if t.rank != root && !b.Contiguous() {
		t.copy(b, data)
	}
}

// bcastTree sends data down a binomial tree.
func (t *Team) bcastTree(data datatype.Buffer, root int) {
	t.countAlgorithm(tool.Binomial)
	t.down(t.binomial(root), func(int, int) datatype.Buffer { return data })
}

// bcastFlat has the root send to everybody.
func (t *Team) bcastFlat(data datatype.Buffer, root int) {
	t.countAlgorithm(tool.Straight)
	if t.rank != root {
		t.recv(data, root)
		return
	}
	w := window{x: &t.exchange}
	for i := 1; i < t.size; i++ {
		w.send(data, (root+i)%t.size)
	}
	w.wait()
}

// pieces divides n bytes among the ranks; ranks at the end may get less or nothing.
type pieces struct {
	data datatype.Buffer
	each int64
}

// of is the bytes of count ranks from relative number v on.
func (p pieces) of(v, count int) datatype.Buffer {
	from := min(int64(v)*p.each, p.data.Count)
	to := min(int64(v+count)*p.each, p.data.Count)
	return p.data.Slice(from, to-from)
}

// cacheLine keeps what different ranks write apart.
const cacheLine = 64

// bcastRing scatters data down a binomial tree, each rank getting the pieces of all ranks below it, and then
// passes the pieces round a ring until everybody has them all.
func (t *Team) bcastRing(data datatype.Buffer, root int) {
	t.countAlgorithm(tool.Ring)
	each := (data.Count + int64(t.size) - 1) / int64(t.size)
	p := pieces{data, (each + cacheLine - 1) &^ (cacheLine - 1)}
	b := t.binomial(root)
	t.down(b, p.of)
	t.ring(b.v, b.rank, func(v int) datatype.Buffer { return p.of(v, 1) })
}
