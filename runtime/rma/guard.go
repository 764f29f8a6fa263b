package rma

import (
	"sync/atomic"

	"gompi/shm"
)

// The guard of a rank is a lock that is held for as long as some elements take to be read, combined and written: below a
// microsecond in mapped memory, some in private memory. Who waits lets others run, and does not sleep.

const (
	guardSpins = 64  // looks before a waiting rank yields
	guardLooks = 256 // yields between looks whether all ranks live
)

// guard takes a rank's guard.
func (w *Window) guard(rank int) error {
	return w.seize(w.word(rank, shm.WinGuard))
}

func (w *Window) unguard(rank int) { shm.StoreRel32(w.word(rank, shm.WinGuard), 0) }

// seize takes a lock of one word, 0 when it is free.
func (w *Window) seize(word *uint32) error {
	for n := 0; ; n++ {
		if atomic.LoadUint32(word) == 0 && atomic.CompareAndSwapUint32(word, 0, uint32(w.me)+1) {
			return nil
		}
		if n < guardSpins {
			shm.Pause(4)
			continue
		}
		shm.Yield()
		if n%guardLooks == 0 {
			if err := w.space.engine.Alive(); err != nil {
				return err
			}
		}
	}
}
