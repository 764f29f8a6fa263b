// Package ask finds out what ranks wait for: it watches their sleep, asks them in the memory that they share
// with the launcher, and answers other processes that ask the launcher.
package ask

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"gompi/launch/hang"
	"gompi/launch/loop"

	"golang.org/x/sys/unix"
)

// Other processes of the same user ask a launcher what its ranks wait for at an abstract socket whose name
// tells the launcher's process id. They send the form of the answer, JSON, Text, Sample or Lines, and read to
// the end.

// Forms of reports.
const (
	Text = "text"
	JSON = "json"
)

// askTime is how long an asker waits for an answer, and how long the launcher lets itself be kept by one.
const (
	askTime  = 10 * time.Second
	keptTime = time.Second
)

func askName(pid int) *unix.SockaddrUnix {
	return &unix.SockaddrUnix{Name: SocketName + strconv.Itoa(pid)}
}

// SocketName is what the name of that socket begins with, ahead of the process id; the kernel lists it so.
const SocketName = "@gompi-mpiexec-"

// asking is the launcher's socket for such questions.
type asking struct {
	*Asker
	fd int
}

// OpenAsking begins to answer questions. Where that is not possible there are none.
func (a *Asker) OpenAsking(l *loop.Loop) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return
	}
	const waiting = 4
	if unix.Bind(fd, askName(os.Getpid())) != nil || unix.Listen(fd, waiting) != nil ||
		l.Watch(fd, unix.EPOLLIN, asking{a, fd}) != nil {
		unix.Close(fd)
	}
}

// Ready answers one question.
func (a asking) Ready(uint32) {
	fd, _, err := unix.Accept4(a.fd, unix.SOCK_CLOEXEC)
	if err != nil {
		return
	}
	limit := unix.NsecToTimeval(int64(keptTime))
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit)
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit)
	var form [8]byte
	n := 0
	if ours(fd, 0) {
		n, err = unix.Read(fd, form[:])
	}
	if err != nil || n <= 0 {
		unix.Close(fd)
		return
	}
	switch string(form[:n]) {
	case Sample:
		a.answerLook(fd)
		return
	case Lines:
		a.answerLines(fd)
		return
	}
	a.gather(func(states *hang.Job) {
		write(fd, inForm(states, string(form[:n])))
		unix.Close(fd)
	})
}

// write writes an answer, as far as the asker takes it.
func write(fd int, answer []byte) {
	for len(answer) > 0 {
		n, err := unix.SendmsgN(fd, answer, nil, nil, unix.MSG_NOSIGNAL)
		if err != nil {
			return
		}
		answer = answer[n:]
	}
}

// ours reports whether the process at the other end of a socket is of this user, or root; and if pid is not 0
// whether it is that one.
func ours(fd, pid int) bool {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	return err == nil && (int(cred.Uid) == os.Geteuid() || cred.Uid == 0) &&
		(pid == 0 || int(cred.Pid) == pid)
}

// answers reports whether the launcher at the other end of a socket answers this user: root's answers root
// alone.
func answers(fd int) bool {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	return err == nil && (int(cred.Uid) == os.Geteuid() || os.Geteuid() == 0)
}

// inForm is a report in one of the forms.
func inForm(states *hang.Job, form string) []byte {
	if form == JSON {
		return jsonOf(states)
	}
	text := strings.Join(states.Text(), "\n") + "\n"
	if cause := states.Cause(); cause != "" {
		text += cause + "\n"
	}
	return []byte(text)
}

// jsonOf is a report in JSON, with a line's end.
func jsonOf(states *hang.Job) []byte {
	text, err := states.JSON()
	if err != nil {
		return nil
	}
	return append(text, '\n')
}

// Ask asks the launcher with that process id what its ranks wait for: in JSON, or as Text. The launcher gives
// up who is slow to ask, as one may be on a busy machine: such a question is put again.
func Ask(pid int, form string) (answer []byte, err error) {
	for end := time.Now().Add(askTime); ; time.Sleep(10 * time.Millisecond) {
		answer, err = askOnce(pid, form)
		if len(answer) > 0 || err != nil {
			return answer, err
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("no answer from mpiexec (pid %d)", pid)
		}
	}
}

// askOnce puts the question. There is neither an answer nor an error when the launcher does not answer.
func askOnce(pid int, form string) ([]byte, error) {
	none := fmt.Errorf("process %d is no mpiexec of yours on this machine that has ranks", pid)
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("a socket: %w", err)
	}
	defer unix.Close(fd)
	limit := unix.NsecToTimeval(int64(askTime))
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit)
	if unix.Connect(fd, askName(pid)) != nil || !ours(fd, pid) || !answers(fd) {
		return nil, none
	}
	if _, err := unix.SendmsgN(fd, []byte(form), nil, nil, unix.MSG_NOSIGNAL); err != nil {
		return nil, nil
	}
	var all []byte
	for {
		var part [32 << 10]byte
		n, err := unix.Read(fd, part[:])
		switch {
		case err == unix.EINTR:
		case err == unix.ECONNRESET && len(all) == 0:
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("no answer from mpiexec (pid %d): %w", pid, err)
		case n == 0:
			return all, nil
		}
		all = append(all, part[:max(n, 0)]...)
	}
}
