package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Two ranks that wait on one processor have work for one each. The kernel moves none of them for long: it
// sees two that run half of the time each. So a rank that waits writes down on which processor, and who finds
// another rank there moves to a processor on which no rank waits, even where other programs keep that one
// busy.

// Node is the node of the rank, and who has its processors.
type Node struct {
	Me, N      uint32  // node rank, ranks on the node
	Core       uint32  // where this rank has waited last
	Apart      uint32  // after how many looks to see whether another rank waits on this processor
	Crowded    uint32  // how many processors the ranks of the node share, if they are fewer
	Cores      *uint32 // shm.HdrCores
	Pids       *uint32 // shm.RankPid of the first rank
	YieldLimit uint64  // a yield that takes longer is a long one, in ns
	YieldPause uint64  // for how long there were none the last time, in ns
	YieldAgain uint64  // there are none before that time, in ns of a shm.Clock
	LookedAt   uint64  // when this rank looked last at who has had the processors, in ns of a shm.Clock
	RanksRan   uint64  // how long the ranks of the node had run by then, in ns
}

// SharesCore reports whether another rank of the node waits on the processor of this thread; if none does, it
// notes that this rank does.
//
//fast:cold
func (n *Node) SharesCore() bool {
	core, own := currentCore()%shm.CoreWords, n.Me+1
	last := atomic.LoadUint32(&n.Core)
	if core != last {
		atomic.CompareAndSwapUint32(shm.Next32(n.Cores, last), own, 0)
		atomic.StoreUint32(&n.Core, core)
	}
	at := shm.Next32(n.Cores, core)
	if atomic.LoadUint32(at) == own {
		return false
	}
	return !atomic.CompareAndSwapUint32(at, 0, own)
}
