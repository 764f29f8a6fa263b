// Package state is what a rank tells the launcher when it is asked what it waits for, and its form in shared
// memory. The launcher and the library share it. It knows words and numbers alone: what they mean is said by
// those who write them, and put together by launch/hang.
package state

// Rank is what one rank tells.
type Rank struct {
	Now     uint64 // when it was written, in ns of shm.Now
	Threads uint32 // 1 when other threads of the program matter: they may call MPI, or have to
	// Frames that it has sent to ranks of other machines, and taken from them, modulo 2^32. Those of all
	// ranks tell whether anything is under way.
	Sent, Taken uint32
	Comms       []Comm // that the others name by their index here
	Waits       []Wait // one for each thread that waits
	Messages    []Message
	Left        uint32 // messages left out
	Locks       []Lock // that it holds
}

// Shift moves all times by so many ns, modulo 2^64, to those of another clock. What was before that began is
// its first moment.
func (r *Rank) Shift(by uint64) {
	moved := func(t uint64) uint64 {
		if t == 0 {
			return 0
		}
		return uint64(max(1, int64(t+by)))
	}
	r.Now = moved(r.Now)
	for i := range r.Waits {
		r.Waits[i].Since, r.Waits[i].Still = moved(r.Waits[i].Since), moved(r.Waits[i].Still)
	}
}

// Comm is a communicator, or the ranks of a window.
type Comm struct {
	Name    string
	Number  uint32 // of its contexts, the same on all ranks
	Rank    int32  // own rank in it
	Inter   bool
	Members []Span // in the order of their ranks
	Targets []Span // to whom messages go, if those are others
}

// Span is processes that follow each other evenly.
type Span struct {
	Job                 string // identity of their job, "" for that of the rank that tells
	First, Step, Length int32
}

// Wait is what one thread waits for.
type Wait struct {
	Thread uint32 // its number, as the system calls it in the rank's process
	Call   string // the MPI function
	Caller uint64 // the address behind the call of it, in that process; 0 when it is not known
	Since  uint64 // when it fell asleep, or asked in vain first, in ns of shm.Now
	Any    bool   // one of the needs will do
	Asks   uint32 // of a thread that polls: how often it has asked in vain since then; 0 for one that sleeps
	Still  uint64 // since when its process does nothing but that, in ns of shm.Now; 0 when that is not known
	Needs  []Need
}

// Kind says what a need is.
type Kind uint8

// Kinds of needs.
const (
	Other      Kind = iota // as Text says
	Receive                // a message
	Send                   // the receiver of a message
	Probe                  // a message, to look at
	Collective             // other ranks' part in a collective operation
	Window                 // other ranks' synchronization of a window
	WindowLock             // the lock of a rank of a window
	Elsewhere              // something that others than ranks of this job may bring about, as Text says
	Partition              // a partition of a message
	Completion             // what another thread of the program has to end, by the function that Text names
)

// Need is one thing that a thread waits for.
type Need struct {
	Kind  Kind
	Comm  uint32 // index in Comms
	Peer  int32  // rank in Comm, -1 for any
	Tag   int32  // AnyTag for any
	Bytes int64  // -1 when it is not known
	Count int64  // of elements of a type
	Type  string // "" when that is not known
	Sync  bool   // sends: in synchronous mode, or its data is still to be fetched
	Full  bool   // sends: there is no room yet to announce it

	// Collective operations:
	Name   string
	Root   int32 // -1 where there is none
	Op     string
	Number uint64  // how many have begun on this communicator; 0 when it is not known
	Absent []int32 // ranks in Comm whose part is missing; empty when it is not known whose

	Text string
}

// OfComm reports whether a need is about a communicator.
func (n *Need) OfComm() bool {
	return n.Kind != Other && n.Kind != Elsewhere && n.Kind != Completion
}

// AnyTag stands for any tag, AnySource for any rank, NoRoot for no root.
const (
	AnyTag    = -2
	AnySource = -1
	NoRoot    = -1
)

// Message is one that no receive was posted for.
type Message struct {
	Comm  uint32
	Src   int32 // rank in Comm
	Tag   int32
	Bytes int64
}

// Lock is a lock of a window that the rank holds.
type Lock struct {
	Comm      uint32 // the window with its ranks
	Target    int32
	Exclusive bool
}
