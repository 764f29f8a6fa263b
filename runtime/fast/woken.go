package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// A rank that has a processor of its own polls for about as long as a wake-up takes before it sleeps. On a
// virtual machine that may change by a factor of ten with what the host has to do. Two ranks that send each
// other messages would both sleep each time once a wake-up takes longer than they poll, and never stop.

// WokenIn is what the wake-up of a sleep has taken, in ns, that began at a time and has ended now; 0 when
// nobody has rung.
func (w *Waits) WokenIn(began uint64) uint64 {
	rung := atomic.LoadUint64(w.Rung)
	now := clock()
	if rung < began || rung >= now {
		return 0
	}
	return now - rung
}

// Learn has waits poll for one and a half times as long as wake-ups take, of which one has taken took ns; 0
// for none. One that takes long counts for more than one that does not, as some take much longer than most.
//
//fast:cold
func (w *Waits) Learn(took uint64) {
	const rise, fall = 2, 8
	if took == 0 || w.Adapts == 0 {
		return
	}
	took = min(took, uint64(shm.SpinMost))
	wake := atomic.LoadUint64(&w.WakeTime)
	if took > wake {
		wake += (took - wake) / rise
	} else {
		wake -= (wake - took) / fall
	}
	atomic.StoreUint64(&w.WakeTime, wake)
	w.Spins = uint32(uint64(w.SpinLeast) * w.SpinTime() / uint64(shm.SpinAlone))
	w.Polls = w.Spins
}

// SpinTime is how long such a rank polls before it sleeps, in ns.
func (w *Waits) SpinTime() uint64 {
	wake := atomic.LoadUint64(&w.WakeTime)
	return min(max(wake+wake/2, uint64(shm.SpinAlone)), uint64(shm.SpinMost))
}
