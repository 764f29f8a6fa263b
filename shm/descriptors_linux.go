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
