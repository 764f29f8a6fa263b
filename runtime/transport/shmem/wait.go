package shmem

import (
	"sync/atomic"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// waitPolicy says how a rank that has nothing to do waits: first it polls, because a message that is under
// way arrives within a microsecond; then it lets others run; in the end it sleeps on its doorbell and uses no
// processor.
//
//	polls   while n < spin: a pause between polls
//	yields  while n < yield: sched_yield between polls
//	        none for a while after one that took too long (fast.Endpoint.Yield)
//	naps    from then on: short ones (see shm.Bell), each that nobody ends four times as long as the last
//
// Where every rank has a core, spinning is free and yielding helps nobody, unless two of them are on one core
// all the same: then one sleeps at once (shm.Together). Where ranks share cores, the message that a rank
// waits for is sent by a rank that waits for this core: it yields at once. The stubs in C take the first two
// steps in the same way before they leave a wait to Go (fast.Endpoint.Spins and Polls).
type waitPolicy struct {
	spin, yield int
	crowded     bool // ranks share cores
}

func newWaitPolicy(ranks, cores, spin int) waitPolicy {
	w := waitPolicy{spin: shm.Polls(shm.SpinCrowded), crowded: true}
	yields := 192
	if ranks <= cores {
		w, yields = waitPolicy{spin: shm.Polls(shm.SpinAlone)}, 100
	}
	if spin > 0 {
		w.spin = spin
	}
	w.yield = w.spin + yields
	return w
}

// Waiter implements transport.Waiter: a rank sleeps on its doorbell, which all ring that can end its sleep.
type Waiter struct {
	policy   waitPolicy
	seg      *shm.Segment
	me, n    int            // node rank, ranks on the node
	endpoint *fast.Endpoint // which knows what yields take
	bell     shm.Bell
	sleepers int    // threads between Arm and Disarm
	mark     uint32 // with which the last of them has armed
	glances  uint32
}

var _ transport.Waiter = (*Waiter)(nil)

// Spin implements transport.Waiter.
func (w *Waiter) Spin(n int) bool {
	switch {
	case n >= w.policy.yield:
		return false
	case n >= 0 && n < w.policy.spin:
		shm.Pause(1)
	case !w.policy.crowded && (n == w.policy.spin || n < 0 && n%often == 0) &&
		shm.Together(w.seg, w.n, w.me):
		return false
	default:
		return w.endpoint.Yield()
	}
	return true
}

// often is how many yields for a large message go by from one look at where the others wait to the next.
const often = 64

// Glance implements transport.Waiter.
func (w *Waiter) Glance() {
	const every = 8
	if w.policy.crowded && atomic.AddUint32(&w.glances, 1)%every == 0 {
		w.endpoint.Yield()
	}
}

// Arm implements transport.Waiter.
func (w *Waiter) Arm() (mark uint32) {
	w.sleepers++
	w.mark = max(w.mark+1, 1)
	w.bell.Arm(w.mark)
	return w.mark
}

// Sleep implements transport.Waiter.
func (w *Waiter) Sleep(mark uint32, naps int) time.Duration {
	nap := napTime(naps)
	w.bell.Sleep(mark, nap)
	return nap
}

// Disarm implements transport.Waiter. The bell has one word for all threads of the process: what is announced
// stays as long as one of them sleeps. If each that is awake woke the others, they would never rest.
func (w *Waiter) Disarm() (last bool) {
	if w.sleepers--; w.sleepers > 0 {
		return false
	}
	w.bell.Disarm()
	return true
}

// Wake implements transport.Waiter.
func (w *Waiter) Wake() {
	if w.sleepers > 0 {
		w.bell.Wake()
	}
}

// Nudge implements transport.Waiter.
func (w *Waiter) Nudge() { w.bell.Wake() }

func napTime(naps int) time.Duration {
	return min(shm.FirstNap<<(2*min(naps, 10)), shm.LongestNap)
}
