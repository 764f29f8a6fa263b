package rma

import (
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// The guard of a rank is a lock that is held for as long as some elements take to be read, combined
// and written: below a microsecond in mapped memory, some in private memory. Who waits lets others
// run, and does not sleep.

const (
	guardPause  = 4   // pauses between two looks
	aliveYields = 256 // yields between looks whether all ranks live
)

// guard takes a rank's guard.
func (w *Window) guard(rank int) error {
	return w.seize(w.word(rank, fast.BlockGuard))
}

func (w *Window) unguard(rank int) { shm.StoreRel32(w.word(rank, fast.BlockGuard), 0) }

// seize takes a lock of one word, 0 when it is free.
func (w *Window) seize(word *uint32) error {
	for n := 0; ; n++ {
		if atomic.LoadUint32(word) == 0 && atomic.CompareAndSwapUint32(word, 0, uint32(w.me)+1) {
			return nil
		}
		if err := w.backoff(n); err != nil {
			return err
		}
	}
}

// backoff waits a moment after the n-th look in vain at something that others hold shortly.
func (w *Window) backoff(n int) error {
	if n < w.space.guardLooks {
		shm.Pause(guardPause)
		return nil
	}
	shm.Yield()
	if n%aliveYields == 0 {
		return w.space.engine.AliveIn(w.group)
	}
	return nil
}

// seizeBulk takes a rank's guard. If the elements are such as atomic instructions change as well,
// it also waits until nobody does so any more.
func (w *Window) seizeBulk(rank int, atomics bool) error {
	if err := w.guard(rank); err != nil || !atomics {
		return err
	}
	return w.keepAway(rank)
}

// keepAway is the second half of that, for the guard's holder. The guard is given back when it fails.
func (w *Window) keepAway(rank int) error {
	atomic.StoreUint32(w.word(rank, fast.BlockBulk), 1) // a full fence; pairs with Changing
	for r := range w.n {
		busy := shm.Next32(w.line(rank, r), fast.LineBusy)
		for n := 0; atomic.LoadUint32(busy) != 0; n++ {
			if err := w.backoff(n); err != nil {
				w.releaseBulk(rank)
				return err
			}
		}
	}
	return nil
}

func (w *Window) releaseBulk(rank int) {
	shm.StoreRel32(w.word(rank, fast.BlockBulk), 0)
	w.unguard(rank)
}
