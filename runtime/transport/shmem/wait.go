package shmem

import (
	"sync/atomic"
	"time"

	"gompi/shm"
)

// waitPolicy says how a rank that has nothing to do waits: first it polls, because a message that is under
// way arrives within a microsecond; then it lets others run; in the end it sleeps on its doorbell and uses no
// processor.
//
//	polls   while n < spin: a pause between polls
//	yields  while n < yield: sched_yield between polls
//	        none for a while after one that took too long (fast.Endpoint.Yield)
//	naps    from then on: the first one short (see shm.Bell), each later one four times as long
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

// Spin implements transport.Provider.
func (p *Provider) Spin(n int) bool {
	switch {
	case n >= p.wait.yield:
		return false
	case n >= 0 && n < p.wait.spin:
		shm.Pause(1)
	case !p.wait.crowded && (n == p.wait.spin || n < 0 && n%often == 0) && shm.Together(p.seg, p.n, p.me):
		return false
	default:
		return p.endpoint.Yield()
	}
	return true
}

// often is how many yields for a large message go by from one look at where the others wait to the next.
const often = 64

// Arm implements transport.Provider.
func (p *Provider) Arm(starving []int) (mark uint32) {
	for _, peer := range starving {
		if tx := &p.ends[peer].Tx; !tx.Starving() {
			tx.Starve()
			p.starving = append(p.starving, peer)
		}
	}
	p.sleepers++
	p.mark = max(p.mark+1, 1)
	p.bell.Arm(p.mark)
	return p.mark
}

// Pending implements transport.Provider.
func (p *Provider) Pending(starving []int) bool {
	for _, peer := range starving {
		if p.ends[peer].Tx.Room() {
			return true
		}
	}
	_, pk, _ := p.Poll()
	return pk != nil
}

// Sleep implements transport.Provider.
func (p *Provider) Sleep(mark uint32, n int) { p.bell.Sleep(mark, napTime(max(0, n-p.wait.yield))) }

// LongNap implements transport.Provider.
func (p *Provider) LongNap(n int) bool {
	return p.bridges != nil && napTime(max(0, n-p.wait.yield)) >= watchNap
}

// watchNap is the length of naps from which on a rank looks after each whether processes of other jobs live.
const watchNap = 50 * time.Millisecond

// Disarm implements transport.Provider. The bell has one word for all threads of the process: what is
// announced stays as long as one of them sleeps. If each that is awake woke the others, they would never
// rest.
func (p *Provider) Disarm() {
	if p.sleepers--; p.sleepers > 0 {
		return
	}
	p.bell.Disarm()
	for _, peer := range p.starving {
		p.ends[peer].Tx.Fed()
	}
	p.starving = p.starving[:0]
}

// Glance implements transport.Provider.
func (p *Provider) Glance() {
	const every = 8
	if p.wait.crowded && atomic.AddUint32(&p.glances, 1)%every == 0 {
		p.endpoint.Yield()
	}
}

// Wake implements transport.Provider.
func (p *Provider) Wake() {
	if p.sleepers > 0 {
		p.bell.Wake()
	}
}

// Nudge implements transport.Provider.
func (p *Provider) Nudge() { p.bell.Wake() }

func napTime(n int) time.Duration {
	return min(shm.FirstNap<<(2*min(n, 10)), shm.LongestNap)
}
