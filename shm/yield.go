package shm

import (
	"sync/atomic"
	"time"
)

// Where other programs keep all processors busy, a yield is dear: the kernel takes it as consent to let them run for
// milliseconds, each of several in turn, and two ranks that both yield hardly ever run at the same time. Who sleeps
// instead is owed that time, and soon runs when it is woken. With four busy programs on two cores, 8 bytes one way
// took 4000 us with yields.
const (
	YieldTooLong = 500 * time.Microsecond // a yield that takes longer has let something else in than ranks that poll
	YieldPenalty = time.Second            // for how long there are none afterwards

	// The same where several threads of a rank call: one of them may have had the processor for its share, some 3 ms.
	YieldSharedTooLong = 4 * time.Millisecond
)

// Yield lets another runnable process have this processor, unless that has cost too long lately. It returns false then, and
// the caller would better sleep. Ranks that share processors always yield: what takes long may be one of them. The C stubs have the same function.
func (l *Lane) Yield() bool {
	if l.Crowded != 0 {
		Yield()
		return true
	}
	begin := uint64(time.Now().UnixNano())
	if begin-atomic.LoadUint64(&l.Robbed) < uint64(YieldPenalty) {
		return false
	}
	Yield()
	most := YieldTooLong
	if l.Shared != 0 {
		most = YieldSharedTooLong
	}
	if end := uint64(time.Now().UnixNano()); end-begin > uint64(most) {
		atomic.StoreUint64(&l.Robbed, end)
	}
	return true
}
