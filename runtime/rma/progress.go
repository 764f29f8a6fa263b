package rma

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// progress is the thread of a rank that carries out active messages while the rank computes. Windows
// have it in which some rank cannot reach the private memory of another one by single copy. It
// sleeps until an origin for which nobody has come summons it.
type progress struct {
	w       *Window
	closing atomic.Bool
	done    chan struct{}
}

// assist starts the progress thread of this rank.
func (w *Window) assist() *progress {
	a := &progress{w: w, done: make(chan struct{})}
	go a.run()
	return a
}

func (a *progress) run() {
	runtime.LockOSThread()
	debug.SetPanicOnFault(true)
	defer close(a.done)
	w := a.w
	summons := w.word(w.me, fast.BlockSummons)
	for {
		v := atomic.LoadUint32(summons) // pairs with summon
		if a.closing.Load() {
			return
		}
		for !w.empty() && !a.closing.Load() {
			if w.serve() == 0 {
				shm.Yield() // somebody holds the guard, or another thread is about it
			}
		}
		w.peers[w.me].bell.Ring() // this rank may wait for all to be carried out
		shm.FutexWait(summons, v, 0)
	}
}

// stop ends the thread. All ranks have come to the end of the window, so nobody asks any more.
func (a *progress) stop() {
	a.closing.Store(true)
	a.w.summon(a.w.me)
	<-a.done
}

// summon wakes the progress thread of a rank.
func (w *Window) summon(rank int) {
	summons := w.word(rank, fast.BlockSummons)
	atomic.AddUint32(summons, 1)
	shm.FutexWake(summons, math.MaxInt32)
}
