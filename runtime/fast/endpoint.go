package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Endpoint is what one rank knows of its connections to the other ranks of its node: its own ends of the
// rings, its requests and posted receives, and a few counts. It is private to the rank, but stands outside
// Go's heap.
//
// An endpoint belongs to one thread at a time: where several threads may call (Shared), to the one that
// holds the lock.
type Endpoint struct {
	Access
	PeerTable
	Matcher
	Work
	Attachments
	Waits
	Node
	Far
	Asking
	Counts
	CollTable
	UnexpectedTable
	Objects
}

// Access is who may use the endpoint.
type Access struct {
	Open      uint32          // see below
	Shared    uint32          // 1: several threads may call
	Lock      uint32          // mutex.go; taken only if Shared
	LockPolls uint32          // how often to look whether Lock is free before a yield
	Acts      uint64          // moves with every call that does more than to ask, and with what has come
	Rest      Rest            // the bell of the progress thread
	Chance    uint32          // the last number drawn, when Open is Random
	Refused   [Reasons]uint64 // calls that were left to the engine of package p2p, by Reason
}

// Work is what package p2p has under way, which the calls here have to know of.
type Work struct {
	Queued  uint32 // peers for which packets wait in package p2p: nothing may overtake them
	Watched uint32 // operations of package p2p that every call has to go on with
	Sending uint32 // sends of package p2p in flight
	Copying uint32 // copies of package p2p: under way together with a sender, or for idle times
	Serving uint32 // 1: package p2p looks after active messages of windows
	Eager   uint32 // largest message that goes with its header, in bytes
	// the largest one that this package sends, in bytes; how many long ones (long.go) it receives until
	// package p2p measures the next; when it had copied the last one that it has sent, by shm.Now
	MostEager, Unmeasured uint32
	LongSent              uint64
	// messages of fewer bytes have room in the one attached buffer; 0 where each may have another one
	BufferRoom uint32
	Epoch      *uint32 // moves when a rank has died
	Heard      uint32  // the failure epoch that package p2p knows
}

// Asking is what the launcher and this rank tell each other of calls that wait or ask
// (docs/internals/hangs.md).
type Asking struct {
	Asked    *uint32 // number of the last report that the launcher has asked for
	Rang     *uint32 // number of the last one for which all bells have rung
	Told     uint32  // the last one that package p2p has written
	Asks     *uint32 // shm.RankAsks: how often calls of this rank have asked for something in vain
	Idle     uint32  // tests that found nothing
	Clocked  uint32  // calls that have told the time
	Handed   uint64  // Rested of a wait that was left to package p2p because of a report
	HandedAt uint64  // when that was
}

// Counts is what the tool interface shows of the calls that have ended here.
type Counts struct {
	Sent      uint64 // messages sent
	SentBytes uint64
	Sleeps    uint64 // how often a wait has slept
	Asleep    uint64 // ns of these
	Waited    uint64 // ns waited, as far as the clock was looked at
	Since     uint64 // when it was looked at last in the present wait
}

// Values of Endpoint.Open.
const (
	Closed uint32 = iota
	Opened        // this package may be used
	Remote        // the same, but there are peers that package p2p alone reaches (far.go)
	Random        // for tests: each call is refused or not at random
)

// Rest is the bell on which the progress thread rests while it is not needed; see shm.Bell.
type Rest struct {
	Word, unused uint32 // Word is 0 while it does not rest
	Rung         uint64
}

// Values of Rest.Word: what ends the rest.
const (
	UntilCalled uint32 = iota + 1 // package p2p alone
	UntilBegun                    // also a call that begins something here
	UntilLeft                     // also a thread that leaves: it has looked after what is under way
)

// Lowest is the address below which there is no memory.
const Lowest = shm.Lowest

// askEngine is how many tests in vain go by from one that package p2p deals with to the next: it alone
// notices that a rank has died, and lets others run.
const askEngine = 64

// enter begins to use the endpoint and reports whether that is possible now. leave ends it.
func (e *Endpoint) enter() bool {
	e.Act()
	return e.enterToAsk()
}

// Act notes that a call does something else than to ask in vain.
//
//fast:hot
func (a *Access) Act() {
	if a.Shared != 0 {
		atomic.AddUint64(&a.Acts, 1)
	} else {
		a.Acts++
	}
}

// Undo takes the last Act back: the call has asked in vain.
func (a *Access) Undo() {
	if a.Shared != 0 {
		atomic.AddUint64(&a.Acts, ^uint64(0))
	} else {
		a.Acts--
	}
}

// enterToAsk is enter for a call that may ask in vain. Whoever does not notes that with Act.
func (e *Endpoint) enterToAsk() bool {
	if e.Open != Opened && (e.Open != Remote || e.mayBeDue()) && !e.admits() {
		return false
	}
	return e.Shared == 0 || e.tryLock()
}

// admits reports whether a call may use an endpoint that is not Opened.
//
//fast:cold
func (e *Endpoint) admits() bool {
	if e.Open == Remote {
		return !e.farDue(clock())
	}
	return e.Open == Random && !e.refuses()
}

// refuses reports whether a call is refused at random. Threads may draw at once, which makes it no less
// random.
func (a *Access) refuses() bool {
	a.Chance = a.Chance*1664525 + 1013904223
	return a.Chance>>31 != 0
}

// Refuse counts a call that was not Done here.
//
//fast:cold
func (e *Endpoint) Refuse(how Reason) {
	if (how == NotPlain || how == NeedsEngine) && atomic.LoadUint32(&e.FarDue) != 0 {
		how = OtherNodes
	}
	if e.Shared != 0 {
		atomic.AddUint64(&e.Refused[how], 1)
	} else {
		e.Refused[how]++
	}
}

func (e *Endpoint) leave() {
	if e.Shared != 0 {
		if unlikely(atomic.LoadUint32(&e.Rest.Word) != 0) {
			e.wakeProgressThread()
		}
		e.Release()
	}
}

// wakeProgressThread wakes the progress thread, which rests, if this was the last one that it could count on.
//
//fast:cold
func (e *Endpoint) wakeProgressThread() {
	until := atomic.LoadUint32(&e.Rest.Word)
	begun := until == UntilBegun && (e.Posted|e.Collectives) != 0
	if (begun || until == UntilLeft) && e.BackingOffNow() == 0 {
		wake(&e.Rest.Word)
	}
}

// BackingOffNow is how many threads wait here and have left the endpoint for a moment.
func (w *Waits) BackingOffNow() uint32 { return atomic.LoadUint32(&w.BackingOff) }

// notYet reports whether a call that asks may say "not yet" without package p2p, which tells what a rank asks
// for when the launcher wants to know.
func (e *Endpoint) notYet() bool {
	e.Idle++
	if e.Idle%askEngine == 0 || atomic.LoadUint32(e.Asked) != e.Told ||
		e.Open == Remote && e.farDue(clock()) {
		return false
	}
	e.CountAsk()
	return true
}

// CountAsk counts a call that has asked in vain, where the launcher sees it.
func (a *Asking) CountAsk() { atomic.StoreUint32(a.Asks, atomic.LoadUint32(a.Asks)+1) }
