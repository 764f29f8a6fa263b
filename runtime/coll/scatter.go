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
	if !c.Inter() {
		n := recv.Bytes
		if c.Rank() == root {
			n = send.Bytes
		}
		if a := sharedArea(c); a != nil && n() > 0 {
			if c.Rank() != root {
				return sharedPart(c, a, recv, root, true)
			}
			blocks := Even(send)
			return sharedScatter(c, a, &blocks, recv)
		}
	}
	t := join(c, tagScatter)
	return t.close(t.Scatter(send, recv, root))
}

// Scatter is MPI_Scatter. Between two groups, the root's buffer is dealt out among the ranks of the other
// group.
func (t *Team) Scatter(send, recv datatype.Buffer, root int) error {
	blocks := Even(send)
	if t.c.Inter() {
		t.scatterAcross(&blocks, recv, root)
		return nil
	}
	var n int64
	if t.rank != root {
		n = recv.Bytes()
	} else {
		n = send.Bytes()
		if err := t.take(&blocks, recv); err != nil {
			return err
		}
	}
	if w := t.onNbc(fitsCell(n*int64(t.size)), fast.Scattered, root); w != nil {
		w.send, w.recv.Buffer = blocks, recv
		return nil
	}
	switch l := t.c.Layout(); {
	case n == 0 || t.size == 1:
	case l != nil && n <= gatherLed:
		t.countAlgorithm(tool.OverNodes)
		t.scatterNodes(l, send, recv, n, root)
	case n > gatherShort || t.size <= fewRanks:
		t.scatterStraight(&blocks, recv, root)
	default:
		t.scatterTree(send, recv, n, root)
	}
	return nil
}

// Scatterv is Scatter with parts that may differ in size (MPI_Scatterv, MPI 5.0, 6.6).
func Scatterv(c *comm.Comm, send *Blocks, recv datatype.Buffer, root int) error {
	if !c.Inter() {
		if a := sharedArea(c); a != nil {
			if c.Rank() != root {
				return sharedPart(c, a, recv, root, false)
			}
			return sharedScatter(c, a, send, recv)
		}
	}
	t := join(c, tagScatter)
	return t.close(t.Scatterv(send, recv, root))
}

// Scatterv is MPI_Scatterv.
func (t *Team) Scatterv(send *Blocks, recv datatype.Buffer, root int) error {
	if t.c.Inter() {
		t.scatterAcross(send, recv, root)
		return nil
	}
	if t.rank == root {
		if err := t.take(send, recv); err != nil {
			return err
		}
	}
	if w := t.onNbc(true, fast.ScatteredV, root); w == nil {
		t.scatterStraight(send, recv, root)
	} else if w.recv.Buffer = recv; t.rank == root {
		w.send = t.plan.kept(send)
	}
	return nil
}

// take puts this rank's own part where it belongs, unless it is to stay in send.
func (t *Team) take(send *Blocks, recv datatype.Buffer) error {
	if recv.InPlace() {
		return nil
	}
	own := send.Of(t.rank)
	if err := distinct(own, recv); err != nil {
		return err
	}
	t.copied(recv, own)
	return nil
}

// scatterStraight has the root send to everybody.
func (t *Team) scatterStraight(send *Blocks, recv datatype.Buffer, root int) {
	t.countAmongAll(tool.Straight)
	if t.rank == root {
		t.deal(send, t.size, root)
	} else if !t.leavesOut(recv) {
		t.recv(recv, root)
	}
}

// scatterAcross has the root send to everybody in the other group.
func (t *Team) scatterAcross(send *Blocks, recv datatype.Buffer, root int) {
	t.countAlgorithm(tool.Across)
	t.cross()
	switch partOf(t.c, root) {
	case chief:
		t.deal(send, t.x.Size, -1)
	case peer:
		if !t.leavesOut(recv) {
			t.recv(recv, root)
		}
	}
	t.home()
}

// deal sends a block to each of n ranks but one.
func (t *Team) deal(send *Blocks, n, but int) {
	var w window
	for rank := range n {
		if rank != but {
			w.send(t, send.Of(rank), rank)
			w.room(t)
		}
	}
	w.wait(t)
}

// scatterTree passes the parts down a binomial tree. A rank gets those of all ranks below it, n bytes each,
// packed and in the order of relative numbers.
func (t *Team) scatterTree(send, recv datatype.Buffer, n int64, root int) {
	t.countAlgorithm(tool.Binomial)
	v := t.relative(root)
	below := t.subtree(v)
	if v != 0 && below == 1 {
		t.recv(recv, t.absolute(v&(v-1), root))
		return
	}
	all := t.raw(int64(below) * n)
	if v != 0 {
		t.recv(all, t.absolute(v&(v-1), root))
		t.copy(recv, all.Slice(0, n))
	} else {
		for i := 1; i < t.size; i++ {
			t.copy(all.Slice(int64(i)*n, n), block(send, t.absolute(i, root)))
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
