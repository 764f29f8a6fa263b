package mpi

import (
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/rma"
)

// Synchronization of windows (MPI 5.0, 12.5).

func WinFence(assert int, w *rma.Window) error {
	x := fencing(w, assert)
	return x.fenced(assert, x.settled(anyTarget, w.Fence(assert)))
}

func WinPost(g *group.Group, assert int, w *rma.Window) error { return posts(w, w.Post(g, assert)) }

func WinStart(g *group.Group, assert int, w *rma.Window) error { return w.Start(g, assert) }

func WinComplete(w *rma.Window) error {
	return settles(w, anyTarget, false).settled(anyTarget, w.Complete())
}

func WinWait(w *rma.Window) error { return closes(w, true, w.Wait()) }

func WinTest(w *rma.Window) (bool, error) {
	done, err := w.Test()
	return done, closes(w, done, err)
}

// Kinds of lock, with the values of the standard ABI.
const (
	lockExclusive = 301
	lockShared    = 302
)

func WinLock(kind, rank, assert int, w *rma.Window) error {
	if kind != lockExclusive && kind != lockShared {
		return mpierr.New(mpierr.ErrLocktype, "lock_type is %d, must be MPI_LOCK_EXCLUSIVE or MPI_LOCK_SHARED", kind)
	}
	return w.Lock(kind == lockExclusive, rank, assert)
}

func WinUnlock(rank int, w *rma.Window) error {
	return settles(w, rank, false).settled(rank, w.Unlock(rank))
}

func WinLockAll(assert int, w *rma.Window) error { return w.LockAll(assert) }

func WinUnlockAll(w *rma.Window) error {
	return settles(w, anyTarget, false).settled(anyTarget, w.UnlockAll())
}

func WinFlush(rank int, w *rma.Window) error {
	return settles(w, rank, false).settled(rank, w.Flush(rank))
}

func WinFlushLocal(rank int, w *rma.Window) error {
	return settles(w, rank, true).settled(rank, w.Flush(rank))
}

func WinFlushAll(w *rma.Window) error {
	return settles(w, anyTarget, false).settled(anyTarget, w.FlushAll())
}

func WinFlushLocalAll(w *rma.Window) error {
	return settles(w, anyTarget, true).settled(anyTarget, w.FlushAll())
}

func WinSync(w *rma.Window) error {
	w.Sync()
	return nil
}
