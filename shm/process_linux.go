package shm

import "golang.org/x/sys/unix"

// ProcessTime is how long a process has run on all processors together, in ns; 0 when there is no such
// process.
func ProcessTime(pid int) uint64 {
	const scheduled = 2 // what the kernel counts when it switches, as clock_getcpuclockid has it
	var t unix.Timespec
	if pid == 0 || unix.ClockGettime(int32(^pid<<3|scheduled), &t) != nil {
		return 0
	}
	return uint64(t.Nano())
}
