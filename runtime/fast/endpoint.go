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
	Open      uint32    // see below
	Shared    uint32    // 1: several threads may call
	Lock      shm.Mutex // taken only if Shared
	Me, N     uint32    // node rank, ranks on the node
	Eager     uint32    // largest message that goes with its header, in bytes
	Queued    uint32    // peers for which packets wait in package p2p: nothing may overtake them
	Waiting   uint32    // unexpected messages, and what is in Watched
	Watched   uint32    // operations of package p2p that every call has to go on with
	Posted    uint32    // posted receives
	Active    uint32    // peers that have ever sent something
	Turn      uint32    // which active peer is looked at next
	CallWords uint32    // words in Calls
	Polls     uint32    // how often to look before a wait sleeps
	Spins     uint32    // how often to look before others are let run in between
	Apart     uint32    // after how many looks to see whether another rank waits on this processor
	Calls     *uint64   // bitmap of peers that have begun to send and are not active yet
	Order     *uint32   // node ranks of the active peers
	Peers     *Peer     // by node rank

	Requests              *Request
	RequestsMade          uint32 // how many requests there is memory for
	Bins                  *Bin   // of posted receives
	BinShift              uint32 // there are 1<<(32-BinShift) bins
	MostPosted            uint32 // receives posted until there have to be more bins
	Wild                  uint32 // posted receives with a wildcard
	WildSources, WildTags uint32 // those of them from anybody with one tag, and from one rank with any tag
	TypedPosted           uint32 // posted receives that name the record of a datatype
	Postings              uint64 // receives posted so far
	Free                  uint32 // the first free request; RequestsMade when there is none
	Idle                  uint32 // tests that found nothing

	MessagesMade uint32           // how many messages there are chunks for
	FreeMessage  uint32           // the first free one; MessagesMade when there is none
	MessageBins  *Bin             // of references
	MessageShift uint32           // there are 1<<(32-MessageShift) of them
	MostFiled    uint32           // messages filed until there have to be more bins
	AskedFor     [KeyKinds]uint32 // 1: messages are filed under keys of that kind; [0]: of any other
	Unmatched    uint32           // synchronous sends whose receive has not been found
	Unexpected   uint32           // messages that are filed
	MostEver     uint32           // the most that were
	Arrivals     uint64           // messages filed so far
	MostKept     uint64           // see Kept
	Buffers      pieces           // data of messages
	Observed     uint32           // 1: a tool is to hear of every unexpected message

	BackingOff uint32  // threads that wait and have left the endpoint for a moment
	Crowded    uint32  // how many processors the ranks of the node share, if they are fewer
	Pids       *uint32 // shm.RankPid of the first rank
	YieldLimit uint64  // a yield that takes longer is a long one, in ns
	LookedAt   uint64  // when this rank looked last at who has had the processors, in ns of a shm.Clock
	RanksRan   uint64  // how long the ranks of the node had run by then, in ns
	YieldPause uint64  // for how long there were none the last time, in ns
	YieldAgain uint64  // there are none before that time, in ns of a shm.Clock
	Sent       uint64  // messages sent here
	SentBytes  uint64
	Sending    uint32  // sends of package p2p in flight
	Copying    uint32  // copies of package p2p: under way together with a sender, or for idle times
	Serving    uint32  // 1: package p2p looks after active messages of windows
	Armed      uint32  // 1: Bell is armed
	Naps       uint32  // how often this wait has slept in a row without being woken
	Core       uint32  // where this rank has waited last
	Cores      *uint32 // shm.HdrCores
	Bell       *uint32 // the own doorbell
	Epoch      *uint32 // moves when a rank has died
	Heard      uint32  // the failure epoch that package p2p knows
	Asked      *uint32 // number of the last report that the launcher has asked for
	Rang       *uint32 // number of the last one for which all bells have rung
	Told       uint32  // the last one that package p2p has written
	Rested     uint64  // when this wait fell asleep that nobody has ended since, in ns of a shm.Clock
	Asks       *uint32 // shm.RankAsks: how often calls of this rank have asked for something in vain
	Acts       uint64  // moves with every call that does something else, and with what has come
	Clocked    uint32  // calls that have told the time
	Handed     uint64  // the same of a wait that was left to package p2p because of a report
	HandedAt   uint64  // when that was
	Sleeps     uint64  // how often a wait has slept here
	Asleep     uint64  // ns of these
	Waited     uint64  // ns waited here, as far as the clock was looked at
	Since      uint64  // when it was looked at last in the present wait
	Chance     uint32  // the last number drawn, when Open is Random
	Rest       Rest
	FarActive  uint32 // 1: something may be under way with peers on other nodes
	FarPosted  uint32 // posted receives whose message may come from there
	FarDue     uint32 // 1: the next call into Go is to look at what they have sent
	FarLooked  uint64 // when package p2p has looked last, in ns of a shm.Clock

	// chunks of records, by the index that the handle has
	Comms      [Chunks]*Comm
	Groups     [Chunks]*Group
	Operations [Chunks]*Op
	Types      [Chunks]*Type
	Infos      [Chunks]*Info
	Retired    uint64  // handle of the object that C has freed last; the others follow by Next. 0: none
	ReadyInfos uint64  // the same for info objects that nobody has made yet; above, how often it has changed
	Parent     uintptr // what MPI_Comm_get_parent says as long as it is a communicator; 0 for none
	Facts      Facts
	Sizes      [256]uint8 // of dense predefined datatypes in bytes, by the low byte of their handles; or 0

	Windows [Chunks]*Win
	// chunks of unexpected messages, which never move
	Messages    [maxMessages / chunkMessages]*Unexpected
	Elements    [256]uint8 // kinds of element that accumulates combine here, as in Sizes
	FreedGroups uint64     // how many groups have been freed

	CollRequests   *CollRequest // by request
	Collectives    uint32       // collective operations that wait for others
	Oldest, Newest uint32       // of these, by request; NoRequest when there are none
	Kernel         uintptr      // what combines elements in Go; C has kernels of its own
	// the kind of element, by operation and datatype; 0 where it is not combined here
	Reductions [Ops][256]uint8
	LockPolls  uint32 // how often to look whether Lock is free before a yield
	Together   uint32 // Spins while other threads wait as well
	// how often to look whether a target has carried out an active message: if it waits inside MPI, and if
	// not
	TargetPolls, AbsentPolls uint32
	Rung                     *uint64         // when somebody has rung it last
	SpinLeast                uint32          // what Spins was set to
	Adapts                   uint32          // Spins follows from wake-ups: the rank has its own processor
	WakeTime                 uint64          // what a wake-up takes, in ns
	Refused                  [Reasons]uint64 // calls that were left to the engine of package p2p, by Reason
	arena                    arena
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

// Peer is the rings to and from one rank of the node.
type Peer struct {
	Bell *uint32 // see shm.Bell
	Tx   Tx      // not ready for use before Tx.Open
	Rx   Rx
	Kept Kept
}

// Kept is what this rank keeps of a peer's messages that have come before their receives.
type Kept struct {
	Bytes   uint64 // about
	Stopped uint32 // 1: package p2p has stopped the peer, because that was more than Endpoint.MostKept
}

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
func (e *Endpoint) Act() {
	if e.Shared != 0 {
		atomic.AddUint64(&e.Acts, 1)
	} else {
		e.Acts++
	}
}

// Undo takes the last Act back: the call has asked in vain.
func (e *Endpoint) Undo() {
	if e.Shared != 0 {
		atomic.AddUint64(&e.Acts, ^uint64(0))
	} else {
		e.Acts--
	}
}

// enterToAsk is enter for a call that may ask in vain. Whoever does not notes that with Act.
func (e *Endpoint) enterToAsk() bool {
	if e.Open != Opened && (e.Open != Remote || e.mayBeDue()) && !e.admits() {
		return false
	}
	return e.Shared == 0 || tryLock(e)
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
func (e *Endpoint) refuses() bool {
	e.Chance = e.Chance*1664525 + 1013904223
	return e.Chance>>31 != 0
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
			e.rouse()
		}
		unlock(e)
	}
}

// rouse wakes the progress thread, which rests, if this was the last thread that it could count on.
//
//fast:cold
func (e *Endpoint) rouse() {
	until := atomic.LoadUint32(&e.Rest.Word)
	begun := until == UntilBegun && (e.Posted|e.Collectives) != 0
	if (begun || until == UntilLeft) && e.BackingOffNow() == 0 {
		wake(&e.Rest.Word)
	}
}

// BackingOffNow is how many threads wait here and have left the endpoint for a moment.
func (e *Endpoint) BackingOffNow() uint32 { return atomic.LoadUint32(&e.BackingOff) }

// Connecting reports whether a peer has begun to send that is not active yet.
func (e *Endpoint) Connecting() bool {
	for w := uint32(0); w < e.CallWords; w++ {
		if atomic.LoadUint64(e.CallWord(w)) != 0 {
			return true
		}
	}
	return false
}

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
func (e *Endpoint) CountAsk() { atomic.StoreUint32(e.Asks, atomic.LoadUint32(e.Asks)+1) }

// Ring wakes the peer if it sleeps; otherwise it costs one load of a line that is mostly shared.
func (p *Peer) Ring() {
	if unlikely(atomic.LoadUint32(p.Bell) != 0) {
		wake(p.Bell)
	}
}
