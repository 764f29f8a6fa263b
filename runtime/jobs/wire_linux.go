package jobs

import (
	"errors"
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// wire is a stream to the leader of the other side, over which descriptors go as well. Waiting on it ends
// early when the call is given up.
type wire struct {
	connection
	until time.Time // zero: for ever
	stop  *stopper
}

// errLate and errStopped end a wait.
var (
	errLate    = errors.New("nothing has come in time")
	errStopped = errors.New("the call was given up")
)

// stopper ends the waits of a call from another thread.
type stopper struct{ fd int }

func newStopper() (*stopper, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	return &stopper{fd}, err
}

func (s *stopper) stop() {
	one := [8]byte{1}
	_, _ = unix.Write(s.fd, one[:]) // it cannot be full
}

func (s *stopper) close() { unix.Close(s.fd) }

// await waits until fd can be read or written.
func (w *wire) await(fd int, events int16) error {
	return w.awaitAny([]unix.PollFd{{Fd: int32(fd), Events: events}}, w.until)
}

// awaitAny waits until something happens to one of the descriptors; the zero time is for ever.
func (w *wire) awaitAny(fds []unix.PollFd, until time.Time) error {
	fds = append(fds, unix.PollFd{Fd: int32(w.stop.fd), Events: unix.POLLIN})
	for {
		ms := -1
		if !until.IsZero() {
			ms = int(max(time.Until(until)/time.Millisecond, 0)) + 1
		}
		n, err := unix.Poll(fds, ms)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		case fds[len(fds)-1].Revents != 0:
			return errStopped
		case n > 0:
			return nil
		case !time.Now().Before(until):
			return errLate
		}
	}
}

// errRefused says that nobody listens at an address.
var errRefused = errors.New("nobody listens there")

// dial connects to an abstract address. While its queue is full it tries again.
func (w *wire) dial(name string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return err
	}
	w.connection = connection{fd}
	for {
		switch err = unix.Connect(fd, abstract(name)); err {
		case nil:
			if !w.sameUser() {
				err = errRefused
				break
			}
			return nil
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			if err = w.pause(); err == nil {
				continue
			}
		case unix.ECONNREFUSED:
			err = errRefused
		}
		w.close()
		return err
	}
}

// pause waits a moment.
func (w *wire) pause() error {
	if !w.until.IsZero() && !time.Now().Before(w.until) {
		return errLate
	}
	fds := []unix.PollFd{{Fd: int32(w.stop.fd), Events: unix.POLLIN}}
	if n, _ := unix.Poll(fds, retryMillis); n > 0 {
		return errStopped
	}
	return nil
}

// errHungUp says that the other side has closed the stream.
var errHungUp = errors.New("the other side has hung up")

// write sends all of b, and the descriptors with its first byte.
func (w *wire) write(b []byte, descriptors ...int) error {
	var rights []byte
	if len(descriptors) > 0 {
		rights = unix.UnixRights(descriptors...)
	}
	for len(b) > 0 {
		n, err := unix.SendmsgN(w.fd, b, rights, nil, unix.MSG_NOSIGNAL)
		switch err {
		case nil:
			b, rights = b[n:], nil
		case unix.EINTR:
		case unix.EAGAIN:
			if err := w.await(w.fd, unix.POLLOUT); err != nil {
				return err
			}
		case unix.EPIPE, unix.ECONNRESET:
			return errHungUp
		default:
			return err
		}
	}
	return nil
}

// read fills b and returns the descriptors that have come with it, at most limit.
func (w *wire) read(b []byte, limit int) (descriptors []int, err error) {
	control := make([]byte, unix.CmsgSpace(4*max(limit, 1)))
	for len(b) > 0 && err == nil {
		if err = w.await(w.fd, unix.POLLIN); err != nil {
			break
		}
		n, ncontrol, _, _, e := unix.Recvmsg(w.fd, b, control, unix.MSG_CMSG_CLOEXEC|unix.MSG_DONTWAIT)
		switch {
		case e == unix.EINTR, e == unix.EAGAIN:
		case e == unix.ECONNRESET, e == nil && n == 0:
			err = errHungUp
		case e != nil:
			err = e
		default:
			b = b[n:]
			descriptors = append(descriptors, rights(control[:ncontrol])...)
		}
	}
	if err != nil || len(descriptors) > limit {
		closeAll(descriptors)
		if err == nil {
			err = errHungUp
		}
		return nil, err
	}
	return descriptors, nil
}

// rights are the descriptors in the ancillary data of a message.
func rights(control []byte) (descriptors []int) {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return nil
	}
	for i := range messages {
		if fds, err := unix.ParseUnixRights(&messages[i]); err == nil {
			descriptors = append(descriptors, fds...)
		}
	}
	return descriptors
}

func closeAll(descriptors []int) {
	for _, fd := range descriptors {
		unix.Close(fd)
	}
}

// openPort is listen for a port, at which several threads may wait.
func openPort(name string) (*listener, error) {
	l, err := listen(name)
	if err == nil {
		err = unix.SetNonblock(l.fd, true)
	}
	return l, err
}

// duplicate makes descriptors of its own for some segments.
func duplicate(segments []*shm.Segment) (descriptors []int, err error) {
	for _, s := range segments {
		fd, err := unix.FcntlInt(uintptr(s.FD()), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			closeAll(descriptors)
			return nil, err
		}
		descriptors = append(descriptors, fd)
	}
	return descriptors, nil
}

// isStream refuses a descriptor that is not that of a connected stream socket.
func isStream(fd int) error {
	kind, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil {
		return err
	}
	if kind != unix.SOCK_STREAM {
		return unix.EPROTOTYPE
	}
	_, err = unix.Getpeername(fd)
	return err
}

// plainWrite and plainRead move bytes over a socket of the program's, whichever way it waits, and change
// nothing about it.
func (w *wire) plainWrite(b []byte) error {
	for len(b) > 0 {
		if err := w.await(w.fd, unix.POLLOUT); err != nil {
			return err
		}
		n, err := unix.SendmsgN(w.fd, b, nil, nil, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
		switch err {
		case nil:
			b = b[n:]
		case unix.EINTR, unix.EAGAIN:
		case unix.EPIPE, unix.ECONNRESET:
			return errHungUp
		default:
			return err
		}
	}
	return nil
}

func (w *wire) plainRead(b []byte) error {
	for len(b) > 0 {
		if err := w.await(w.fd, unix.POLLIN); err != nil {
			return err
		}
		n, _, err := unix.Recvfrom(w.fd, b, unix.MSG_DONTWAIT)
		switch {
		case err == unix.EINTR, err == unix.EAGAIN:
		case err == unix.ECONNRESET, err == nil && n == 0:
			return errHungUp
		case err != nil:
			return err
		default:
			b = b[n:]
		}
	}
	return nil
}
