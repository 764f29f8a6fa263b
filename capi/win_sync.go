package main

import (
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/rma"
)

// Synchronization of windows (MPI 5.0, 12.5).

func mpiWin_fence(assert int, w *rma.Window) error { return w.Fence(assert) }

func mpiWin_post(g *group.Group, assert int, w *rma.Window) error { return w.Post(g, assert) }

func mpiWin_start(g *group.Group, assert int, w *rma.Window) error { return w.Start(g, assert) }

func mpiWin_complete(w *rma.Window) error { return w.Complete() }

func mpiWin_wait(w *rma.Window) error { return w.Wait() }

func mpiWin_test(w *rma.Window) (bool, error) { return w.Test() }

// Kinds of lock, with the values of the standard ABI.
const (
	lockExclusive = 301
	lockShared    = 302
)

func mpiWin_lock(kind, rank, assert int, w *rma.Window) error {
	if kind != lockExclusive && kind != lockShared {
		return mpierr.New(mpierr.ErrLocktype, "lock_type is %d, must be MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED", kind)
	}
	return w.Lock(kind == lockExclusive, rank, assert)
}

func mpiWin_unlock(rank int, w *rma.Window) error { return w.Unlock(rank) }

func mpiWin_lock_all(assert int, w *rma.Window) error { return w.LockAll(assert) }

func mpiWin_unlock_all(w *rma.Window) error { return w.UnlockAll() }

func mpiWin_flush(rank int, w *rma.Window) error { return w.Flush(rank) }

func mpiWin_flush_local(rank int, w *rma.Window) error { return w.Flush(rank) }

func mpiWin_flush_all(w *rma.Window) error { return w.FlushAll() }

func mpiWin_flush_local_all(w *rma.Window) error { return w.FlushAll() }

func mpiWin_sync(w *rma.Window) error {
	w.Sync()
	return nil
}
