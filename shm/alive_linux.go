package shm

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Whether a process lives that no launcher of ours watches, another process learns from a lock on a byte of a
// file: the kernel takes it back when its owner ends, however that happens, and no number can be mistaken for
// another one's. The lock belongs to the process as a whole, and goes early when the process closes any
// descriptor of that file.

// HoldAlive locks the byte that stands for a member of a bridge, for as long as this process lives and has
// the descriptor.
func (s *Segment) HoldAlive(member int) error {
	l := unix.Flock_t{Type: unix.F_WRLCK, Start: int64(member), Len: 1}
	if err := unix.FcntlFlock(uintptr(s.fd), unix.F_SETLK, &l); err != nil {
		return fmt.Errorf("a lock on shared memory: %w", err)
	}
	return nil
}

// Alive reports whether the member with that process id still holds its lock. What cannot be found out counts
// as alive.
func (s *Segment) Alive(member, pid int) bool {
	if pid == os.Getpid() {
		return true // one does not see locks of one's own
	}
	l := unix.Flock_t{Type: unix.F_WRLCK, Start: int64(member), Len: 1}
	if err := unix.FcntlFlock(uintptr(s.fd), unix.F_GETLK, &l); err != nil {
		return true
	}
	return l.Type != unix.F_UNLCK
}
