package shm

import (
	"math/bits"

	"golang.org/x/sys/unix"
)

// Core is the processor on which this thread runs.
func Core() uint32 {
	var core uint32
	unix.RawSyscall(unix.SYS_GETCPU, addressOf32(&core), 0, 0)
	return core
}

// MoveThread moves this thread to a processor that it may use and for which free is true, and reports whether
// there is one. The thread may use the same processors as before.
func MoveThread(free func(core uint32) bool) bool {
	var allowed unix.CPUSet
	if unix.SchedGetaffinity(0, &allowed) != nil {
		return false
	}
	to := allowed
	for core := range bits.UintSize * len(to) {
		if to.IsSet(core) && !free(uint32(core)) {
			to.Clear(core)
		}
	}
	if to.Count() == 0 || unix.SchedSetaffinity(0, &to) != nil {
		return false
	}
	unix.SchedSetaffinity(0, &allowed) // which moves nothing, and cannot fail where the last one has not
	return true
}
