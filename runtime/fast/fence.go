package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Fences (MPI 5.0, 12.5.1) are one meeting of the window's ranks, which count how many they have entered.
//
// In windows of more than two ranks, a third rank must find in the next epoch what was done in this
// one, and not only the one in whose private memory it was done. So with its coming each rank says
// for whom it has active messages under way, and those tell all when they have carried them out
// (Collects). A rank that is in the next fence already may have said something else by then: what
// it said before is done, and what it says now is waited for without need, but not for long, as
// everybody speaks in each fence.

// arrived reports whether a rank has entered so many fences. What it has written before is seen by
// those who have seen that.
func (t *Target) arrived(count uint32) bool {
	return int32(atomic.LoadUint32(t.word(BlockFence))-count) >= 0 // pairs with announce
}

// Arrived reports whether the ranks from from up to before end have entered so many fences; from
// becomes the first that has not.
func (w *Window) Arrived(from *uint32, end, count uint32) bool {
	for *from < end && w.Target(*from).arrived(count) {
		*from++
	}
	return *from >= end
}

// announce enters the next fence.
func (w *Window) announce() {
	w.Fences++
	shm.StoreRel32(w.own().word(BlockFence), w.Fences)
}

func (w *Window) ringAll() {
	for r := uint32(0); r < w.N; r++ {
		if r != w.Me {
			ring(w.Target(r).Bell)
		}
	}
}

// Enter tells the others that this rank has come to the next fence.
func (w *Window) Enter() {
	if w.Flags&Collects != 0 {
		owing := w.Owing()
		shm.StoreRel64(shm.Word64(w.own().Block+BlockOwing), owing)
	}
	w.announce()
	w.ringAll()
}

// BeginLazily begins an epoch in which each operation has to open its target, for which alone it
// waits.
func (w *Window) BeginLazily() {
	w.OpenAll(0, ModeFence)
	w.Flags |= Lazy
}

// EndFence follows when all have come, and have carried out what others wanted.
func (w *Window) EndFence(succeeds bool) {
	switch {
	case !succeeds:
		w.BeginLazily()
	case w.Mode != ModeFence || w.Flags&Lazy != 0:
		w.OpenAll(OpenFence, ModeFence)
	}
	w.Issued = 0
}

// Collected reports whether all ranks have carried out what others want of them before the end of
// the fence of that number, in which all have come, and tells them that this rank has.
func (w *Window) Collected(count uint32) bool {
	if w.Flags&Collects == 0 {
		return true
	}
	carried := w.own().word(BlockCarried)
	if (w.Flags&Handles != 0 || w.N > MostCallers) && atomic.LoadUint32(carried) != count {
		shm.StoreRel32(carried, count) // pairs with this function
		w.ringAll()
	}
	owing := uint64(0)
	for r := uint32(0); r < w.N; r++ {
		owing |= atomic.LoadUint64(shm.Word64(w.Target(r).Block + BlockOwing))
	}
	if w.N <= MostCallers {
		owing &= upTo(w.N) &^ rankBit(w.Me)
	}
	for ; owing != 0; owing &= owing - 1 {
		for r := lowest(owing); r < w.N; r += MostCallers {
			if int32(atomic.LoadUint32(w.Target(r).word(BlockCarried))-count) < 0 {
				return false
			}
		}
	}
	return true
}

// WinFence is MPI_Win_fence. Who has come and does not see the others come soon leaves the waiting
// to package rma, which finds that this rank has Entered.
func WinFence(e *Endpoint, promises int32, win uintptr) Reason {
	w := e.window(win)
	if w == nil || !w.plain() || w.Mode != ModeFence && w.Mode != ModeNone ||
		promises&^(NoStore|NoPut|NoPrecede|NoSucceed) != 0 {
		return NotPlain
	}
	ends := promises&NoPrecede == 0 || w.Issued != 0
	w.Enter()
	if !ends {
		w.BeginLazily()
		return Done
	}
	from := uint32(0)
	for polls := uint32(0); ; polls++ {
		all := w.Arrived(&from, w.N, w.Fences)
		left := w.Serve()
		if all && left == Done && w.Collected(w.Fences) {
			if w.Flags&Collects != 0 && !w.settleAll() { // some have failed
				break
			}
			w.EndFence(promises&NoSucceed == 0)
			return Done
		}
		if left == NeedsEngine || !e.backoff(polls) {
			break
		}
	}
	w.Flags |= Entered
	return Waiting
}
