package fast

import "sync/atomic"

// Peers on other nodes and in other jobs are reached by package p2p alone. Calls that need none of them are
// carried out here all the same, and from time to time one is left to Go, which looks first at what those
// peers have sent (Endpoint.FarDue).

// After how many ns without such a look a call is left to Go: where something is under way with those peers,
// and where nothing is, so that what comes from them is unasked for and may wait.
const (
	farPause     = 20_000
	farIdlePause = 1_000_000
)

// farCalls is every how many calls the time is looked at, where nothing is under way with those peers.
const farCalls = 64

// Far is what the calls here know of those peers.
type Far struct {
	FarActive uint32 // 1: something may be under way with them
	FarDue    uint32 // 1: the next call into Go is to look at what they have sent
	FarLooked uint64 // when package p2p has looked last, in ns of a shm.Clock
}

// mayBeDue reports whether the time is to be looked at.
//
//fast:hot
func (e *Endpoint) mayBeDue() bool {
	return atomic.LoadUint32(&e.FarActive) != 0 || atomic.LoadUint64(&e.Acts)%farCalls == 0
}

// expectFar notes that a message may come from those peers that a call waits or asks for.
func (f *Far) expectFar(c *Comm, source int32) {
	if unlikely(c.isFar(source)) {
		atomic.StoreUint32(&f.FarActive, 1)
	}
}

// farAwaited reports whether a wait goes on in Go, which looks at those peers as well.
//
//fast:cold
func (e *Endpoint) farAwaited() bool {
	return e.Open == Remote && (atomic.LoadUint32(&e.FarActive) != 0 || e.farDue(clock()))
}

// farDue reports whether, at time now, the call is left to Go, which looks then.
func (f *Far) farDue(now uint64) bool {
	pause := uint64(farPause)
	if atomic.LoadUint32(&f.FarActive) == 0 {
		pause = farIdlePause
	}
	if now-atomic.LoadUint64(&f.FarLooked) < pause {
		return false
	}
	atomic.StoreUint32(&f.FarDue, 1)
	return true
}
