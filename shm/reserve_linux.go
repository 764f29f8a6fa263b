package shm

import "golang.org/x/sys/unix"

// Reserve is n bytes of addresses, in which there is no memory yet. They count for no limit on memory but
// that on addresses.
func Reserve(n uintptr) (uintptr, error) {
	return anonymous(n, unix.PROT_NONE, "addresses of the library")
}

// anonymous maps n bytes that no file stands behind.
func anonymous(n, protection uintptr, what string) (uintptr, error) {
	base, _, errno := unix.Syscall6(unix.SYS_MMAP, 0, n, protection,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE, ^uintptr(0), 0)
	if errno != 0 {
		return 0, &NoMemory{what, int64(n), errno}
	}
	return base, nil
}

// Commit makes the first n bytes of reserved addresses memory, all zero where it is new.
func Commit(base, n uintptr) error {
	if _, _, errno := unix.Syscall(unix.SYS_MPROTECT, base, n, unix.PROT_READ|unix.PROT_WRITE); errno != 0 {
		return &NoMemory{"memory of the library", int64(n), errno}
	}
	return nil
}
