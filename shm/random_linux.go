package shm

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Random fills b with what nobody can guess. It comes from the kernel: Go's own source of random numbers
// takes 32 MiB, and more than doubles what a program loads for its start.
func Random(b []byte) error {
	for n := 0; n < len(b); {
		got, err := unix.Getrandom(b[n:], 0)
		if err != nil && err != unix.EINTR {
			return fmt.Errorf("getrandom: %w", err)
		}
		n += max(got, 0)
	}
	return nil
}
