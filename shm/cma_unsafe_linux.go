package shm

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

type iovec struct {
	base uintptr
	size uint64
}

func processVMReadv(pid int, dst, src uintptr, n uint64) (int, error) {
	local, remote := iovec{dst, n}, iovec{src, n}
	got, _, errno := unix.Syscall6(unix.SYS_PROCESS_VM_READV, uintptr(pid),
		uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(got), nil
}
