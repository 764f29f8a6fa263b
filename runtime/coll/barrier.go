package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Barrier returns once all ranks have called it (MPI_Barrier, MPI 5.0, 6.3).
func Barrier(c *comm.Comm) error {
	t := join(c, schedule.TagBarrier)
	return t.close(t.Barrier())
}

// Barrier is a barrier. Between two groups, everybody waits for all of both.
func (t *Team) Barrier() error {
	t.Operation = tool.Barrier
	q := t.ask(t.Operation, 0)
	switch t.choose(q).By {
	case tool.Cells:
		t.group().Barrier()
	case tool.NbcCells:
		t.operation.Over(fast.Meeting, -1)
	case tool.OverNodes:
		n := t.over(t.Comm.Layout())
		n.barrier()
	default:
		t.barrierByMessages()
	}
	return nil
}

// barrierByMessages is a barrier by messages.
func (t *Team) barrierByMessages() {
	if !t.Comm.Inter() {
		algorithm.Disseminate(t.Exchange)
		return
	}
	t.CountAlgorithm(tool.Across)
	algorithm.Disseminate(t.Exchange)
	if t.Rank == 0 {
		t.cross()
		t.Signal(0, 0)
		t.Home()
	}
	algorithm.BcastTree(t.Exchange, datatype.Raw(0, 0), 0)
}
