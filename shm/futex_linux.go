package shm

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	futexWait = 0
	futexWake = 1
)

// FutexWait sleeps while *p == v, at most for the given time; 0 means without limit. It returns early at
// will: the caller looks again. The word may be shared between processes.
//
// The system call is one that the Go scheduler knows of, so that a sleeping rank holds up no garbage
// collection.
func FutexWait(p *uint32, v uint32, limit time.Duration) {
	if limit == 0 {
		unix.Syscall6(unix.SYS_FUTEX, addressOf32(p), futexWait, uintptr(v), 0, 0, 0)
		return
	}
	ts := unix.NsecToTimespec(int64(limit))
	futexWaitTimed(p, v, &ts)
}

// FutexWake wakes up to n sleepers on p. It never blocks.
func FutexWake(p *uint32, n int) {
	unix.RawSyscall6(unix.SYS_FUTEX, addressOf32(p), futexWake, uintptr(n), 0, 0, 0)
}

// Yield lets another runnable process have this processor. It is a raw call on purpose: it returns as soon as
// the kernel schedules us again, and telling the Go scheduler twice would cost more than the switch.
func Yield() { unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
