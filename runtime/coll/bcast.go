package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Bcast sends the root's buffer to all other ranks (MPI_Bcast, MPI 5.0, 6.4).
func Bcast(c *comm.Comm, b datatype.Buffer, root int) error {
	t := join(c, schedule.TagBcast)
	return t.close(t.Bcast(b, root))
}

// Bcast is MPI_Bcast.
func (t *Team) Bcast(b datatype.Buffer, root int) error {
	t.Operation = tool.Bcast
	if t.Comm.Inter() {
		t.bcastAcross(b, root)
		return nil
	}
	t.bcast(b, root)
	return nil
}

// bcastAcross sends what the root has to the other group.
func (t *Team) bcastAcross(b datatype.Buffer, root int) {
	t.CountAlgorithm(tool.Across)
	switch schedule.RoleOf(t.Comm, root) {
	case schedule.IsRoot:
		t.cross()
		t.Send(b, 0)
		t.Home()
	case schedule.IsPeer:
		if t.Rank == 0 {
			t.cross()
			t.Recv(b, root)
			t.Home()
		}
		t.bcast(b, 0)
	}
}

// bcast sends what root has to all others of the group.
func (t *Team) bcast(b datatype.Buffer, root int) {
	n := b.Bytes()
	if n == 0 || t.Size == 1 {
		return
	}
	q := t.ask(tool.Bcast, n)
	how := t.choose(q)
	switch how.By {
	case tool.Cells, tool.Steps:
		t.group().Bcast(b, root)
		return
	case tool.NbcCells:
		w := t.operation.Over(fast.FromRoot, root)
		w.Send.Buffer, w.Recv.Buffer = b, b
		t.operation.Cut(q.inPieces())
		return
	}
	data := datatype.Raw(b.Start(), n)
	if !b.Contiguous() { // pack and unpack once, not for each message
		data = t.Raw(n)
		if t.Rank == root {
			t.Copy(data, b)
		}
	}
	switch how.By {
	case tool.OverNodes:
		o := t.over(t.Comm.Layout())
		o.bcast(data, root)
	case tool.Straight:
		algorithm.BcastStraight(t.Exchange, data, root)
	case tool.Binomial:
		algorithm.BcastTree(t.Exchange, data, root)
	default:
		algorithm.BcastRing(t.Exchange, data, root)
	}
	if t.Rank != root && !b.Contiguous() {
		t.Copy(b, data)
	}
}
