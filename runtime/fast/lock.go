package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Passive target synchronization (MPI 5.0, 12.5.3 and 12.5.4), as far as nobody has to be waited for.
//
// A target's lock may be held by one rank alone or by several in common, in the order in which they
// came. It is three words of the target's block: the next ticket, and the tickets that may be held
// exclusively and in common now. Whoever wants it takes a ticket and waits until that is named: for an
// exclusive holder in both words. An exclusive holder, giving it back, names the next ticket in the
// word of the exclusive ones and then in the other one: nobody comes in before it has stopped
// writing. One of several lets the next ticket in as soon as it has come in itself, and names the
// next in the word of the exclusive ones when it leaves, so that these words agree again when all
// have left.
//
// Whoever waits writes its node rank to its ticket's turn. A rank that has moved a word on rings
// the one whose turn it is. The two sides may miss each other by the time that a store takes to
// become visible, as with any shm.Bell.

// turn is where the node rank + 1 of a ticket's holder stands.
func (w *Window) turn(t *Target, ticket uint32) *uint32 {
	return shm.Next32(t.word(BlockLines+uintptr(w.N)*LineSize), ticket&w.Turns)
}

// TakeTicket takes a ticket of a target's lock. node is the caller's node rank, by which it is woken.
func (w *Window) TakeTicket(t *Target, node uint32) uint32 {
	ticket := atomic.AddUint32(t.word(BlockTicket), 1) - 1
	atomic.StoreUint32(w.turn(t, ticket), node+1)
	return ticket
}

// Named reports whether the lock may be held with a ticket now. Pairs with EnterLock and LeaveLock.
func (t *Target) Named(ticket uint32, exclusive bool) bool {
	return atomic.LoadUint32(t.word(BlockRead)) == ticket &&
		(!exclusive || atomic.LoadUint32(t.word(BlockWrite)) == ticket)
}

// Free reports whether the lock could be held at once. Somebody may take it before the caller knows.
func (t *Target) Free(exclusive bool) bool {
	return t.Named(atomic.LoadUint32(t.word(BlockTicket)), exclusive)
}

// EnterLock follows when a ticket is named: the caller holds the lock.
func (w *Window) EnterLock(t *Target, ticket uint32, exclusive bool) {
	if !exclusive {
		shm.StoreRel32(t.word(BlockRead), ticket+1)
		w.ringTurn(t, ticket+1)
	}
}

// LeaveLock gives the lock back.
func (w *Window) LeaveLock(t *Target, exclusive bool) {
	next := uint32(0)
	if exclusive {
		next = atomic.LoadUint32(t.word(BlockWrite)) + 1
		shm.StoreRel32(t.word(BlockWrite), next)
		shm.StoreRel32(t.word(BlockRead), next)
	} else {
		next = atomic.AddUint32(t.word(BlockWrite), 1)
	}
	w.ringTurn(t, next)
}

// ringTurn wakes the holder of a ticket that was named, if there is one yet.
func (w *Window) ringTurn(t *Target, ticket uint32) {
	if unlikely(atomic.LoadUint32(t.word(BlockTicket)) != ticket) {
		node := atomic.LoadUint32(w.turn(t, ticket)) - 1
		if node < w.Nodes {
			ring(shm.Word32(w.Bells + uintptr(node)*shm.RankStride))
		}
	}
}

// tryLock takes a target's lock if nobody is in the way.
func (w *Window) tryLock(t *Target, exclusive bool) bool {
	ticket := atomic.LoadUint32(t.word(BlockTicket))
	if !t.Named(ticket, exclusive) || !atomic.CompareAndSwapUint32(t.word(BlockTicket), ticket, ticket+1) {
		return false
	}
	w.EnterLock(t, ticket, exclusive)
	return true
}

// Kinds of locks (the ABI, 20.3).
const (
	LockExclusive = 301
	LockShared    = 302
)

// WinLock is MPI_Win_lock.
func WinLock(e *Endpoint, kind, rank, promises int32, win uintptr) Reason {
	w := e.window(win)
	if w == nil || !w.plain() || uint32(rank) >= w.N || promises&^NoCheck != 0 ||
		kind != LockExclusive && kind != LockShared ||
		w.Mode != ModeNone && w.Mode != ModeLock {
		return NotPlain
	}
	t := w.Target(uint32(rank))
	if t.Open != 0 {
		return NotPlain
	}
	open := OpenUnchecked
	if promises != 0 {
		if !t.Free(kind == LockExclusive) {
			return Waiting
		}
	} else {
		if !w.tryLock(t, kind == LockExclusive) {
			return Waiting
		}
		open = OpenShared
		if kind == LockExclusive {
			open = OpenExclusive
		}
	}
	w.OpenLock(t, open)
	return Done
}

// OpenLock opens a target for access that this rank has locked.
func (w *Window) OpenLock(t *Target, open uint32) {
	t.Open = open
	w.Mode = ModeLock
	w.Locked++
}

// CloseLock gives a target's lock back, which is the last step of MPI_Win_unlock. It gives how the
// target was open.
func (w *Window) CloseLock(t *Target) uint32 {
	open := t.Open
	t.Open = 0
	w.Locked--
	if w.Locked == 0 {
		w.Mode = ModeNone
		w.Issued = 0
	}
	return open
}

// WinUnlock is MPI_Win_unlock.
func WinUnlock(e *Endpoint, rank int32, win uintptr) Reason {
	w := e.window(win)
	t := w.opened(rank)
	if t == nil || !w.plain() || w.Mode != ModeLock || t.Open < OpenShared {
		return NotPlain
	}
	if !w.settleOne(t) {
		return NeedsEngine
	}
	open := w.CloseLock(t)
	if open != OpenUnchecked {
		w.LeaveLock(t, open == OpenExclusive)
	}
	return Done
}

// WinLockAll is MPI_Win_lock_all.
func WinLockAll(e *Endpoint, promises int32, win uintptr) Reason {
	w := e.window(win)
	if w == nil || !w.plain() || w.Mode != ModeNone || promises&^NoCheck != 0 {
		return NotPlain
	}
	open := OpenUnchecked
	for r := uint32(0); promises != 0 && r < w.N; r++ {
		if !w.Target(r).Free(false) {
			return Waiting
		}
	}
	if promises == 0 {
		open = OpenAll
		for r := uint32(0); r < w.N; r++ {
			if w.tryLock(w.Target(r), false) {
				continue
			}
			for r > 0 {
				r--
				w.LeaveLock(w.Target(r), false)
			}
			return Waiting
		}
	}
	w.OpenAll(open, ModeAll)
	return Done
}

// OpenAll opens all targets in the same way, or closes them.
func (w *Window) OpenAll(open, mode uint32) {
	for r := uint32(0); r < w.N; r++ {
		w.Target(r).Open = open
	}
	w.Mode = mode
	w.Flags &^= Lazy
	w.Issued = 0
}

// WinUnlockAll is MPI_Win_unlock_all.
func WinUnlockAll(e *Endpoint, win uintptr) Reason {
	w := e.window(win)
	if w == nil || !w.plain() || w.Mode != ModeAll {
		return NotPlain
	}
	if !w.settleAll() {
		return NeedsEngine
	}
	for r := uint32(0); r < w.N; r++ {
		t := w.Target(r)
		if t.Open == OpenAll {
			w.LeaveLock(t, false)
		}
	}
	w.OpenAll(0, ModeNone)
	return Done
}

// WinFlush is MPI_Win_flush.
func WinFlush(e *Endpoint, rank int32, win uintptr) Reason {
	w := e.window(win)
	t := w.opened(rank)
	if t == nil || t.Open < OpenShared {
		return NotPlain
	}
	if !w.settleOne(t) {
		return NeedsEngine
	}
	fence()
	return Done
}

// WinFlushLocal is MPI_Win_flush_local: every operation is complete here when its call returns.
func WinFlushLocal(e *Endpoint, rank int32, win uintptr) Reason {
	t := e.window(win).opened(rank)
	if t == nil || t.Open < OpenShared {
		return NotPlain
	}
	return Done
}

// WinFlushAll is MPI_Win_flush_all.
func WinFlushAll(e *Endpoint, win uintptr) Reason {
	w := e.window(win)
	if w == nil || w.Mode != ModeLock && w.Mode != ModeAll {
		return NotPlain
	}
	if !w.settleAll() {
		return NeedsEngine
	}
	fence()
	return Done
}

// WinFlushLocalAll is MPI_Win_flush_local_all.
func WinFlushLocalAll(e *Endpoint, win uintptr) Reason {
	w := e.window(win)
	if w == nil || w.Mode != ModeLock && w.Mode != ModeAll {
		return NotPlain
	}
	return Done
}

// WinSync is MPI_Win_sync.
func WinSync(e *Endpoint, win uintptr) Reason {
	if e.window(win) == nil {
		return NotPlain
	}
	fence()
	return Done
}
