package boot

import (
	"errors"
	"fmt"
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// fdServer is where the rank that made the segment passes its descriptor on.
type fdServer struct{ fd int }

// randomName is a name that nobody can guess.
func randomName() (string, error) {
	var bits [16]byte
	if err := shm.Random(bits[:]); err != nil {
		return "", err
	}
	return fmt.Sprintf("gompi-%x", bits), nil
}

// listen opens a socket of the given abstract name. The error wraps EADDRINUSE when somebody has the name.
func listen(name string) (*fdServer, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: "@" + name}); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("a socket for the ranks of this node: %w", err)
	}
	if err := unix.Listen(fd, unix.SOMAXCONN); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("listen: %w", err)
	}
	return &fdServer{fd}, nil
}

func (s *fdServer) close() { unix.Close(s.fd) }

// wake ends a give on another thread, with an error, if the server blocks.
func (s *fdServer) wake() { _ = unix.Shutdown(s.fd, unix.SHUT_RDWR) }

// block has accept wait: only so it is told of wake.
func (s *fdServer) block() error { return unix.SetNonblock(s.fd, false) }

// give passes a descriptor to n processes of the same user. It ends early when the launcher hangs up
// (descriptor launcher, -1 for none) or nobody has come for the given milliseconds (-1: it waits for ever).
func (s *fdServer) give(descriptor, n, launcher, timeout int) error {
	for n > 0 {
		if err := awaitReadable(s.fd, launcher, timeout); err != nil {
			return lateness(err, n)
		}
		peer, _, err := unix.Accept4(s.fd, unix.SOCK_CLOEXEC)
		if err == unix.EINTR || err == unix.EAGAIN || err == unix.ECONNABORTED {
			continue
		}
		if err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		if shm.SameUser(peer) {
			err = sendDescriptor(peer, descriptor)
			n--
		}
		unix.Close(peer)
		if err != nil {
			return err
		}
	}
	return nil
}

// lateness says in words that some ranks did not come.
func lateness(err error, missing int) error {
	if errors.Is(err, unix.ETIMEDOUT) {
		return fmt.Errorf("%d other ranks of this node have not come to share memory", missing)
	}
	return err
}

func sendDescriptor(peer, descriptor int) error {
	for {
		err := unix.Sendmsg(peer, []byte{1}, unix.UnixRights(descriptor), nil, unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EPIPE || err == unix.ECONNRESET {
			return nil // that rank has died; its launcher takes care of it
		}
		if err != nil {
			return fmt.Errorf("passing shared memory on: %w", err)
		}
		return nil
	}
}

// receiveDescriptor asks for the descriptor at the given abstract name. When nobody listens there yet it
// tries again for the given milliseconds.
func receiveDescriptor(name string, launcher, timeout int) (int, error) {
	fd, err := connect(name, time.Now().Add(time.Duration(timeout)*time.Millisecond))
	if err != nil {
		return -1, err
	}
	defer unix.Close(fd)
	if !shm.SameUser(fd) {
		return -1, errors.New("it belongs to another user")
	}
	if err := awaitReadable(fd, launcher, -1); err != nil {
		return -1, err
	}
	var data [1]byte
	control := make([]byte, unix.CmsgSpace(4))
	for {
		n, ncontrol, _, _, err := unix.Recvmsg(fd, data[:], control, unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return -1, fmt.Errorf("recvmsg: %w", err)
		}
		if n == 0 {
			return -1, errors.New("it hung up")
		}
		messages, err := unix.ParseSocketControlMessage(control[:ncontrol])
		if err != nil || len(messages) != 1 {
			return -1, errors.New("it sent no descriptor")
		}
		fds, err := unix.ParseUnixRights(&messages[0])
		if err != nil || len(fds) != 1 {
			return -1, errors.New("it sent no descriptor")
		}
		return fds[0], nil
	}
}

// connect opens a connection to an abstract name, trying until the deadline while nobody listens.
func connect(name string, deadline time.Time) (int, error) {
	pause := time.Millisecond
	for {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return -1, fmt.Errorf("socket: %w", err)
		}
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: "@" + name})
		if err == nil {
			return fd, nil
		}
		unix.Close(fd)
		switch {
		case err == unix.EINTR:
		case (err == unix.ECONNREFUSED || err == unix.EAGAIN) && time.Now().Before(deadline):
			time.Sleep(pause)
			pause = min(2*pause, 100*time.Millisecond)
		case err == unix.ECONNREFUSED:
			return -1, errors.New("nobody listens: it has ended, or runs in another network name space")
		default:
			return -1, fmt.Errorf("connect: %w", err)
		}
	}
}
