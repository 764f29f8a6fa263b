package launch

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// link is the launcher's connection to its proxy on another host: the standard input and output of the
// command that has started it there, by which nothing listens anywhere.
type link struct {
	job     *job
	host    *host
	fd      int // -1 once the stream has ended
	pid     int // of the command
	pidfd   int
	errs    *complaints
	in      []byte // what has come and is no whole frame yet
	queue   []byte
	waits   bool // the loop tells us when the stream takes more
	greeted bool // the proxy has answered
	seenAs  string
	heard   time.Time // when anything came last
	sent    time.Time
	exited  bool // the command has ended
	status  unix.WaitStatus
	gone    bool  // given up
	err     error // why, when that was before any rank had been started
}

// protocol is the version of the frames.
const protocol = "1"

// greeting is the first word of the line by which a proxy answers.
const greeting = "gompi-proxy"

// dial starts the command that starts a proxy on a host.
func (j *job) dial(h *host) (*link, error) {
	shell := j.spec.Shell
	path, err := lookup(shell[0], "", os.Getenv("PATH"))
	if err != nil {
		return nil, err
	}
	argv := append(append([]string(nil), shell...), h.name, quote(j.spec.Proxy)+" "+ProxyWord)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, tooMany("a socket", err)
	}
	defer unix.Close(pair[1])
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		unix.Close(pair[0])
		return nil, tooMany("a pipe", err)
	}
	defer unix.Close(pipe[1])
	unix.SetNonblock(pipe[0], true)
	l := &link{job: j, host: h, fd: pair[0], pidfd: -1, heard: time.Now(), sent: time.Now()}
	l.errs = &complaints{link: l, fd: pipe[0]}
	// In a process group of its own, so that keys on the terminal reach it through the launcher alone.
	l.pid, err = syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{uintptr(pair[1]), uintptr(pair[1]), uintptr(pipe[1])},
		Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, PidFD: &l.pidfd, Setpgid: true},
	})
	if err != nil {
		unix.Close(pair[0])
		unix.Close(pipe[0])
		return nil, explainExec(shell[0], path, "", err)
	}
	if l.pidfd >= 0 {
		if err := j.loop.watch(l.pidfd, unix.EPOLLIN, starterWatch{l}); err != nil {
			return nil, err
		}
	}
	if err := j.loop.watch(l.errs.fd, unix.EPOLLIN, l.errs); err != nil {
		return nil, err
	}
	return l, j.loop.watch(l.fd, unix.EPOLLIN, l)
}

// quote is a word as a shell reads it.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// send sends a frame, or queues what the stream does not take.
func (l *link) send(f *frame) {
	if l.fd < 0 || l.gone {
		return
	}
	l.sent = time.Now()
	l.queue = f.append(l.queue)
	l.flush()
}

func (l *link) flush() {
	for l.fd >= 0 && len(l.queue) > 0 {
		n, err := unix.SendmsgN(l.fd, l.queue, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		switch err {
		case nil:
			l.queue = l.queue[n:]
			continue
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			if !l.waits {
				l.waits = l.job.loop.watch(l.fd, unix.EPOLLIN|unix.EPOLLOUT, l) == nil
			}
			return
		}
		break // the other end is gone, of which the loop hears by itself
	}
	l.queue = nil
	if l.waits && l.fd >= 0 {
		l.job.loop.watch(l.fd, unix.EPOLLIN, l)
		l.waits = false
	}
}

func (l *link) ready(events uint32) {
	if events&unix.EPOLLOUT != 0 {
		l.flush()
	}
	if events&^unix.EPOLLOUT != 0 {
		for range readTurns {
			if !l.receive() {
				return
			}
		}
	}
}

// receive takes in one portion; false when there is none for now, or will be none any more.
func (l *link) receive() bool {
	if l.fd < 0 {
		return false
	}
	n, _, err := unix.Recvfrom(l.fd, l.job.scratch, unix.MSG_DONTWAIT)
	if err == unix.EINTR {
		return true
	}
	if err == unix.EAGAIN {
		return false
	}
	if err != nil || n <= 0 {
		l.job.loop.forget(l.fd)
		unix.Close(l.fd)
		l.fd = -1
		if l.pidfd < 0 {
			l.broken()
		} else if !l.exited && !l.gone {
			// The command has closed its output, so it is about to end: that is when the cause is known.
			l.heard = time.Now()
		}
		return false
	}
	l.heard = time.Now()
	l.in = append(l.in, l.job.scratch[:n]...)
	if err := l.take(); err != nil {
		l.lose(err.Error())
		return false
	}
	return n == len(l.job.scratch)
}

// take deals with the whole frames that have come.
func (l *link) take() error {
	if !l.greeted {
		if err := l.greet(); err != nil || !l.greeted {
			return err
		}
	}
	rest := l.in
	for !l.gone {
		f, after, ok, err := nextFrame(rest)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		rest = after
		if err := l.job.fromProxy(l, &f); err != nil {
			return err
		}
	}
	l.in = append(l.in[:0], rest...)
	return nil
}

// greet looks for the line by which the proxy answers. What the shells of other hosts write ahead of it is
// dropped.
func (l *link) greet() error {
	for {
		end := bytes.IndexByte(l.in, '\n')
		if end < 0 {
			if len(l.in) > 1<<20 {
				return fmt.Errorf("what has been started there is no %s", l.job.spec.Proxy)
			}
			return nil
		}
		words := strings.Fields(string(l.in[:end]))
		l.in = l.in[end+1:]
		if len(words) < 4 || words[0] != greeting {
			continue
		}
		switch version, machine := words[2], words[3]; {
		case version != l.job.spec.Version || words[1] != protocol:
			return fmt.Errorf("%s is gompi %s there, and %s here", l.job.spec.Proxy, version, l.job.spec.Version)
		case machine != Architecture():
			return fmt.Errorf("its processors are %s, and %s here", machine, Architecture())
		}
		if len(words) == 8 { // the four words of SSH_CONNECTION
			l.seenAs, l.host.address = words[4], words[6]
		}
		l.greeted = true
		l.errs.show()
		return nil
	}
}

// note notes how the command has ended, ahead of its number being given up.
func (l *link) note(status unix.WaitStatus) { l.exited, l.status = true, status }

// starterWatch hears when the command has ended.
type starterWatch struct{ *link }

func (s starterWatch) ready(uint32) {
	l := s.link
	if !l.exited {
		pid, status := endedChild(l.pid)
		if pid != l.pid {
			return
		}
		l.note(status)
		waitFor(pid)
	}
	l.job.loop.forget(l.pidfd)
	unix.Close(l.pidfd)
	l.pidfd = -1
	for l.receive() {
	}
	l.errs.ready(0)
	l.broken()
}

// broken gives the link up because its stream or its command has ended.
func (l *link) broken() {
	if l.gone {
		return
	}
	shell, last := baseName(l.job.spec.Shell[0]), l.errs.last()
	why := ""
	switch {
	case last != "":
		why = shell + ": " + strings.TrimPrefix(last, shell+": ")
	case !l.exited:
		why = shell + " has closed the connection"
	case l.status.Signaled():
		why = fmt.Sprintf("%s was killed by signal %d (%s)", shell, l.status.Signal(), signalName(l.status.Signal()))
	default:
		why = fmt.Sprintf("%s ended with code %d", shell, l.status.ExitStatus())
	}
	switch code := l.status.ExitStatus(); {
	case l.greeted:
		why = "the connection is lost: " + why
	case l.exited && code == ExitNotFound:
		why = fmt.Sprintf("there is no %s (%s)", l.job.spec.Proxy, why)
	case l.exited && code == ExitNotRunnable:
		why = fmt.Sprintf("%s cannot be run there (%s)", l.job.spec.Proxy, why)
	}
	l.lose(why)
}

// refused reports whether the command says by its exit code that it has not reached the host.
func (l *link) refused() bool {
	const noConnection = 255 // of ssh
	return !l.greeted && l.exited && l.status.ExitStatus() == noConnection
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// lose gives the link up, and with it the ranks behind it.
func (l *link) lose(why string) {
	if l.gone {
		return
	}
	l.gone, l.heard = true, time.Now()
	l.kill()
	l.job.lostHost(l, why)
}

// kill ends the command and closes the link.
func (l *link) kill() {
	l.gone = true
	if !l.exited {
		unix.Kill(l.pid, unix.SIGKILL)
		for {
			var status unix.WaitStatus
			if _, err := unix.Wait4(l.pid, &status, 0, nil); err != unix.EINTR {
				l.note(status)
				break
			}
		}
	}
	for _, fd := range []*int{&l.fd, &l.pidfd, &l.errs.fd} {
		if *fd >= 0 {
			l.job.loop.forget(*fd)
			unix.Close(*fd)
			*fd = -1
		}
	}
}

// complaints is what the command writes to its standard error, and the proxy.
type complaints struct {
	link *link
	fd   int
	text []byte
}

// ready takes in what there is. Before the proxy answers it is kept: it may say why there will be no answer.
func (c *complaints) ready(uint32) {
	for c.fd >= 0 {
		var buf [4096]byte
		n, err := unix.Read(c.fd, buf[:])
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN {
			break
		}
		if err != nil || n <= 0 {
			c.link.job.loop.forget(c.fd)
			unix.Close(c.fd)
			c.fd = -1
			break
		}
		c.text = append(c.text, buf[:n]...)
		if len(c.text) > 64<<10 {
			c.text = c.text[len(c.text)-32<<10:]
		}
	}
}

// last is the last line that says something, "" for none.
func (c *complaints) last() string {
	c.ready(0)
	text := strings.TrimSpace(string(c.text))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// show passes on what has been kept.
func (c *complaints) show() {
	c.ready(0)
	for _, line := range strings.Split(string(c.text), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			c.link.job.say("host %s: %s", c.link.host.name, line)
		}
	}
	c.text = nil
}

// socketAddress is an address for bind, and its family; nil when the text is none.
func socketAddress(text string) (int, unix.Sockaddr) {
	a, err := netip.ParseAddr(text)
	switch {
	case err != nil:
		return 0, nil
	case a.Unmap().Is4():
		return unix.AF_INET, &unix.SockaddrInet4{Addr: a.Unmap().As4()}
	}
	return unix.AF_INET6, &unix.SockaddrInet6{Addr: a.As16()}
}
