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
	if a := t.segment(); a != nil {
		s := t.cells(a)
		s.barrier()
		s.end(true)
		return nil
	}
	if t.onNbc(true, fast.Meeting, -1) != nil {
		return nil
	}
	if l := t.c.Layout(); l != nil {
		n := t.over(l)
		n.barrier()
		return nil
	}
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
	return nil
}
