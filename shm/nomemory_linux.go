package shm

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// NoMemory says that the kernel has no memory or no addresses for this process.
type NoMemory struct {
	What  string // what the memory is for
	Bytes int64
	Err   error // what the kernel said
}

// Error names the limits that may be the reason.
func (e *NoMemory) Error() string {
	text := fmt.Sprintf("%s: %d bytes: %v", e.What, e.Bytes, e.Err)
	for _, l := range []struct {
		resource int
		name     string
	}{{unix.RLIMIT_AS, "ulimit -v"}, {unix.RLIMIT_DATA, "ulimit -d"}} {
		var limit unix.Rlimit
		if unix.Getrlimit(l.resource, &limit) == nil && limit.Cur != unix.RLIM_INFINITY {
			text += fmt.Sprintf(", %s is %d KiB", l.name, limit.Cur>>10)
		}
	}
	return text
}

// Unwrap is what the kernel said.
func (e *NoMemory) Unwrap() error { return e.Err }
