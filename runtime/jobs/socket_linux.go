package jobs

import (
	"encoding/hex"
	"os"
	"sync"
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// user is the number of the user whose process this is.
func user() int { return os.Geteuid() }

// secret is a text that nobody can guess.
func secret() (string, error) {
	var b [16]byte
	if err := shm.Random(b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// socket is a unix socket for streams that other programs do not inherit.
func socket() (int, error) { return unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0) }

// abstract is an address that is no file.
func abstract(name string) unix.Sockaddr { return &unix.SockaddrUnix{Name: "@" + name} }

// listener is a socket to which others connect.
type listener struct {
	fd      int
	waiting int  // threads that wait at a port; guarded by the lock of Ports, as is the next
	shut    bool // the port is closed

	answer time.Duration // how long a caller of a port may take for its hello

	mu      sync.Mutex
	callers []*caller // of a port: those whose hello has not come
	retry   time.Time // when to accept again after descriptors have run out
}

func listen(name string) (*listener, error) {
	fd, err := socket()
	if err != nil {
		return nil, err
	}
	if err = unix.Bind(fd, abstract(name)); err == nil {
		err = unix.Listen(fd, unix.SOMAXCONN)
	}
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return &listener{fd: shm.MoveUp(fd), answer: answerTimeout * time.Second}, nil
}

// isTaken reports whether somebody listens there already.
func isTaken(err error) bool { return err == unix.EADDRINUSE }

// accept waits for the next connection. It returns false after wake.
func (l *listener) accept() (connection, bool) {
	for {
		fd, _, err := unix.Accept4(l.fd, unix.SOCK_CLOEXEC)
		switch err {
		case nil:
			return connection{fd}, true
		case unix.EINTR, unix.ECONNABORTED:
		case unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM: // perhaps there is room again in a moment
			_, _ = unix.Poll(nil, retryMillis)
		default:
			return connection{}, false
		}
	}
}

// retryMillis is how long a process out of descriptors waits before it tries again.
const retryMillis = 50

// wake ends accept, for good.
func (l *listener) wake() { _ = unix.Shutdown(l.fd, unix.SHUT_RDWR) }

func (l *listener) close() {
	l.dropAll()
	unix.Close(l.fd)
}

// connection is one end of a stream.
type connection struct{ fd int }

// answerTimeout is how long one waits for an answer, in seconds.
const answerTimeout = 10

func dial(name string) (connection, error) {
	fd, err := socket()
	if err != nil {
		return connection{}, err
	}
	for err = unix.EINTR; err == unix.EINTR; {
		err = unix.Connect(fd, abstract(name))
	}
	if err != nil {
		unix.Close(fd)
		return connection{}, err
	}
	return connection{fd}, nil
}

// sameUser reports whether the process at the other end is one of this user's.
func (c connection) sameUser() bool { return shm.SameUser(c.fd) }

// send sends what fits into the socket's buffer.
func (c connection) send(b []byte) {
	_ = unix.Sendmsg(c.fd, b, nil, nil, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
}

// receive is all that comes until the other side closes.
func (c connection) receive() (string, error) {
	if err := unix.SetsockoptTimeval(c.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO,
		&unix.Timeval{Sec: answerTimeout}); err != nil {
		return "", err
	}
	var all []byte
	b := make([]byte, 4096)
	for {
		n, err := unix.Read(c.fd, b)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return "", err
		case n == 0:
			return string(all), nil
		default:
			all = append(all, b[:n]...)
		}
	}
}

func (c connection) close() { unix.Close(c.fd) }
