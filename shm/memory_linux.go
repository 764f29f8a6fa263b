package shm

import "golang.org/x/sys/unix"

// Memory that a program's arguments ask for is taken from the kernel, which can refuse it; the Go runtime
// would end the process.

// Obtain maps n bytes of zeroed memory of this process alone, outside Go's heap, n > 0. Return gives them
// back. The error is a *NoMemory.
func Obtain(n int64) (uintptr, error) {
	base, _, errno := unix.Syscall6(unix.SYS_MMAP, 0, uintptr(n), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS, ^uintptr(0), 0)
	if errno != 0 {
		return 0, &NoMemory{"memory for an operation", n, errno}
	}
	return base, nil
}

// Return gives back what Obtain has mapped.
func Return(base uintptr, n int64) { Unmap(base, n) }

// small is how many bytes Go's heap always has: it is larger by whole arenas than what is in use.
const small = 64 << 10

// Afford reports whether Go's heap can grow by n bytes: nil, or a *NoMemory. Whoever allocates as much as a
// program's argument says asks first.
func Afford(n int64) error {
	if n <= small {
		return nil
	}
	whole := n + spareAddresses
	if n > 1<<62 {
		whole = n
	}
	base, err := Obtain(whole)
	if err != nil {
		return &NoMemory{"memory for the arguments", n, unix.ENOMEM}
	}
	Unmap(base, whole)
	return nil
}
