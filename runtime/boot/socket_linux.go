package boot

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// errClosed is what a descriptor means that is not open.
var errClosed = errors.New("the program has closed the descriptor of the launcher's socket (EBADF)")

// writeAll writes a line in one piece, as some launchers need it.
func writeAll(fd int, b []byte) error {
	for len(b) > 0 {
		n, err := unix.SendmsgN(fd, b, nil, nil, unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EPIPE || err == unix.ECONNRESET {
			return errLauncherGone
		}
		if err == unix.EBADF {
			return errClosed
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// readSome waits for bytes.
func readSome(fd int, b []byte) (int, error) {
	for {
		n, err := unix.Read(fd, b)
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			if err := awaitReadable(fd, -1, -1); err != nil {
				return 0, err
			}
		case err == unix.ECONNRESET, err == nil && n == 0:
			return 0, errLauncherGone
		case err == unix.EBADF:
			return 0, errClosed
		default:
			return n, err
		}
	}
}

// awaitReadable waits until fd can be read, at most the given milliseconds (-1: for ever). Meanwhile it
// watches a second descriptor, the launcher's (-1: none), and gives up when that hangs up.
func awaitReadable(fd, launcher, ms int) error {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}, {Fd: int32(launcher), Events: unix.POLLRDHUP}}
	for {
		n, err := unix.Poll(fds, ms)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("poll: %w", err)
		}
		if n == 0 {
			return unix.ETIMEDOUT
		}
		if fds[1].Revents != 0 {
			return errLauncherGone
		}
		return nil
	}
}

// waitHangup waits until the launcher has closed its end of the socket, and returns true then.
func (c *client) waitHangup() bool {
	for {
		fds := []unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLRDHUP}}
		if _, err := unix.Poll(fds, -1); err != nil {
			if err == unix.EINTR {
				continue
			}
			return false
		}
		if fds[0].Revents&unix.POLLNVAL != 0 {
			return false
		}
		if fds[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR) != 0 {
			return true
		}
	}
}

// isSocket reports whether a number from the environment is that of an open stream socket, and makes sure
// that programs started by this one do not inherit it.
func isSocket(fd int) bool {
	kind, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil || kind != unix.SOCK_STREAM {
		return false
	}
	unix.CloseOnExec(fd)
	return true
}
