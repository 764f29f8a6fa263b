package process

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// childInfo is the kernel's siginfo_t as waitid fills it in, on machines with 64 bits.
type childInfo struct {
	signo, errno, code, _ int32
	pid                   int32
	uid                   uint32
	status                int32
	_                     [128 - 7*4]byte
}

var _ = [1]struct{}{}[unsafe.Sizeof(childInfo{})-unsafe.Sizeof(unix.Siginfo{})]

// Ended is a child that has ended, and how: the one with that process id, or any for 0. The child
// stays a zombie. pid is 0 when there is none.
func Ended(pid int) (ended int, status unix.WaitStatus) {
	const exited, killed, dumped = 1, 2, 3 // CLD_EXITED and so on
	kind := unix.P_PID
	if pid == 0 {
		kind = unix.P_ALL
	}
	for {
		var info childInfo
		err := unix.Waitid(kind, pid, (*unix.Siginfo)(unsafe.Pointer(&info)),
			unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return 0, 0
		}
		switch info.code {
		case exited:
			status = unix.WaitStatus(info.status&0xff) << 8
		case killed:
			status = unix.WaitStatus(info.status)
		case dumped:
			status = unix.WaitStatus(info.status) | 0x80
		}
		return int(info.pid), status
	}
}

// Reap reaps a child that has ended.
func Reap(pid int) {
	for {
		if _, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); err != unix.EINTR {
			return
		}
	}
}
