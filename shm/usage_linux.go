package shm

import (
	"time"

	"golang.org/x/sys/unix"
)

// Usage is how much of its processors a process has used.
type Usage struct {
	Processor time.Duration // of all its threads
	Pauses    int64         // how often the calling thread has slept of its own will
}

// UsageNow is that of this process; zero where the system does not tell.
func UsageNow() (u Usage) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) == nil {
		u.Processor = time.Duration(t.Nano())
	}
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &r) == nil {
		u.Pauses = r.Nvcsw
	}
	return u
}

// ThreadTime is how much of its processors the calling thread has used; zero where the system does not tell.
func ThreadTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
