package epoch

import (
	"cmp"
	"fmt"

	"gompi/runtime/am"
	"gompi/runtime/fast"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// Locks (MPI 5.0, 12.5.3) are those of fast/lock.go: whoever comes first is first, and the target
// takes no part.

// turn is the condition that a ticket may be held.
type turn struct {
	window    *am.Window
	rank      int
	target    *fast.Target
	ticket    uint32
	exclusive bool
}

// Ready implements p2p.Condition.
func (t *turn) Ready() bool { return t.target.Named(t.ticket, t.exclusive) }

// acquire takes a target's lock.
func (e *Epochs) acquire(rank int, exclusive bool) error {
	if e.Away(rank) {
		return e.Ask(rank, am.Lock, lockWord(exclusive), 0)
	}
	t := turn{window: e.Window, rank: rank, target: &e.Targets[rank], exclusive: exclusive}
	t.ticket = e.Desc.TakeTicket(t.target, e.node)
	if !t.Ready() {
		waiting := t
		if err := e.WaitFor(&waiting); err != nil {
			return err
		}
	}
	e.Desc.EnterLock(t.target, t.ticket, exclusive)
	return nil
}

// leave gives a target's lock back.
func (e *Epochs) leave(rank int, exclusive bool) error {
	if e.Away(rank) {
		return e.Tell(rank, am.Unlock, lockWord(exclusive))
	}
	e.Desc.LeaveLock(&e.Targets[rank], exclusive)
	return nil
}

// unchecked reports whether no lock need be taken on a target: nobody holds one in the way, as the
// program promises with NoCheck.
func (e *Epochs) unchecked(rank int, exclusive bool, assert int) bool {
	if assert&fast.NoCheck == 0 {
		return false
	}
	if e.Away(rank) || e.Targets[rank].Free(exclusive) {
		return true
	}
	e.Broke(fmt.Sprintf("rank %d is locked with MPI_MODE_NOCHECK while its lock is held or waited for", rank))
	return false
}

// locks notes a call that locks, which the program may have promised never to do.
func (e *Epochs) locks() {
	if !e.Watched() {
		return
	}
	if v, _ := e.Hint("no_locks"); v == "true" {
		e.Broke("the window is locked, which the hint no_locks promises never to do")
	}
}

// Lock locks the memory of a target (MPI_Win_lock). With NoCheck nobody else does, says the
// program, and no lock is taken.
func (e *Epochs) Lock(exclusive bool, rank, assert int) error {
	if err := promises(assert, fast.NoCheck); err != nil {
		return err
	}
	e.locks()
	if rank != p2p.ProcNull {
		if err := e.CheckRank(rank); err != nil {
			return err
		}
	}
	e.lock()
	defer e.unlock()
	d := e.Desc
	if err := e.leaveFence(); err != nil {
		return err
	}
	switch {
	case d.Mode == fast.ModeAll:
		return outOfOrder("all targets are locked already: MPI_Win_unlock_all has to come first")
	case d.Mode == fast.ModeStart:
		return outOfOrder("an access epoch is open: MPI_Win_complete has to come first")
	case rank == p2p.ProcNull:
		return nil
	case e.Targets[rank].Open != 0 || e.locking[rank]:
		return outOfOrder("rank %d is locked already: MPI_Win_unlock has to come first", rank)
	case rank == e.Rank() && d.Flags&fast.Exposed != 0:
		return outOfOrder("this rank's own memory is exposed, and cannot be locked at the same time")
	}
	d.Mode = fast.ModeLock
	d.Locked++
	open := fast.OpenUnchecked
	if !e.unchecked(rank, exclusive, assert) {
		open = fast.OpenShared
		if exclusive {
			open = fast.OpenExclusive
		}
		e.locking[rank] = true
		e.unlock()
		err := e.acquire(rank, exclusive)
		e.lock()
		e.locking[rank] = false
		if err != nil {
			if d.Locked--; d.Locked == 0 {
				d.Mode = fast.ModeNone
			}
			return err
		}
	}
	e.Targets[rank].Open = open
	return nil
}

// Unlock gives a target's lock back (MPI_Win_unlock).
func (e *Epochs) Unlock(rank int) error {
	if rank == p2p.ProcNull {
		return nil
	}
	if err := e.CheckRank(rank); err != nil {
		return err
	}
	failed := e.Settle(rank)
	return cmp.Or(e.unlockOne(rank), failed)
}

func (e *Epochs) unlockOne(rank int) error {
	e.lock()
	defer e.unlock()
	d, t := e.Desc, &e.Targets[rank]
	if d.Mode != fast.ModeLock || t.Open < fast.OpenShared {
		return outOfOrder("rank %d is not locked: MPI_Win_lock has to come first", rank)
	}
	open := d.CloseLock(t)
	if open != fast.OpenUnchecked {
		return e.leave(rank, open == fast.OpenExclusive)
	}
	return nil
}

// LockAll locks the memory of all ranks, in common with others (MPI_Win_lock_all). All ranks take
// the locks in the same order, so they cannot block each other.
func (e *Epochs) LockAll(assert int) error {
	if err := promises(assert, fast.NoCheck); err != nil {
		return err
	}
	e.locks()
	e.lock()
	defer e.unlock()
	d := e.Desc
	if err := e.leaveFence(); err != nil {
		return err
	}
	switch {
	case d.Mode != fast.ModeNone:
		return outOfOrder("an access epoch is open: it has to be ended first")
	case d.Flags&fast.Exposed != 0:
		return outOfOrder("this rank's own memory is exposed, and cannot be locked at the same time")
	}
	d.Mode = fast.ModeAll
	open, unchecked := fast.OpenUnchecked, true
	for r := 0; r < e.Size() && unchecked; r++ {
		unchecked = e.unchecked(r, false, assert)
	}
	if !unchecked {
		open = fast.OpenAll
		e.unlock()
		var err error
		for r := 0; r < e.Size() && err == nil; r++ {
			err = e.acquire(r, false)
		}
		e.lock()
		if err != nil {
			d.Mode = fast.ModeNone
			return err
		}
	}
	d.OpenAll(open, fast.ModeAll)
	return nil
}

// UnlockAll gives all locks back that LockAll has taken (MPI_Win_unlock_all).
func (e *Epochs) UnlockAll() error {
	failed := e.SettleAll()
	return cmp.Or(e.unlockAll(), failed)
}

func (e *Epochs) unlockAll() error {
	e.lock()
	defer e.unlock()
	d := e.Desc
	if d.Mode != fast.ModeAll {
		return outOfOrder("the targets are not locked by MPI_Win_lock_all")
	}
	var failed error
	for r := range e.Targets {
		if e.Targets[r].Open == fast.OpenAll {
			failed = cmp.Or(e.leave(r, false), failed)
		}
	}
	d.OpenAll(0, fast.ModeNone)
	return failed
}

// Passive refuses a target that is not locked, as request-based operations want it to be (MPI 5.0, 12.3.5).
func (e *Epochs) Passive(rank int) error {
	if rank == p2p.ProcNull {
		return nil
	}
	if err := e.CheckRank(rank); err != nil {
		return err
	}
	if e.Targets[rank].Open < fast.OpenShared {
		return outOfOrder("rank %d is not locked: MPI_Win_lock or MPI_Win_lock_all has to come first", rank)
	}
	return nil
}

// Flush completes all operations of this rank on a target (MPI_Win_flush, MPI_Win_flush_local, MPI
// 5.0, 12.5.4). In mapped memory they are carried out already; now everybody can see it.
func (e *Epochs) Flush(rank int) error {
	e.Look()
	err := e.Passive(rank)
	if failed := e.Settle(rank); err == nil {
		err = failed
	}
	shm.Fence()
	return err
}

// FlushAll completes all operations of this rank (MPI_Win_flush_all, MPI_Win_flush_local_all).
func (e *Epochs) FlushAll() error {
	if m := e.Desc.Mode; m != fast.ModeLock && m != fast.ModeAll {
		return outOfOrder("no target is locked: MPI_Win_lock or MPI_Win_lock_all has to come first")
	}
	e.Look()
	err := e.SettleAll()
	shm.Fence()
	return err
}

// Sync orders this rank's loads and stores in the window's memory (MPI_Win_sync, MPI 5.0, 12.5.4).
func (e *Epochs) Sync() {
	e.Look()
	shm.Fence()
}
