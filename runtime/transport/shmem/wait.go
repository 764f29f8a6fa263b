package shmem

import (
	"sync/atomic"
	"time"

	"gompi/runtime/fast"
	"gompi/runtime/transport"
	"gompi/shm"
)

// waitPolicy says how a rank that has nothing to do waits: first it polls, because a message that is under
// way arrives within a microsecond; then it lets others run; in the end it sleeps on its doorbell and uses
// no processor.
//
//	polls   while n < spin: a pause between polls
//	yields  while n < yield: sched_yield between polls
//	        none for a while after one that took too long (fast.Endpoint.Yield)
//	naps    from then on: short ones (see shm.Bell), each that nobody ends four times as long as the last
//
// Where every rank has a core there are no yields. A rank that another program keeps from its core is back
// soon, or not for milliseconds, so its peers poll for about as long as a wake-up takes. A rank that has
// slept comes before the other program when it is woken, which one that has yielded does not. Two ranks that
// find themselves on one core part (fast.Endpoint.SharesCore).
//
// Where ranks share cores, the message that a rank waits for is sent by a rank that waits for this core: it
// yields at once. Threads of one rank may share a core as well. The fast engine waits by the same policy.
type waitPolicy struct {
	spin, yield int
	apart       int // after how many polls to look whether another rank is on this core; 0 for never
	stay        int // pauses that are a poll of a rank that stays awake
}

func newWaitPolicy(ranks, cores, spin int, threads bool) waitPolicy {
	w := waitPolicy{spin: shm.Polls(shm.SpinAlone), stay: shm.Polls(stayPoll)}
	yields := 0
	switch {
	case ranks > cores:
		w.spin, yields = shm.Polls(shm.SpinCrowded), 192
	case threads:
		w.spin, yields = shm.Polls(shm.SpinThreads), 100
	}
	if spin > 0 {
		w.spin = spin
	}
	if w.yield = w.spin + yields; ranks <= cores {
		w.apart = min(w.spin-1, shm.Polls(shm.SpinApart))
	}
	return w
}

// stayPoll is how long a poll takes of a rank that stays awake for a large message: as long as 4 KiB of it
// take to copy.
const stayPoll = 400 * time.Nanosecond

// apply has the fast engine wait by the policy.
func (w *waitPolicy) apply(e *fast.Endpoint) {
	e.Spins, e.Polls = uint32(w.spin), uint32(w.yield)
	e.SetApart(uint32(w.apart))
}

// Waiter implements transport.Waiter: a rank sleeps on its doorbell, which all ring that can end its sleep.
type Waiter struct {
	policy   waitPolicy
	endpoint *fast.Endpoint // which knows what yields take, and who waits on which core
	bell     shm.Bell
	sleepers int    // threads between Arm and Disarm
	mark     uint32 // with which the last of them has armed
	glances  uint32
}

var _ transport.Waiter = (*Waiter)(nil)

// Spin implements transport.Waiter.
func (w *Waiter) Spin(n int) bool {
	switch p := &w.policy; {
	case n >= p.yield:
		return false
	case n == p.apart && n > 0 && w.endpoint.SharesCore():
		return w.endpoint.MoveApart()
	case n < 0 && p.spin == p.yield:
		shm.Pause(uint32(p.stay))
	case n >= 0 && n < p.spin:
		shm.Pause(1)
	default:
		return w.endpoint.Yield()
	}
	return true
}

// Glance implements transport.Waiter.
func (w *Waiter) Glance() {
	const every = 8
	if w.policy.apart == 0 && atomic.AddUint32(&w.glances, 1)%every == 0 {
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
	nap := time.Duration(fast.NapTime(uint32(naps)))
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
