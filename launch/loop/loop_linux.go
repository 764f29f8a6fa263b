// Package loop waits for descriptors and times: one thread serves all of a job.
// Package loop waits for descriptors and times: one thread serves all of a job.
package loop

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Handler is what stands behind a descriptor that the loop watches.
type Handler interface {
	// Ready is called with the epoll events that occurred.
	Ready(events uint32)
}

// Loop waits for descriptors. Watching and forgetting are allowed at any time, also from within a Handler.
type Loop struct {
	Fd       int
	handlers map[int]Handler
	events   [64]unix.EpollEvent
}

// New makes a loop that watches nothing.
func New() (*Loop, error) {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll_create1: %w", err)
	}
	return &Loop{Fd: fd, handlers: map[int]Handler{}}, nil
}

// Watch calls h whenever one of the events occurs on fd. Watching a descriptor again changes its events.
func (l *Loop) Watch(fd int, events uint32, h Handler) error {
	op := unix.EPOLL_CTL_ADD
	if _, known := l.handlers[fd]; known {
		op = unix.EPOLL_CTL_MOD
	}
	if err := unix.EpollCtl(l.Fd, op, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)}); err != nil {
		return fmt.Errorf("epoll_ctl: %w", err)
	}
	l.handlers[fd] = h
	return nil
}

// Forget stops watching fd. It must come before the descriptor is closed.
func (l *Loop) Forget(fd int) {
	if _, known := l.handlers[fd]; known {
		delete(l.handlers, fd)
		unix.EpollCtl(l.Fd, unix.EPOLL_CTL_DEL, fd, nil)
	}
}

// HandlerOf is what stands behind a descriptor, nil when it is not watched.
func (l *Loop) HandlerOf(fd int) Handler { return l.handlers[fd] }

// Wait waits until something happens or the time comes, and calls the handlers concerned.
func (l *Loop) Wait(until time.Time) error {
	// Rounded up, so that the time has come when epoll says so.
	ms := max(0, int((time.Until(until)+time.Millisecond-1)/time.Millisecond))
	n, err := unix.EpollWait(l.Fd, l.events[:], ms)
	if err == unix.EINTR {
		return nil
	}
	if err != nil {
		return fmt.Errorf("epoll_wait: %w", err)
	}
	for _, e := range l.events[:n] {
		if h := l.handlers[int(e.Fd)]; h != nil {
			h.Ready(e.Events)
		}
	}
	return nil
}
