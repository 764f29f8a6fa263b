package rma

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
)

// promises refuses assertions that the call does not know.
func promises(assert, known int) error {
	if assert&^known != 0 {
		return mpierr.New(mpierr.ErrAssert, "assert is %#x, of which %#x is no assertion that this call knows", assert, assert&^known)
	}
	return nil
}

// open is the target of an operation, which must be open for access (MPI 5.0, 12.5).
func (w *Window) open(rank int) (*fast.Target, error) {
	if err := w.checkRank(rank); err != nil {
		return nil, err
	}
	w.look()
	t := &w.targets[rank]
	if t.Open == 0 {
		if err := w.settle(rank); err != nil {
			return nil, err
		}
	}
	w.Desc.Issued = 1
	return t, nil
}

// settle waits until a target has entered the fence that this rank has left without waiting, or
// says why the target is not open.
func (w *Window) settle(rank int) error {
	d := w.Desc
	switch d.Mode {
	case fast.ModeFence:
		if w.closing {
			w.broke("there are operations after an MPI_Win_fence with MPI_MODE_NOSUCCEED")
		}
		if err := w.waitFor(&arrivals{w: w, from: uint32(rank), to: uint32(rank) + 1,
			count: w.Desc.Fences}); err != nil {
			return err
		}
		w.targets[rank].Open = fast.OpenFence
		return nil
	case fast.ModeStart:
		return outOfOrder("rank %d is not in the group with which MPI_Win_start was called", rank)
	case fast.ModeLock:
		return outOfOrder("rank %d is not locked", rank)
	}
	return outOfOrder("no epoch is open: MPI_Win_fence, MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all has to come first")
}

// leaveFence ends what the last fence began, when nothing has been done since: the program goes on
// to another kind of synchronization.
func (w *Window) leaveFence() error {
	d := w.Desc
	if d.Mode != fast.ModeFence {
		return nil
	}
	if d.Issued != 0 {
		return outOfOrder("operations have been carried out since the last fence: another MPI_Win_fence has to come first")
	}
	d.OpenAll(0, fast.ModeNone)
	return nil
}
