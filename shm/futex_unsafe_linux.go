package shm

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

func futexWaitTimed(p *uint32, v uint32, ts *unix.Timespec) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(p)), futexWait, uintptr(v),
		uintptr(unsafe.Pointer(ts)), 0, 0)
}
