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

// guards are the guards of a window's ranks, words in their blocks.
type guards struct {
	*core
	looks int // how often to look whether a guard is free before a yield
}

// acquire takes a rank's guard.
func (g *guards) acquire(rank int) error {
	word := g.word(rank, fast.BlockGuard)
	for n := 0; !g.try(word); n++ {
		if err := g.backoff(n); err != nil {
			return err
		}
	}
	return nil
}

// acquireSoon takes this rank's own guard if it is free now or soon.
func (g *guards) acquireSoon() bool {
	word := g.word(g.me, fast.BlockGuard)
	for range g.looks {
		if g.try(word) {
			return true
		}
		shm.Pause(guardPause)
	}
	return false
}

// try takes a guard if it is free: its word is 0 then.
func (g *guards) try(word *uint32) bool {
	return atomic.LoadUint32(word) == 0 && atomic.CompareAndSwapUint32(word, 0, uint32(g.me)+1)
}

func (g *guards) release(rank int) { shm.StoreRel32(g.word(rank, fast.BlockGuard), 0) }

// backoff waits a moment after the n-th look in vain at something that others hold shortly.
func (g *guards) backoff(n int) error {
	if n < g.looks {
		shm.Pause(guardPause)
		return nil
	}
	shm.Yield()
	if n%aliveYields == 0 {
		return g.space.engine.AliveIn(g.group)
	}
	return nil
}

// acquireBulk takes a rank's guard. If the elements are such as atomic instructions change as well,
// it also waits until nobody does so any more.
func (g *guards) acquireBulk(rank int, atomics bool) error {
	if err := g.acquire(rank); err != nil || !atomics {
		return err
	}
	return g.keepAway(rank)
}

// keepAway is the second half of that, for the guard's holder. The guard is given back when it fails.
func (g *guards) keepAway(rank int) error {
	atomic.StoreUint32(g.word(rank, fast.BlockBulk), 1) // a full fence; pairs with Changing
	for r := range g.n {
		busy := shm.Next32(g.line(rank, r), fast.LineBusy)
		for n := 0; atomic.LoadUint32(busy) != 0; n++ {
			if err := g.backoff(n); err != nil {
				g.releaseBulk(rank)
				return err
			}
		}
	}
	return nil
}

func (g *guards) releaseBulk(rank int) {
	shm.StoreRel32(g.word(rank, fast.BlockBulk), 0)
	g.release(rank)
}
