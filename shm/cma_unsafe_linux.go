package shm

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

type iovec struct {
	base uintptr
	size uint64
}

// processVMReadBehind reads a word that the first piece names to word, and what the others name, n bytes, to
// dst.
func processVMReadBehind(pid int, word, dst uintptr, n uint64, remote []Piece) (int, error) {
	local := [2]iovec{{word, wordSize}, {dst, n}}
	got, _, errno := unix.Syscall6(unix.SYS_PROCESS_VM_READV, uintptr(pid),
		uintptr(unsafe.Pointer(&local)), uintptr(len(local)),
		uintptr(unsafe.Pointer(unsafe.SliceData(remote))), uintptr(len(remote)), 0)
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
