package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// How a wait goes by. There are three steps: looks with a pause in between, looks between yields, sleep
// (docs/design.md, decision 7). Package p2p takes the same ones in Go. How long each takes stands in
// shm/durations.go.

// Waits is for how long waits look, and the doorbell at which they sleep.
type Waits struct {
	Polls     uint32 // how often to look before a wait sleeps
	Spins     uint32 // how often to look before others are let run in between
	SpinLeast uint32 // what Spins was set to
	Together  uint32 // Spins while other threads wait as well
	Adapts    uint32 // 1: Spins follows from wake-ups: the rank has its own processor
	Armed     uint32 // 1: Bell is armed
	Naps      uint32 // how often this wait has slept in a row without being woken
	// threads that wait and have left the endpoint for a moment
	BackingOff uint32
	Bell       *uint32 // the own doorbell
	Rung       *uint64 // when somebody has rung it last
	WakeTime   uint64  // what a wake-up takes, in ns
	Rested     uint64  // when this wait fell asleep that nobody has ended since, in ns of a shm.Clock
	// how often to look whether a target has carried out an active message: if it waits inside MPI, and if
	// not
	TargetPolls, AbsentPolls uint32
}

// clocked is every how many looks a wait reads the clock, for the tool interface. What is over sooner takes
// no longer for that.
const clocked = 32

// pollsPerYield is every how many looks a rank that has a processor of its own yields: the rank that it waits
// for may have been woken on this very processor.
const pollsPerYield = 256

// backoff lets a moment go by after that many looks in vain, the first of which is number 0, and reports
// whether it is not yet time to sleep. Of threads that share the endpoint the yields alone are clocked.
func (e *Endpoint) backoff(polls uint32) bool {
	if polls >= e.Spins {
		return polls < e.Polls && e.waitYielding()
	}
	if unlikely(polls%clocked == 0) && (polls|e.Armed|e.Naps) != 0 && !e.spinning(polls) {
		return false
	}
	pause()
	return true
}

// spinning does what a wait does from time to time while it looks.
//
//fast:cold
func (e *Endpoint) spinning(polls uint32) bool {
	if polls == 0 {
		e.disarm()
		e.Naps = 0
		return true
	}
	if e.Shared == 0 {
		now := clock()
		if polls != clocked {
			e.Waited += now - e.Since
		}
		e.Since = now
	}
	if e.Adapts != 0 && polls%pollsPerYield == 0 && !e.Yield() && polls >= e.SpinLeast {
		return false
	}
	return !e.farAwaited() && e.Partial == 0 && (polls != e.Apart || !e.SharesCore())
}

// rest is backoff that sleeps in the end, for waits for what rings this rank's doorbell. A call that finds
// the bell not armed arms it, and the next one sleeps: what is to be seen is looked at in between. It
// reports false where package p2p has to go on with the wait.
func (e *Endpoint) rest(polls uint32) bool {
	return e.backoff(polls) || polls >= e.SpinLeast && e.nap()
}

// nap is that step. This package sleeps as long as package p2p has nothing to look after meanwhile.
//
//fast:cold
func (e *Endpoint) nap() bool {
	if (e.Sending|e.Copying|e.Serving|e.Queued|e.Watched|e.Collectives|e.Partial|e.Shared) != 0 ||
		e.Open != Opened {
		e.disarm()
		return false
	}
	if e.Armed == 0 {
		e.Armed = 1
		atomic.StoreUint32(e.Bell, 1)
		fence()
		return true
	}
	began := clock()
	if e.Naps == 0 {
		e.Rested = began
	}
	sleep(e.Bell, 1, NapTime(e.Naps))
	took := clock() - began
	e.Sleeps++
	e.Asleep += took
	e.Waited += took
	e.Naps++
	if atomic.LoadUint32(e.Bell) == 0 {
		e.Naps = 0 // somebody has rung
		e.Learn(e.WokenIn(began))
	}
	e.disarm()
	if atomic.LoadUint32(e.Asked) != e.Told { // package p2p says what the call waits for
		e.Handed = e.Rested
		e.HandedAt = clock()
		return false
	}
	return e.heardAll()
}

// heardAll reports whether package p2p knows of each death of which this node has been told.
func (w *Work) heardAll() bool { return atomic.LoadUint32(w.Epoch) == w.Heard }

// disarm takes the announcement back that this rank sleeps.
func (w *Waits) disarm() {
	if w.Armed != 0 {
		w.Armed = 0
		atomic.StoreUint32(w.Bell, 0)
	}
}

// NapTime is how long a sleep takes at most, in ns, after so many that nobody has ended.
func NapTime(naps uint32) uint64 {
	nap := uint64(shm.FirstNap)
	for ; naps > 0 && nap < uint64(shm.LongestNap); naps-- {
		nap *= uint64(shm.NapGrowth)
	}
	return min(nap, uint64(shm.LongestNap))
}

// Yield lets another runnable process have this processor, unless that has cost too long lately. It reports
// false then, and the caller would better sleep.
func (n *Node) Yield() bool { return n.giveWay() != 0 }

// giveWay is Yield, and tells how long it has taken in ns; 0 when there was none.
func (n *Node) giveWay() uint64 {
	begin := clock()
	if begin < atomic.LoadUint64(&n.YieldAgain) {
		return 0
	}
	yield()
	end := clock()
	took := max(end-begin, 1)
	if unlikely(took > n.YieldLimit) {
		n.longYield(end)
	}
	return took
}

// longYield decides whether there are yields after a long one that has ended at that time.
//
//fast:cold
func (n *Node) longYield(end uint64) {
	pause := uint64(YieldLongestPause)
	if n.Crowded != 0 {
		passed := end - n.LookedAt
		if passed < uint64(YieldLeastWindow) {
			return
		}
		ran := n.RanksRan
		n.LookedAt, n.RanksRan = end, n.ranksTime()
		if passed > uint64(YieldMostWindow) {
			return
		}
		if all := passed * uint64(n.Crowded); n.RanksRan-ran >= all-all/YieldOthers {
			n.YieldPause = 0
			return
		}
		pause = min(max(2*n.YieldPause, uint64(YieldShortestPause)), pause)
		n.YieldPause = pause
	}
	shm.StoreRel64(&n.YieldAgain, end+pause)
}

// ranksTime is how long the ranks of this node have run on all processors together, in ns.
func (n *Node) ranksTime() uint64 {
	ran := uint64(0)
	for r := uint32(0); r < n.N; r++ {
		ran += processTime(atomic.LoadUint32(shm.Next32(n.Pids, r*(shm.RankStride/4))))
	}
	return ran
}

// waitYielding is Yield whose time counts as waited.
func (e *Endpoint) waitYielding() bool {
	took := e.giveWay()
	if e.Shared != 0 {
		atomic.AddUint64(&e.Waited, took)
	} else {
		e.Waited += took
	}
	return took != 0 && !e.farAwaited() && e.Partial == 0
}

// restUnlocked is rest while the endpoint is in use; other threads may use it meanwhile. When the answer is
// false the endpoint is left.
func (e *Endpoint) restUnlocked(polls uint32) bool {
	if e.Shared == 0 {
		return e.rest(polls)
	}
	most := e.Spins
	if atomic.AddUint32(&e.BackingOff, 1) != 1 {
		most = min(most, e.Together)
	}
	e.Release()
	again := true
	if polls < most {
		pause()
	} else {
		again = polls < e.Polls && e.waitYielding()
	}
	atomic.AddUint32(&e.BackingOff, ^uint32(0))
	return again && e.tryLock()
}
