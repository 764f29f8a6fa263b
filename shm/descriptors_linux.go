package shm

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// OpenPoller has the Go runtime open the descriptors with which it waits for files and timers. The error
// names the limit if there are none left; the runtime itself would end the process, later.
func OpenPoller() error {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err == nil {
		var event int
		if event, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err == nil {
			unix.Close(event)
		}
		unix.Close(epoll)
	}
	if err == nil {
		time.AfterFunc(time.Hour, func() {}).Stop() // the first timer opens the poller
		return nil
	}
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return err
	}
	return fmt.Errorf("no descriptor left for the runtime: %w; the limit of open files (ulimit -n) is %d", err, limit.Cur)
}

// highDescriptor is where descriptors begin that the library keeps. Below are those that programs close
// blindly, as daemons do, and those that select(2) can take.
const highDescriptor = 1024

// leastDescriptor is the least number for a descriptor that the library keeps, as the limit allows it.
func leastDescriptor() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil || limit.Cur > 2*highDescriptor {
		return highDescriptor
	}
	return min(highDescriptor, int(limit.Cur*3/4))
}

// MoveUp moves a descriptor that the library keeps to a number that the program is not likely to close, and
// returns that. Where there is none, because of the limit (ulimit -n), the descriptor stays, and so it does
// in the launcher, which has no program beside it. Close-on-exec is set where it moves.
func MoveUp(fd int) int {
	least := leastDescriptor()
	if !besideProgram || fd < 0 || fd >= least {
		return fd
	}
	high, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, least)
	if err != nil {
		return fd
	}
	unix.Close(fd)
	return high
}
