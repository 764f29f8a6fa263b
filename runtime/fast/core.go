package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Two ranks that wait on one processor have work for one each. The kernel moves none of them for long: it
// sees two that run half of the time each. So a rank that waits writes down on which processor, and who finds
// another rank there moves to a processor on which no rank waits, even where other programs keep that one
// busy.

// SharesCore reports whether another rank of the node waits on the processor of this thread; if none does, it
// notes that this rank does.
//
//fast:cold
func (e *Endpoint) SharesCore() bool {
	core, own := currentCore()%shm.CoreWords, e.Me+1
	last := atomic.LoadUint32(&e.Core)
	if core != last {
		atomic.CompareAndSwapUint32(shm.Next32(e.Cores, last), own, 0)
		atomic.StoreUint32(&e.Core, core)
	}
	at := shm.Next32(e.Cores, core)
	if atomic.LoadUint32(at) == own {
		return false
	}
	return !atomic.CompareAndSwapUint32(at, 0, own)
}
