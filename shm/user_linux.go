package shm

import (
	"os"

	"golang.org/x/sys/unix"
)

// SameUser reports whether the process at the other end of a unix socket is one of this user's.
func SameUser(fd int) bool {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	return err == nil && int(cred.Uid) == os.Geteuid()
}
