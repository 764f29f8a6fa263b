package rma

import (
	"fmt"

	"gompi/runtime/fast"
	"gompi/shm"
)

// Locks (MPI 5.0, 12.5.3) are those of fast/lock.go: whoever comes first is first, and the target
// takes no part.

// turn is the condition that a ticket may be held.
type turn struct {
	window    *Window
	rank      int
	target    *fast.Target
	ticket    uint32
	exclusive bool
}

// Ready implements p2p.Condition.
func (t *turn) Ready() bool { return t.target.Named(t.ticket, t.exclusive) }

// acquire takes a target's lock.
func (w *Window) acquire(rank int, exclusive bool) error {
	if w.away(rank) {
		return w.far.acquire(rank, exclusive)
	}
	t := turn{window: w, rank: rank, target: &w.targets[rank], exclusive: exclusive}
	t.ticket = w.Desc.TakeTicket(t.target, w.space.node)
	if !t.Ready() {
		waiting := t
		if err := w.waitFor(&waiting); err != nil {
			return err
		}
	}
	w.Desc.EnterLock(t.target, t.ticket, exclusive)
	return nil
}

// leave gives a target's lock back.
func (w *Window) leave(rank int, exclusive bool) error {
	if w.away(rank) {
		return w.far.tell(rank, sayUnlock, uint64(bit(exclusive)), 0, 0)
	}
	w.Desc.LeaveLock(&w.targets[rank], exclusive)
	return nil
}

// unchecked reports whether no lock need be taken on a target: nobody holds one in the way, as the
// program promises with NoCheck.
func (w *Window) unchecked(rank int, exclusive bool, assert int) bool {
	if assert&fast.NoCheck == 0 {
		return false
	}
	if w.away(rank) || w.targets[rank].Free(exclusive) {
		return true
	}
	w.broke(fmt.Sprintf("rank %d is locked with MPI_MODE_NOCHECK while its lock is held or waited for", rank))
	return false
}

// Lock locks the memory of a target (MPI_Win_lock). With NoCheck nobody else does, says the
// program, and no lock is taken.
func (w *Window) Lock(exclusive bool, rank, assert int) error {
	if err := promises(assert, fast.NoCheck); err != nil {
		return err
	}
	w.locks()
	if rank != ProcNull {
		if err := w.checkRank(rank); err != nil {
			return err
		}
	}
	w.lock()
	defer w.unlock()
	d := w.Desc
	if err := w.leaveFence(); err != nil {
		return err
	}
	switch {
	case d.Mode == fast.ModeAll:
		return outOfOrder("all targets are locked already: MPI_Win_unlock_all has to come first")
	case d.Mode == fast.ModeStart:
		return outOfOrder("an access epoch is open: MPI_Win_complete has to come first")
	case rank == ProcNull:
		return nil
	case w.targets[rank].Open != 0 || w.peers[rank].locking:
		return outOfOrder("rank %d is locked already: MPI_Win_unlock has to come first", rank)
	case rank == w.me && d.Flags&fast.Exposed != 0:
		return outOfOrder("this rank's own memory is exposed, and cannot be locked at the same time")
	}
	d.Mode = fast.ModeLock
	d.Locked++
	open := fast.OpenUnchecked
	if !w.unchecked(rank, exclusive, assert) {
		open = fast.OpenShared
		if exclusive {
			open = fast.OpenExclusive
		}
		w.peers[rank].locking = true
		w.unlock()
		err := w.acquire(rank, exclusive)
		w.lock()
		w.peers[rank].locking = false
		if err != nil {
			if d.Locked--; d.Locked == 0 {
				d.Mode = fast.ModeNone
			}
			return err
		}
	}
	w.targets[rank].Open = open
	return nil
}

// Unlock gives a target's lock back (MPI_Win_unlock).
func (w *Window) Unlock(rank int) error {
	if rank == ProcNull {
		return nil
	}
	if err := w.checkRank(rank); err != nil {
		return err
	}
	return after(w.settleOne(rank), w.unlockOne(rank))
}

func (w *Window) unlockOne(rank int) error {
	w.lock()
	defer w.unlock()
	d, t := w.Desc, &w.targets[rank]
	if d.Mode != fast.ModeLock || t.Open < fast.OpenShared {
		return outOfOrder("rank %d is not locked: MPI_Win_lock has to come first", rank)
	}
	open := d.CloseLock(t)
	if open != fast.OpenUnchecked {
		return w.leave(rank, open == fast.OpenExclusive)
	}
	return nil
}

// LockAll locks the memory of all ranks, in common with others (MPI_Win_lock_all). All ranks take
// the locks in the same order, so they cannot block each other.
func (w *Window) LockAll(assert int) error {
	if err := promises(assert, fast.NoCheck); err != nil {
		return err
	}
	w.locks()
	w.lock()
	defer w.unlock()
	d := w.Desc
	if err := w.leaveFence(); err != nil {
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
	for r := 0; r < w.n && unchecked; r++ {
		unchecked = w.unchecked(r, false, assert)
	}
	if !unchecked {
		open = fast.OpenAll
		w.unlock()
		var err error
		for r := 0; r < w.n && err == nil; r++ {
			err = w.acquire(r, false)
		}
		w.lock()
		if err != nil {
			d.Mode = fast.ModeNone
			return err
		}
	}
	d.OpenAll(open, fast.ModeAll)
	return nil
}

// UnlockAll gives all locks back that LockAll has taken (MPI_Win_unlock_all).
func (w *Window) UnlockAll() error { return after(w.settleAll(), w.unlockAll()) }

func (w *Window) unlockAll() error {
	w.lock()
	defer w.unlock()
	d := w.Desc
	if d.Mode != fast.ModeAll {
		return outOfOrder("the targets are not locked by MPI_Win_lock_all")
	}
	var failed error
	for r := range w.targets {
		if w.targets[r].Open == fast.OpenAll {
			failed = after(failed, w.leave(r, false))
		}
	}
	d.OpenAll(0, fast.ModeNone)
	return failed
}

// Passive refuses a target that is not locked, as request-based operations want it to be (MPI 5.0, 12.3.5).
func (w *Window) Passive(rank int) error {
	if rank == ProcNull {
		return nil
	}
	if err := w.checkRank(rank); err != nil {
		return err
	}
	if w.targets[rank].Open < fast.OpenShared {
		return outOfOrder("rank %d is not locked: MPI_Win_lock or MPI_Win_lock_all has to come first", rank)
	}
	return nil
}

// Flush completes all operations of this rank on a target (MPI_Win_flush, MPI_Win_flush_local, MPI
// 5.0, 12.5.4). In mapped memory they are carried out already; now everybody can see it.
func (w *Window) Flush(rank int) error {
	w.look()
	err := w.Passive(rank)
	if failed := w.settleOne(rank); err == nil {
		err = failed
	}
	shm.Fence()
	return err
}

// FlushAll completes all operations of this rank (MPI_Win_flush_all, MPI_Win_flush_local_all).
func (w *Window) FlushAll() error {
	if m := w.Desc.Mode; m != fast.ModeLock && m != fast.ModeAll {
		return outOfOrder("no target is locked: MPI_Win_lock or MPI_Win_lock_all has to come first")
	}
	w.look()
	err := w.settleAll()
	shm.Fence()
	return err
}

// Sync orders this rank's loads and stores in the window's memory (MPI_Win_sync, MPI 5.0, 12.5.4).
func (w *Window) Sync() {
	w.look()
	shm.Fence()
}
