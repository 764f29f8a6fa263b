package shm

import "fmt"

// NoMemory says that the kernel has no memory or no addresses for this process.
type NoMemory struct {
	What  string // what the memory is for
	Bytes int64
	Err   error // what the kernel said
}

func (e *NoMemory) Error() string { return fmt.Sprintf("%s: %d bytes: %v", e.What, e.Bytes, e.Err) }

// Unwrap is what the kernel said.
func (e *NoMemory) Unwrap() error { return e.Err }
