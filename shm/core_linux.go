package shm

import (
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Together reports whether one of the other ranks of a node of n waits on the same processor as rank me does,
// which yields to it in vain. Both have work for a processor of their own then, but the kernel moves none as
// long as both yield: it takes some 50 ms to see that one could have another. A rank that sleeps instead is
// put on a free processor when it is woken.
//
// Each rank writes down where it waits. Who finds the other there takes that back, so that one sleeps and not
// both, and no longer than what is written holds.
func Together(s *Segment, n, me int) bool {
	var core uint32
	if _, _, e := unix.RawSyscall(unix.SYS_GETCPU, addressOf32(&core), 0, 0); e != 0 {
		return false
	}
	core++
	for r := range n {
		if w := coreOf(s, r); r != me && atomic.LoadUint32(w) == core &&
			atomic.CompareAndSwapUint32(w, core, 0) {
			return true
		}
	}
	if own := coreOf(s, me); atomic.LoadUint32(own) != core {
		atomic.StoreUint32(own, core)
	}
	return false
}

func coreOf(s *Segment, r int) *uint32 { return Word32(s.Base + RankOffset(r) + RankCore) }
