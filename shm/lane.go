package shm

// Lane is what one rank knows of its rings: its own ends of them and a few counts. It is private to the rank, but it
// stands outside Go's heap, because the C stubs of the library send and receive small messages on it without a call
// into Go, which would take longer than the message. Their view of these structures (capi/zz_lane.h) is generated
// from the ones here.
//
// The lane belongs to one thread at a time. Go and C never work on it at once: C uses it only while it is open, and where
// several threads may call (Shared), only one that holds the lock.
type Lane struct {
	Open      uint32  // LaneOpen or LaneBridged: the stubs may use the lane
	Shared    uint32  // 1: several threads may call
	Lock      Mutex   // taken only if Shared
	Me, N     uint32  // node rank, ranks on the node
	Eager     uint32  // largest message that goes with its header, in bytes
	Queued    uint32  // peers to which packets wait for room: nothing may overtake them
	Waiting   uint32  // receives posted and messages unexpected in Go, and what is in Watched
	Watched   uint32  // operations that every call has to go on with: the lane makes no progress but its own
	Posted    uint32  // receives posted by the stubs
	Talkers   uint32  // ranks that have ever sent something
	Turn      uint32  // which talker is looked at next
	CallWords uint32  // words in Calls
	Polls     uint32  // how often to look before the waiting is left to Go
	Spins     uint32  // how often to look before others are let run in between
	Calls     *uint64 // bitmap of ranks that have begun to send and are no talkers yet
	Order     *uint32 // node ranks of the talkers
	Peers     *Peer   // by node rank
	Tickets   *Ticket
	Free      uint32 // the first free ticket; Tickets when there is none
	Idle      uint32 // tests by the stubs that found nothing
	Resting   uint32 // threads that wait and have left the lane for a moment
	Dear      uint64 // a yield that takes longer is too dear, in ns; see Lane.Yield
	Abstain   uint64 // for how many times as long there are none afterwards
	DearUntil uint64 // there are none before that time, in ns of a Clock
	Postings  uint64 // receives posted by the stubs so far
	Bins      [Bins]Bin
	Sent      uint64 // messages sent by the stubs
	SentBytes uint64
	Waited    uint64 // ns that stubs have waited, as far as they have looked at the clock
	Since     uint64 // when they looked at it last in the present wait
	Routes    [Routes]Route
	Areas     [AreaPlaces]*Area // those that the stubs may use, each in the place that the low bits of its handle say

	Boards         [AreaPlaces]*Board // likewise
	Exchanges      *Exchange          // by ticket
	Exchanging     uint32             // exchanges that wait for others
	Oldest, Newest uint32             // of these, by ticket; NoTicket when there are none
}

// Values of Lane.Open.
const (
	LaneOpen    = 1
	LaneBridged = 2 // there are peers that only Go can reach, so it is to be called now and then
)

// Peer is the rings to and from one rank of the node.
type Peer struct {
	Bell *uint32 // see type Bell
	Tx   Tx      // not ready for use before Tx.Ready
	Rx   Rx
}

// Ring wakes the peer if it sleeps.
func (p *Peer) Ring() { Bell{p.Bell}.Ring() }

// NewLane makes the lane of node rank me of n. It stays for the life of the process.
func NewLane(s *Segment, me, n int) (*Lane, error) {
	mem, err := private(laneSize(n))
	if err != nil {
		return nil, err
	}
	l := laneAt(mem, n)
	l.initBins()
	l.Oldest, l.Newest = NoTicket, NoTicket
	l.Me, l.N = uint32(me), uint32(n)
	block := s.Base + RankOffset(me)
	l.Calls, l.CallWords = Word64(block+RankCalls), uint32(n+63)/64
	for r := range l.All() {
		l.All()[r].Bell = BellOf(s, r).word
	}
	return l, nil
}
