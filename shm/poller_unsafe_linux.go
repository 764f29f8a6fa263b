//go:build shared_library

package shm

import (
	"math"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// besideProgram tells whether this is the library, whose process is the program's.
const besideProgram = true

// The descriptors of the Go runtime by which it waits for files and timers. The runtime ends the process with
// a trace when it finds one closed.
var (
	//go:linkname pollerEpoll runtime.epfd
	pollerEpoll int32
	//go:linkname pollerEvent runtime.netpollEventFd
	pollerEvent uintptr
)

// runtimeWrite is what the runtime writes by, if it is set: its messages, and to pollerEvent.
//
//go:linkname runtimeWrite runtime.overrideWrite
var runtimeWrite func(fd uintptr, p unsafe.Pointer, n int32) int32

// closed is what is said and done when the program has closed the runtime's descriptors.
var closed struct {
	line string
	code atomic.Uint32
	dead *uint32 // HdrDeadRank of the job
	note *uint32 // HdrExitCode
	rank uint32
	told atomic.Bool // the process ends for a reason that it has told
}

// Told says that this process has told why it ends, with an exit code. What goes wrong from now on follows
// from that.
func Told(code int) {
	closed.code.Store(uint32(code))
	closed.told.Store(true)
}

// MovePollerUp does for the descriptors that OpenPoller has opened what MoveUp does for others. Those with
// the low numbers stay open as well: a thread of the runtime may be about to use them. When the program
// closes those in use, the process ends with a line and an exit code in place of the runtime's trace, and
// says so in the job's segment, if that is not nil.
func MovePollerUp(line string, code uint8, s *Segment, jobRank int) {
	least := leastDescriptor()
	if high, err := unix.FcntlInt(uintptr(pollerEpoll), unix.F_DUPFD_CLOEXEC, least); err == nil {
		atomic.StoreInt32(&pollerEpoll, int32(high))
	}
	if high, err := unix.FcntlInt(pollerEvent, unix.F_DUPFD_CLOEXEC, least); err == nil {
		atomic.StoreUintptr(&pollerEvent, uintptr(high))
	}
	closed.line, closed.rank = line, uint32(jobRank)
	closed.code.Store(uint32(code))
	if s != nil {
		closed.dead, closed.note = Word32(s.Base+HdrDeadRank), Word32(s.Base+HdrExitCode)
	}
	runtimeWrite = writeOrEnd
}

// writeOrEnd runs on any stack of the runtime's, which may be about to end the process.
//
//go:nosplit
//go:norace
func writeOrEnd(fd uintptr, p unsafe.Pointer, n int32) int32 {
	if fd == stderr && (isClosed(uintptr(pollerEpoll)) || isClosed(pollerEvent)) {
		endClosed()
	}
	written, _, errno := unix.RawSyscall(unix.SYS_WRITE, fd, uintptr(p), uintptr(n))
	if errno == unix.EBADF && fd == pollerEvent {
		endClosed()
	}
	if errno != 0 {
		return -int32(errno)
	}
	return int32(written)
}

const stderr uintptr = 2

// isClosed reports whether a descriptor is not open.
//
//go:nosplit
//go:norace
func isClosed(fd uintptr) bool {
	_, _, errno := unix.RawSyscall(unix.SYS_FCNTL, fd, unix.F_GETFD, 0)
	return errno == unix.EBADF
}

// endClosed ends the process.
//
//go:nosplit
//go:norace
func endClosed() {
	if closed.dead != nil {
		atomic.CompareAndSwapUint32(closed.note, 0, closed.code.Load()+1)
		atomic.CompareAndSwapUint32(closed.dead, math.MaxUint32, closed.rank)
	}
	if !closed.told.Swap(true) {
		unix.RawSyscall(unix.SYS_WRITE, stderr, uintptr(unsafe.Pointer(unsafe.StringData(closed.line))),
			uintptr(len(closed.line)))
	}
	unix.RawSyscall(unix.SYS_EXIT_GROUP, uintptr(closed.code.Load()), 0, 0)
}
