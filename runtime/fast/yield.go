//fast:go

package fast

import "time"

// Where other programs keep all processors busy, a yield is dear: the kernel takes it as consent to let
// them run for milliseconds, each of several in turn, and two ranks that both yield hardly ever run at the
// same time. Who sleeps instead is owed that time, and soon runs when it is woken.
//
// A rank that has a processor of its own yields to nobody who has a right to it. Ranks that share
// processors yield to each other, which is the quickest way to the one that has something to do, and a
// yield is dear only when it takes longer than a time slice of each rank on the processor. So they abstain
// for a while that grows with what it has cost: a small part of their time goes that way at most. Many ranks
// that sleep and wake each other keep a processor busier than as many that yield. So what they do to each
// other must not count as dear, or they would never begin to yield again.
const (
	// a longer yield has let something else in than ranks that poll
	YieldTooLong = 500 * time.Microsecond
	// the same where several threads of a rank call, each for its share
	YieldSharedTooLong = 4 * time.Millisecond
	// the same where ranks share processors: in all at least, and for each rank on a processor, which is a
	// time slice of Linux
	YieldCrowdedTooLong = 10 * time.Millisecond
	YieldSlice          = 3 * time.Millisecond

	YieldAbstain        = 2000 // for how many times as long there are none afterwards
	YieldCrowdedAbstain = 16   // the same where ranks share processors

	YieldLongestPause = time.Second // and the longest that this may be
)

// SetYields sets what yields may cost a rank of which several threads call, or that shares its processor with
// other ranks: there are ranks of them on that many cores.
func (e *Endpoint) SetYields(shared bool, ranks, cores int) {
	e.YieldLimit, e.YieldPause = uint64(YieldTooLong), YieldAbstain
	switch {
	case ranks > cores:
		perCore := time.Duration((ranks + cores - 1) / cores)
		e.YieldLimit = uint64(max(YieldCrowdedTooLong, perCore*YieldSlice))
		e.YieldPause = YieldCrowdedAbstain
	case shared:
		e.YieldLimit = uint64(YieldSharedTooLong)
	}
}
