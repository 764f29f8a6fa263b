package shm

import (
	"sync"
	"time"
)

// How long a wait takes each of its steps. What spins is counted in polls by those who wait (see Polls): a
// look and one instruction that tells the processor so, which takes a tenth of the time on some processors
// that it takes on others.
const (
	// Polls before a rank sleeps that has a processor of its own: as long as it takes to fall asleep and to
	// be woken, where that takes long, such as in a virtual machine. So a wait takes at most twice as long as
	// it has to. A rank that finds another one on its processor after SpinApart moves away (fast.SharesCore).
	// Where wake-ups are found to take longer, polls go on for longer, up to SpinMost (fast.Endpoint.Learn).
	SpinAlone = 50 * time.Microsecond
	SpinMost  = 500 * time.Microsecond
	SpinApart = 2200 * time.Nanosecond

	// Polls before the first yield: where ranks share processors; and where several threads of a rank call,
	// which may share one.
	SpinCrowded = 176 * time.Nanosecond
	SpinThreads = 4400 * time.Nanosecond

	// The same while other threads of the rank wait as well: several may be on one processor, and one of them
	// may have something to do.
	SpinTogether = 88 * time.Nanosecond

	// For a lock, which is held for less than a microsecond as a rule, before a thread sleeps; and for that
	// of an endpoint before it yields.
	SpinMutex = 7200 * time.Nanosecond
	SpinLock  = 2200 * time.Nanosecond

	// For a target of one-sided operations to carry out an active message, which takes a little longer than
	// to copy without it: where it waits inside MPI, and where not, as it may be about to. And for the next
	// message of a rank, one of whose messages was carried out: it often asks again at once.
	SpinTarget       = 4400 * time.Nanosecond
	SpinTargetAbsent = 1100 * time.Nanosecond
	SpinNextMessage  = 220 * time.Nanosecond

	// For the guard of a window's rank before a yield: it is held for as long as some elements take.
	SpinGuard = 5600 * time.Nanosecond

	// Sleep. FirstNap bounds the delay of a wake-up that was lost between a peer's store and its load (see
	// Bell). LongestNap bounds every later nap; it is there for faults outside the protocol, such as a
	// stopped launcher. Each nap that nobody ends is NapGrowth times as long as the last. They are few,
	// because a rank that looks around goes through Go as a rule, whose monitor then runs for some 10 ms.
	FirstNap   = 200 * time.Microsecond
	LongestNap = 2 * time.Second
	NapGrowth  = 8
)

// Polls is how many polls take that long on this processor, at least one.
func Polls(d time.Duration) int { return max(1, int(d/pollCost())) }

// pollCost is what a poll takes on this processor.
var pollCost = sync.OnceValue(measurePoll)

// measurePoll measures that. Of several measurements the shortest is right: the thread may lose its processor
// during the others.
func measurePoll() time.Duration {
	const tries, pauses, look = 4, 32, 3 // ns of a look
	least := ^uint64(0)
	for range tries {
		begin := Now()
		for range pauses {
			Pause(1)
		}
		least = min(least, Now()-begin)
	}
	return look + time.Duration(least)/pauses
}
