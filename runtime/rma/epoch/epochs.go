package epoch

import (
	"gompi/runtime/am"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Epochs are the access and exposure epochs of one rank, and the calls that open and end them (MPI 5.0,
// 12.5). What package fast has to know of them stands in its description of the window. A call that does not
// fit the epochs that are open returns MPI_ERR_RMA_SYNC.
type Epochs struct {
	*am.Window
	node uint32 // node rank

	mu      shm.Mutex // guards the state of epochs at MPI_THREAD_MULTIPLE
	arrived arrivals  // what this rank waits for in a fence
	closing bool      // no operation was promised to follow the last fence; not kept where stubs fence

	started, exposed *group.Group // those that the lists of ranks in Desc were made from
	counts           counts       // what this rank waits for in MPI_Win_start and MPI_Win_wait

	locking []bool // by rank: a thread of this rank waits for the target's lock
}

// New makes those of a window. node is this rank on its node.
func New(w *am.Window, node int) *Epochs {
	handleFar(w, uint32(node))
	return &Epochs{Window: w, node: uint32(node), locking: make([]bool, w.Size())}
}

// lock and unlock guard the state of epochs at MPI_THREAD_MULTIPLE.
func (e *Epochs) lock() {
	if e.Multiple() {
		e.mu.Lock()
	}
}

func (e *Epochs) unlock() {
	if e.Multiple() {
		e.mu.Unlock()
	}
}

// Change changes the flags of the window's description.
func (e *Epochs) Change(f func()) {
	e.lock()
	defer e.unlock()
	f()
}

// Started reports whether an access epoch of MPI_Win_start is open.
func (e *Epochs) Started() bool { return e.Desc.Mode == fast.ModeStart }

// Idle refuses a window with an open epoch (MPI_ERR_RMA_SYNC), which cannot be freed.
func (e *Epochs) Idle() error {
	if e.Broken() != nil || e.HasFailedRanks() {
		return nil // no epoch of a window that has lost processes can be ended
	}
	e.lock()
	defer e.unlock()
	return e.idle()
}

// idle refuses a window with an open epoch.
func (e *Epochs) idle() error {
	d := e.Desc
	switch {
	case d.Flags&fast.Exposed != 0:
		return outOfOrder("the window is exposed: MPI_Win_wait has to come first")
	case d.Mode == fast.ModeStart:
		return outOfOrder("an access epoch is open: MPI_Win_complete has to come first")
	case d.Mode == fast.ModeLock:
		return outOfOrder("%d targets are locked: MPI_Win_unlock has to come first", d.Locked)
	case d.Mode == fast.ModeAll:
		return outOfOrder("all targets are locked: MPI_Win_unlock_all has to come first")
	case d.Mode == fast.ModeFence && d.Issued != 0:
		return outOfOrder("operations have been carried out since the last fence: another MPI_Win_fence has to come first")
	}
	return nil
}

// outOfOrder is the error for a call that does not fit the state of the window's epochs.
func outOfOrder(format string, args ...any) error {
	return mpierr.New(mpierr.ErrRMASync, format, args...)
}

// promises refuses assertions that the call does not know.
func promises(assert, known int) error {
	if assert&^known != 0 {
		return mpierr.New(mpierr.ErrAssert, "assert is %#x, of which %#x is no assertion that this call knows", assert, assert&^known)
	}
	return nil
}

// Open is the target of an operation, which must be open for access (MPI 5.0, 12.5).
func (e *Epochs) Open(rank int) (*fast.Target, error) {
	if err := e.CheckRank(rank); err != nil {
		return nil, err
	}
	e.Look()
	t := &e.Targets[rank]
	if t.Open == 0 {
		if err := e.openLater(rank); err != nil {
			return nil, err
		}
	}
	e.Desc.Issued = 1
	return t, nil
}

// openLater waits until a target has entered the fence that this rank has left without waiting, or
// says why the target is not open.
func (e *Epochs) openLater(rank int) error {
	d := e.Desc
	switch d.Mode {
	case fast.ModeFence:
		if e.closing {
			e.Broke("there are operations after an MPI_Win_fence with MPI_MODE_NOSUCCEED")
		}
		if err := e.WaitFor(e.arrival(rank)); err != nil {
			return err
		}
		e.Targets[rank].Open = fast.OpenFence
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
func (e *Epochs) leaveFence() error {
	d := e.Desc
	if d.Mode != fast.ModeFence {
		return nil
	}
	if d.Issued != 0 {
		return outOfOrder("operations have been carried out since the last fence: another MPI_Win_fence has to come first")
	}
	d.OpenAll(0, fast.ModeNone)
	return nil
}
