package boot

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// Tracer is the process whose descendants the ranks of the job are, which may therefore read each other's
// memory; 0 when it is not known. It is the launcher, or the part of it on this node, whatever scripts stand
// between it and the ranks: the kernel says who made the socket to it. A launcher that this process has
// started says so itself. One that is reached in another way is taken to be the parent.
func (j *Job) Tracer() int {
	if j.Singleton {
		return j.attached
	}
	if j.client != nil {
		cred, err := unix.GetsockoptUcred(j.client.fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err == nil && cred.Pid > 0 {
			return int(cred.Pid)
		}
	}
	return max(unix.Getppid(), 0)
}

// processNumber is the number of a process in a message; 0 when it is none.
func processNumber(text string) int {
	pid, err := strconv.Atoi(text)
	if err != nil || pid < 0 {
		return 0
	}
	return pid
}
