package jobs

import (
	"encoding/binary"
	"time"

	"gompi/runtime/mpierr"

	"golang.org/x/sys/unix"
)

// Any process of the same user can connect to a port. One that says nothing must not keep others waiting,
// so the connections at a listener are looked at together, and the first whose hello has come whole is
// answered.

// mostCallers bounds the connections at a listener whose hello has not come; the oldest one goes when there
// are more.
const mostCallers = 64

// caller is a connection whose hello has not come whole.
type caller struct {
	connection
	text        []byte // of the hello
	descriptors []int
	lost        bool      // there was no room for some of the descriptors
	until       time.Time // it is given up then
}

// advance takes in what has come, and reports whether that is the whole hello. After an error the caller
// has to go.
func (c *caller) advance() (whole bool, err error) {
	control := make([]byte, unix.CmsgSpace(4*(mostJobs+1)))
	for {
		size := helloHeader
		if len(c.text) >= helloHeader {
			n, err := helloMembers(c.text)
			if err != nil {
				return false, err
			}
			size += n * identitySize
		}
		if len(c.text) == size {
			err := c.complete()
			return err == nil, err
		}
		b := make([]byte, size-len(c.text))
		n, ncontrol, flags, _, err := unix.Recvmsg(c.fd, b, control, unix.MSG_CMSG_CLOEXEC|unix.MSG_DONTWAIT)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			return false, nil
		case err != nil:
			return false, err
		case n == 0:
			return false, errHungUp
		}
		c.text = append(c.text, b[:n]...)
		c.descriptors = append(c.descriptors, rights(control[:ncontrol])...)
		c.lost = c.lost || flags&unix.MSG_CTRUNC != 0
		if len(c.descriptors) > mostJobs+1 {
			return false, errHungUp
		}
	}
}

// complete refuses a hello that no connector says: one that is a refusal, or that comes with another number
// of descriptors than it names. That some got lost here is no fault of the caller's.
func (c *caller) complete() error {
	if binary.NativeEndian.Uint32(c.text[8:]) != 0 ||
		!c.lost && int(binary.NativeEndian.Uint32(c.text[20:])) != len(c.descriptors) {
		return errOtherProtocol
	}
	return nil
}

// drop hangs up.
func (c *caller) drop() {
	closeAll(c.descriptors)
	c.close()
}

// takeIn accepts all who have come. mu is held: several threads may wait at a listener.
func (l *listener) takeIn() error {
	for {
		fd, _, err := unix.Accept4(l.fd, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
		switch err {
		case nil:
		case unix.EINTR, unix.ECONNABORTED:
			continue
		case unix.EAGAIN:
			return nil
		case unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM:
			// perhaps there is room again in a moment
			l.retry = time.Now().Add(retryMillis * time.Millisecond)
			return nil
		default:
			return err
		}
		c := &caller{connection: connection{fd}, until: time.Now().Add(l.answer)}
		if !c.sameUser() {
			c.close()
			continue
		}
		if len(l.callers) == mostCallers {
			l.callers[0].drop()
			l.callers = l.callers[1:]
		}
		l.callers = append(l.callers, c)
	}
}

// next is a caller whose hello has come whole, nil when there is none for now.
func (l *listener) next() (*caller, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.takeIn(); err != nil {
		return nil, err
	}
	var found *caller
	kept := l.callers[:0]
	for _, c := range l.callers {
		if found != nil {
			kept = append(kept, c)
			continue
		}
		whole, err := c.advance()
		switch {
		case whole:
			found = c
		case err != nil || time.Now().After(c.until):
			c.drop()
		default:
			kept = append(kept, c)
		}
	}
	clear(l.callers[len(kept):])
	l.callers = kept
	return found, nil
}

// dropAll hangs up on all who wait.
func (l *listener) dropAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.callers {
		c.drop()
	}
	l.callers = nil
}

// watched is what to wait for at a listener, and until when.
func (l *listener) watched(until time.Time) ([]unix.PollFd, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sooner := func(t time.Time) {
		if until.IsZero() || t.Before(until) {
			until = t
		}
	}
	var fds []unix.PollFd
	if time.Now().Before(l.retry) {
		sooner(l.retry)
	} else {
		fds = append(fds, unix.PollFd{Fd: int32(l.fd), Events: unix.POLLIN})
	}
	for _, c := range l.callers {
		fds = append(fds, unix.PollFd{Fd: int32(c.fd), Events: unix.POLLIN})
		sooner(c.until)
	}
	return fds, until
}

// accept waits for the next connection of the same user at a listener whose hello has come whole.
func (w *wire) accept(l *listener) (*caller, error) {
	for {
		if c, err := l.next(); c != nil || err != nil {
			return c, err
		}
		fds, until := l.watched(w.until)
		if err := w.awaitAny(fds, until); err != nil && (err != errLate || !w.until.IsZero() &&
			!time.Now().Before(w.until)) {
			return nil, err
		}
	}
}

// helloMembers is the number of processes that a hello names, by its header.
func helloMembers(text []byte) (int, error) {
	n, root := int(binary.NativeEndian.Uint32(text[16:])), int(binary.NativeEndian.Uint32(text[12:]))
	class := mpierr.Class(binary.NativeEndian.Uint32(text[8:]))
	strange := class != 0 && !class.Predefined()
	if binary.NativeEndian.Uint64(text) != helloMagic || strange || n < 1 || n > mostMembers || root < 0 ||
		root >= n {
		return 0, errOtherProtocol
	}
	return n, nil
}
