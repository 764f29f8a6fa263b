package launch

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// handler is what stands behind a descriptor that the loop watches.
type handler interface {
	// ready is called with the epoll events that occurred.
	ready(events uint32)
}

// loop waits for descriptors. Watching and forgetting are allowed at any time, also from within a handler.
type loop struct {
	fd       int
	handlers map[int]handler
	events   [64]unix.EpollEvent
}

func newLoop() (*loop, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll_create1: %w", err)
	}
	return &loop{fd: fd, handlers: map[int]handler{}}, nil
}

// watch calls h whenever one of the events occurs on fd. Watching a descriptor again changes its events.
func (l *loop) watch(fd int, events uint32, h handler) error {
	op := unix.EPOLL_CTL_ADD
	if _, known := l.handlers[fd]; known {
		op = unix.EPOLL_CTL_MOD
	}
	if err := unix.EpollCtl(l.fd, op, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)}); err != nil {
		return fmt.Errorf("epoll_ctl: %w", err)
	}
	l.handlers[fd] = h
	return nil
}

// forget stops watching fd. It must come before the descriptor is closed.
func (l *loop) forget(fd int) {
	if _, known := l.handlers[fd]; known {
		delete(l.handlers, fd)
		unix.EpollCtl(l.fd, unix.EPOLL_CTL_DEL, fd, nil)
	}
}

// wait waits until something happens or the time comes, and calls the handlers concerned.
func (l *loop) wait(until time.Time) error {
	// Rounded up, so that the time has come when epoll says so.
	ms := max(0, int((time.Until(until)+time.Millisecond-1)/time.Millisecond))
	n, err := unix.EpollWait(l.fd, l.events[:], ms)
	if err == unix.EINTR {
		return nil
	}
	if err != nil {
		return fmt.Errorf("epoll_wait: %w", err)
	}
	for _, e := range l.events[:n] {
		if h := l.handlers[int(e.Fd)]; h != nil {
			h.ready(e.Events)
		}
	}
	return nil
}
