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

// processVMMove moves n bytes between local memory and the pieces, which hold at least as many.
func processVMMove(pid int, local uintptr, n uint64, remote []Piece, write bool) (int, error) {
	own := iovec{local, n}
	call := uintptr(unix.SYS_PROCESS_VM_READV)
	if write {
		call = unix.SYS_PROCESS_VM_WRITEV
	}
	got, _, errno := unix.Syscall6(call, uintptr(pid), uintptr(unsafe.Pointer(&own)), 1,
		uintptr(unsafe.Pointer(unsafe.SliceData(remote))), uintptr(len(remote)), 0)
	if errno != 0 {
		return 0, errno
	}
	return int(got), nil
}

var _ = [1]struct{}{}[unsafe.Sizeof(Piece{})-unsafe.Sizeof(iovec{})]
