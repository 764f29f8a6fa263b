//fast:go

package fast

import (
	"time"

	"gompi/shm"
)

// Where other programs keep all processors busy, a yield is dear: the kernel takes it as consent to let
// them run for milliseconds, each of several in turn, and two ranks that both yield hardly ever run at the
// same time. Who sleeps instead is owed that time, and soon runs when it is woken.
//
// A rank that has a processor of its own yields to nobody who has a right to it, so what takes long is dear.
// Ranks that share processors yield to each other, which is the quickest way to the one that has something to
// do, however long that one computes. So after a long yield a rank looks at how much of the processors the
// ranks of its node have had since the last long one. If other programs have had a good part of them, it
// abstains from yields for a while. The while grows as long as they stay.
const (
	// a longer yield has let something else in than ranks that poll
	YieldTooLong = 500 * time.Microsecond
	// the same where several threads of a rank call, each for its share
	YieldSharedTooLong = 4 * time.Millisecond
	// the same where ranks share processors: at least, and for each rank on a processor, about what it takes
	// to wake it where other programs run
	YieldCrowdedTooLong = time.Millisecond
	YieldWakeUp         = 300 * time.Microsecond

	// over what time ranks that share processors look at who has had them. The kernel counts by ticks of up
	// to 4 ms.
	YieldLeastWindow = 20 * time.Millisecond
	YieldMostWindow  = 200 * time.Millisecond
	// the part of the processors that other programs may have: one in so many
	YieldOthers = 2

	YieldShortestPause = 64 * time.Millisecond // there are none for so long afterwards, first
	YieldLongestPause  = time.Second           // and at last, or at once where a rank has its own processor
)

// SetYields sets what yields may cost a rank of which several threads call, or that shares its processor with
// other ranks: there are ranks of them on that many cores.
func (n *Node) SetYields(shared bool, ranks, cores int) {
	n.YieldLimit, n.Crowded = uint64(YieldTooLong), 0
	switch {
	case ranks > cores:
		perCore := time.Duration((ranks + cores - 1) / cores)
		n.YieldLimit = uint64(max(YieldCrowdedTooLong, perCore*YieldWakeUp))
		n.Crowded = uint32(cores)
	case shared:
		n.YieldLimit = uint64(YieldSharedTooLong)
	}
}

// processTime is how long a process has run on all processors together, in ns; 0 when that is not known.
//
//fast:extern
func processTime(pid uint32) uint64 { return shm.ProcessTime(int(pid)) }
