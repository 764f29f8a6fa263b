package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Barrier returns once all ranks have called it (MPI_Barrier, MPI 5.0, 6.3).
func Barrier(c *comm.Comm) error {
	t := join(c, tagBarrier)
	return t.close(t.Barrier())
}

// Barrier is a barrier. Between two groups, everybody waits for all of both.
func (t *Team) Barrier() error {
	t.op = tool.Barrier
	q := t.ask(t.op, 0)
	switch t.choose(q).by {
	case tool.Cells:
		s := t.cells(t.segment())
		s.barrier()
		s.end(true)
	case tool.NbcCells:
		t.onNbc(fast.Meeting, -1)
	case tool.OverNodes:
		n := t.over(t.c.Layout())
		n.barrier()
	default:
		t.disseminate()
	}
	return nil
}

// disseminate is a barrier by messages.
func (t *Team) disseminate() {
	if t.c.Inter() {
		t.countAlgorithm(tool.Across)
	}
	t.countAlgorithm(tool.Dissemination)
	// Dissemination: after round k every rank knows of the 2^(k+1) ranks up to its own.
	for k := 1; k < t.size; k <<= 1 {
		t.signal((t.rank+k)%t.size, (t.rank-k+t.size)%t.size)
	}
	if t.c.Inter() {
		if t.rank == 0 {
			t.cross()
			t.signal(0, 0)
			t.home()
		}
		t.bcastTree(datatype.Raw(0, 0), 0)
	}
}
