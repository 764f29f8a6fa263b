//fast:go

package fast

import "gompi/shm"

// What needs the system, or is not translated yet. The C stubs have functions of the same names.

// wake wakes the owner of a bell.
//
//fast:extern
func wake(bell *uint32) { shm.BellAt(bell).Wake() }

// tryLock tries to take the lock of an endpoint that several threads share. It gives up soon.
//
//fast:extern
func tryLock(e *Endpoint) bool {
	e.Lock.Lock()
	return true
}

// unlock gives it back.
//
//fast:extern
func unlock(e *Endpoint) { e.Lock.Unlock() }

// reenter takes it, however long that takes.
//
//fast:extern
func reenter(e *Endpoint) {
	if e.Shared != 0 {
		e.Lock.Lock()
	}
}

// clock is the time in ns.
//
//fast:extern
func clock() uint64 { return shm.Now() }

// yield is sched_yield.
//
//fast:extern
func yield() { shm.Yield() }

// pause tells the processor that this is a loop of looks.
//
//fast:c fast_pause()
func pause() { shm.Pause(1) }

// fence makes all that this thread has written visible to all processors before it reads anything that
// follows.
//
//fast:c fast_full_fence()
func fence() { shm.Fence() }
