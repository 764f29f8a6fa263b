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
//	naps    from then on: short ones (see shm.Bell), each that nobody ends longer than the last
//
// Where every rank has a core, peers of a rank that another program keeps from its core poll for as long as
// wake-ups take (fast.Endpoint.Learn): it is back soon, or not for milliseconds. They yield now and then,
// because the kernel may have woken that rank on their core: where the processor that it slept on is a halted
// virtual one, the kernel may take that for a busy one. A yield lets another program in at worst, and then
// there are none for a second. A rank that has slept comes before the other program when it is woken, which
// one that has yielded does not. Two ranks that find themselves on one core part (fast.Endpoint.SharesCore).
//
// Where ranks share cores, the message that a rank waits for is sent by a rank that waits for this core: it
// yields at once. Threads of one rank may share a core as well. The fast engine waits by the same policy.
type waitPolicy struct {
	spin, yield int
	apart       int  // after how many polls to look whether another rank is on this core; 0 for never
	stay        int  // pauses that are a poll of a rank that stays awake
	adapts      bool // the endpoint knows for how long to spin
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
	w.adapts = yields == 0 && spin == 0
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
	e.SpinLeast = e.Spins
	if e.Adapts = 0; w.adapts {
		e.Adapts = 1
	}
	e.SetApart(uint32(w.apart))
}

// Waiter implements transport.Waiter: a rank sleeps on its doorbell, which all ring that can end its sleep.
type Waiter struct {
	policy   waitPolicy
	endpoint *fast.Endpoint // which knows what yields take, and who waits on which core
	bell     shm.Bell
	sleepers int    // threads between Arm and Disarm
	mark     uint32 // with which the last of them has armed
	began    uint64 // when the rank has begun to poll
	woken    uint64 // what the last wake-up has taken in ns, of which the endpoint does not know yet; or 0
	glances  uint32
}

var _ transport.Waiter = (*Waiter)(nil)

// Spin implements transport.Waiter.
func (w *Waiter) Spin(n int) bool {
	switch p := &w.policy; {
	case n >= 0 && p.adapts:
		return w.spinAlone(n)
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

// spinAlone is Spin of a rank that has a processor of its own, by the clock: a poll takes longer here than in
// the fast engine. A wait that is over within a few polls reads none. Where messages come from other machines
// it goes on for as long as any wait does: a thread that watches the network has to be woken first, and that
// is in no figure.
func (w *Waiter) spinAlone(n int) bool {
	const clocked, yields = 8, 32 // polls
	shm.Pause(1)
	if n == 0 || n%clocked != 0 {
		return true
	}
	now := shm.Now()
	if n == clocked {
		atomic.StoreUint64(&w.began, now)
		return true
	}
	waited, most := now-atomic.LoadUint64(&w.began), uint64(shm.SpinMost)
	if atomic.LoadUint32(&w.endpoint.Open) != fast.Remote {
		most = w.endpoint.SpinTime()
	}
	switch {
	case waited >= most:
		return false
	case n == yields && w.endpoint.SharesCore():
		return w.endpoint.MoveApart()
	case n%yields == 0 && !w.endpoint.Yield():
		return waited < uint64(shm.SpinAlone)
	}
	return true
}

// YieldOccasionally implements transport.Waiter.
func (w *Waiter) YieldOccasionally() {
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
func (w *Waiter) Sleep(mark uint32, most time.Duration) {
	began := shm.Now()
	w.bell.Sleep(mark, most)
	atomic.StoreUint64(&w.woken, w.endpoint.WokenIn(began))
}

// Disarm implements transport.Waiter. The bell has one word for all threads of the process: what is announced
// stays as long as one of them sleeps. If each that is awake woke the others, they would never rest.
func (w *Waiter) Disarm() (last bool) {
	w.endpoint.Learn(atomic.SwapUint64(&w.woken, 0))
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
