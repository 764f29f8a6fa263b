//fast:go

package fast

import (
	"time"

	"golang.org/x/sys/unix"

	"gompi/shm"
)

// What needs the system, or is not translated yet. The C stubs have functions of the same names.

// wake wakes the owner of a bell.
//
//fast:extern
func wake(bell *uint32) { shm.BellAt(bell).Wake() }

// futexWait sleeps until the word, which had that value, is woken.
//
//fast:extern
func futexWait(word *uint32, value uint32) { shm.FutexWait(word, value, 0) }

// futexWake wakes one thread that sleeps so.
//
//fast:extern
func futexWake(word *uint32) { shm.FutexWake(word, 1) }

// acquired and releasing tell the race detector of the lock.
//
//fast:c ((void)0)
func acquired() { shm.Acquired() }

//fast:c ((void)0)
func releasing() { shm.Releasing() }

// kernelCopy copies bytes between memory of this process and that of another one, which nobody else's id is
// that of, by the kernel. It reports false when not all has been copied.
//
//fast:extern
func kernelCopy(pid int32, local, remote uintptr, bytes uint64, write bool) bool {
	p := shm.Process{Pid: int(pid), Kept: true}
	if write {
		return p.Write(remote, local, int64(bytes)) == nil
	}
	return p.Read(local, remote, int64(bytes)) == nil
}

// inMain reports whether the calling thread is the main thread.
//
//fast:extern
func inMain(e *Endpoint) bool { return uintptr(unix.Gettid()) == e.Facts.Main }

// clock is the time in ns.
//
//fast:extern
func clock() uint64 { return shm.Now() }

// FileLength is the length of a regular file in bytes, by the quickest way; negative when there is an error.
// The call never waits, so Go's scheduler need not know of it.
//
//fast:extern
func FileLength(descriptor int32) int64 {
	n, _, errno := unix.RawSyscall(unix.SYS_LSEEK, uintptr(descriptor), 0, unix.SEEK_END)
	if errno != 0 {
		return -1
	}
	return int64(n)
}

// currentCore is the processor on which this thread runs.
//
//fast:extern
func currentCore() uint32 { return shm.Core() }

// sleep waits until the bell, which was armed with that mark, is rung, but no longer than limit ns.
//
//fast:extern
func sleep(bell *uint32, mark uint32, limit uint64) {
	shm.BellAt(bell).Sleep(mark, time.Duration(limit))
}

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
