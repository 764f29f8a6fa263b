package target

import (
	"sync/atomic"

	"gompi/runtime/am"
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

// Guards are the guards of a window's ranks, words in their blocks.
type Guards struct {
	*am.Window
	looks int // how often to look whether a guard is free before a yield
}

// NewGuards makes those of a window.
func NewGuards(w *am.Window) *Guards {
	return &Guards{w, max(1, shm.Polls(shm.SpinGuard)/guardPause)}
}

// Acquire takes a rank's guard.
func (g *Guards) Acquire(rank int) error {
	word := g.Word(rank, fast.BlockGuard)
	for n := 0; !g.try(word); n++ {
		if err := g.backoff(n); err != nil {
			return err
		}
	}
	return nil
}

// acquireSoon takes a rank's guard if it is free now or soon.
func (g *Guards) acquireSoon(rank int) bool {
	word := g.Word(rank, fast.BlockGuard)
	for range g.looks {
		if g.try(word) {
			return true
		}
		shm.Pause(guardPause)
	}
	return false
}

// try takes a guard if it is free: its word is 0 then.
func (g *Guards) try(word *uint32) bool {
	return atomic.LoadUint32(word) == 0 && atomic.CompareAndSwapUint32(word, 0, uint32(g.Rank())+1)
}

// Release gives a guard back.
func (g *Guards) Release(rank int) { shm.StoreRel32(g.Word(rank, fast.BlockGuard), 0) }

// backoff waits a moment after the n-th look in vain at something that others hold shortly.
func (g *Guards) backoff(n int) error {
	if n < g.looks {
		shm.Pause(guardPause)
		return nil
	}
	shm.Yield()
	if n%aliveYields == 0 {
		return g.Engine.AliveIn(g.Group())
	}
	return nil
}

// keepAway waits until nobody changes elements of a rank by atomic instructions any more, and keeps them away
// until letIn. The caller has the guard, which is given back when that fails.
func (g *Guards) keepAway(rank int) error {
	atomic.StoreUint32(g.Word(rank, fast.BlockBulk), 1) // a full fence; pairs with Changing
	for r := range g.Size() {
		busy := shm.Next32(g.Line(rank, r), fast.LineBusy)
		for n := 0; atomic.LoadUint32(busy) != 0; n++ {
			if err := g.backoff(n); err != nil {
				g.letIn(rank)
				g.Release(rank)
				return err
			}
		}
	}
	return nil
}

func (g *Guards) letIn(rank int) { shm.StoreRel32(g.Word(rank, fast.BlockBulk), 0) }
