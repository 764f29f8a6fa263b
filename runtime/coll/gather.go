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
	if !c.Inter() {
		n := send.Bytes
		if c.Rank() == root {
			n = recv.Bytes
		}
		if a := sharedArea(c); a != nil && n() > 0 {
			blocks := Even(recv)
			if n() <= maxGathered {
				return sharedGather(c, a, send, &blocks, root)
			}
			return steppedGather(c, a, send, &blocks, root)
		}
	}
	t := join(c, tagGather)
	return t.close(t.Gather(send, recv, root))
}

// Gather is MPI_Gather. Between two groups, the root gets what the ranks of the other group have.
func (t *Team) Gather(send, recv datatype.Buffer, root int) error {
	blocks := Even(recv)
	if t.c.Inter() {
		t.gatherAcross(send, &blocks, root)
		return nil
	}
	var n int64
	if t.rank != root {
		n = send.Bytes()
	} else {
		n = recv.Bytes()
		if err := t.keep(&blocks, send); err != nil {
			return err
		}
	}
	if w := t.pieced(n, fast.ToRoot, root); w != nil {
		w.send.Buffer, w.recv = send, blocks
		return nil
	}
	switch l := t.c.Layout(); {
	case n == 0 || t.size == 1:
	case l != nil && n <= gatherLed:
		if t.rank == root {
			send = block(recv, root)
		}
		t.countAlgorithm(tool.OverNodes)
		t.gatherNodes(l, send, recv, n, root)
	case n > gatherShort || t.size <= fewRanks:
		t.gatherStraight(send, &blocks, root)
	default:
		t.gatherTree(send, recv, n, root)
	}
	return nil
}

// Gatherv is Gather with contributions that may differ in size (MPI_Gatherv, MPI 5.0, 6.5).
func Gatherv(c *comm.Comm, send datatype.Buffer, recv *Blocks, root int) error {
	if !c.Inter() {
		if a := sharedArea(c); a != nil {
			return sharedGatherv(c, a, send, recv, root)
		}
	}
	t := join(c, tagGather)
	return t.close(t.Gatherv(send, recv, root))
}

// Gatherv is MPI_Gatherv.
func (t *Team) Gatherv(send datatype.Buffer, recv *Blocks, root int) error {
	if t.c.Inter() {
		t.gatherAcross(send, recv, root)
		return nil
	}
	if t.rank == root {
		if err := t.keep(recv, send); err != nil {
			return err
		}
	}
	if w := t.onNbc(true, fast.ToRoot, root); w == nil {
		t.gatherStraight(send, recv, root)
	} else if w.send.Buffer = send; t.rank == root {
		w.recv = t.plan.kept(recv)
	}
	return nil
}

// keep puts this rank's own contribution where it belongs, unless it stands there already.
func (t *Team) keep(recv *Blocks, send datatype.Buffer) error {
	if send.InPlace() {
		return nil
	}
	own := recv.Of(t.rank)
	if err := distinct(send, own); err != nil {
		return err
	}
	t.copied(own, send)
	return nil
}

// keepForAll is keep for what is sent to the others from there.
func (t *Team) keepForAll(recv *Blocks, send datatype.Buffer) error {
	err := t.keep(recv, send)
	t.spoil(t.err)
	return err
}

// gatherStraight has everybody send to the root.
func (t *Team) gatherStraight(send datatype.Buffer, recv *Blocks, root int) {
	t.countAmongAll(tool.Straight)
	if t.rank == root {
		t.collect(recv, t.size, root)
	} else if !t.leavesOut(send) {
		t.send(send, root)
	}
}

// gatherAcross has everybody send to the root in the other group.
func (t *Team) gatherAcross(send datatype.Buffer, recv *Blocks, root int) {
	t.countAlgorithm(tool.Across)
	t.cross()
	switch partOf(t.c, root) {
	case chief:
		t.collect(recv, t.x.Size, -1)
	case peer:
		if !t.leavesOut(send) {
			t.send(send, root)
		}
	}
	t.home()
}

// collect receives a block from each of n ranks but one.
func (t *Team) collect(recv *Blocks, n, but int) {
	var w window
	for rank := range n {
		if rank != but {
			w.recv(t, recv.Of(rank), rank)
			w.room(t)
		}
	}
	w.wait(t)
}

// subtree is how many ranks hang below the one with relative number v in a binomial tree, itself included.
func (t *Team) subtree(v int) int {
	n := t.size
	if v != 0 {
		n = v & -v
	}
	return min(n, t.size-v)
}

// gatherTree passes the contributions up a binomial tree. A rank collects those of all ranks below it, n
// bytes each, packed and in the order of relative numbers, and sends them on at once.
func (t *Team) gatherTree(send, recv datatype.Buffer, n int64, root int) {
	t.countAlgorithm(tool.Binomial)
	v := t.relative(root)
	below := t.subtree(v)
	if v != 0 && below == 1 {
		t.send(send, t.absolute(v&(v-1), root))
		return
	}
	all := t.raw(int64(below) * n)
	if v != 0 {
		t.copy(all.Slice(0, n), send)
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
	for i := 1; i < t.size; i++ {
		t.copy(block(recv, t.absolute(i, root)), all.Slice(int64(i)*n, n))
	}
}
