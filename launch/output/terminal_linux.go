package output

import "golang.org/x/sys/unix"

// Where the launcher's standard output is a terminal, every rank gets a terminal of its own for it, which the
// launcher relays like a pipe. A C program then writes line by line instead of keeping its output until it
// has four kilobytes, so that the user sees how it gets on; and it finds the terminal that the user sees.

// OpenTerminal makes a pseudo-terminal of the size of the given one. It returns the launcher's end and the
// rank's, or false where the system offers none: a pipe does as well.
func OpenTerminal(size *unix.Winsize) (ours, theirs int, ok bool) {
	ours, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return -1, -1, false
	}
	if unix.IoctlSetPointerInt(ours, unix.TIOCSPTLCK, 0) != nil {
		unix.Close(ours)
		return -1, -1, false
	}
	fd, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(ours), unix.TIOCGPTPEER,
		unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
	if errno != 0 {
		unix.Close(ours)
		return -1, -1, false
	}
	theirs = int(fd)
	if mode, err := unix.IoctlGetTermios(theirs, unix.TCGETS); err == nil {
		mode.Oflag &^= unix.OPOST // newlines are the real terminal's business
		mode.Lflag &^= unix.ECHO
		unix.IoctlSetTermios(theirs, unix.TCSETS, mode)
	}
	unix.IoctlSetWinsize(theirs, unix.TIOCSWINSZ, size)
	return ours, theirs, true
}
