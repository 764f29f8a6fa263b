package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// How a wait goes by. There are three steps: looks with a pause in between, looks between yields, sleep.
// This package takes the first two, package p2p some more of them and the third (docs/design.md, decision
// 7). How long each takes stands in shm/durations.go.

// clocked is every how many looks a wait reads the clock, for the tool interface. What is over sooner takes
// no longer for that.
const clocked = 32

// backoff lets a moment go by after that many looks in vain, the first of which is number 0, and reports
// whether it is not yet time to sleep. Of threads that share the endpoint the yields alone are clocked.
func (e *Endpoint) backoff(polls uint32) bool {
	if polls >= e.Spins {
		return polls < e.Polls && e.waitYielding()
	}
	if unlikely(polls%clocked == 0) && polls != 0 && e.Shared == 0 {
		now := clock()
		if polls != clocked {
			e.Waited += now - e.Since
		}
		e.Since = now
	}
	pause()
	return true
}

// Yield lets another runnable process have this processor, unless that has cost too long lately. It reports
// false then, and the caller would better sleep.
func (e *Endpoint) Yield() bool { return e.giveWay() != 0 }

// giveWay is Yield, and tells how long it has taken in ns; 0 when there was none.
func (e *Endpoint) giveWay() uint64 {
	begin := clock()
	if begin < atomic.LoadUint64(&e.YieldAgain) {
		return 0
	}
	yield()
	end := clock()
	took := max(end-begin, 1)
	if unlikely(took > e.YieldLimit) {
		without := took * e.YieldPause
		shm.StoreRel64(&e.YieldAgain, end+min(without, uint64(YieldLongestPause)))
	}
	return took
}

// waitYielding is Yield whose time counts as waited.
func (e *Endpoint) waitYielding() bool {
	took := e.giveWay()
	if e.Shared != 0 {
		atomic.AddUint64(&e.Waited, took)
	} else {
		e.Waited += took
	}
	return took != 0
}

// backoffUnlocked is backoff while the endpoint is in use; other threads may use it meanwhile. When the
// answer is false the endpoint is left.
func (e *Endpoint) backoffUnlocked(polls uint32) bool {
	if e.Shared == 0 {
		return e.backoff(polls)
	}
	most := e.Spins
	if atomic.AddUint32(&e.BackingOff, 1) != 1 {
		most = min(most, e.Together)
	}
	unlock(e)
	again := true
	if polls < most {
		pause()
	} else {
		again = polls < e.Polls && e.waitYielding()
	}
	atomic.AddUint32(&e.BackingOff, ^uint32(0))
	return again && tryLock(e)
}
