package host

import (
	"fmt"
	"os"
	"slices"
	"syscall"

	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// Command is a process that has started a proxy on another host, as ssh does: its standard input and output
// are the proxy's, by which nothing listens anywhere.
type Command struct {
	hosts *Hosts
	user  CommandUser
	fd    int // -1 once the stream has ended
	errs  int // standard error; -1 once that has ended
	pid   int
	pidfd int // -1 once the command has ended, or where there are none
	queue []byte
	// what follows the queue; nil for nothing
	source *os.File
	waits  bool // the loop tells us when the stream takes more
	held   bool // and does not read it
	exit   ExitStatus
}

// ExitStatus is how a command has ended.
type ExitStatus struct {
	exited bool // that is known
	status unix.WaitStatus
}

// CommandUser is told of a command.
type CommandUser interface {
	Stdout(text []byte)  // from its standard output, good during the call; empty at its end
	Stderr(text []byte)  // from its standard error, likewise
	Exited(f ExitStatus) // it has ended, or at least closed its output
}

// Execute starts a command.
func (hs *Hosts) Execute(argv []string, user CommandUser) (*Command, error) {
	path, err := process.Lookup(argv[0], "", os.Getenv("PATH"))
	if err != nil {
		return nil, err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, process.TooMany("a socket", err)
	}
	defer unix.Close(pair[1])
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		unix.Close(pair[0])
		return nil, process.TooMany("a pipe", err)
	}
	defer unix.Close(pipe[1])
	unix.SetNonblock(pipe[0], true)
	c := &Command{hosts: hs, user: user, fd: pair[0], errs: pipe[0], pidfd: -1}
	// In a process group of its own, so that keys on the terminal reach it through the launcher alone.
	c.pid, err = syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{uintptr(pair[1]), uintptr(pair[1]), uintptr(pipe[1])},
		Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, PidFD: &c.pidfd, Setpgid: true},
	})
	if err != nil {
		unix.Close(c.fd)
		unix.Close(c.errs)
		return nil, process.ExplainExec(argv[0], path, "", err)
	}
	hs.commands = append(hs.commands, c)
	if c.pidfd >= 0 {
		if err := hs.loop.Watch(c.pidfd, unix.EPOLLIN, commandEnd{c}); err != nil {
			return nil, err
		}
	}
	if err := hs.loop.Watch(c.errs, unix.EPOLLIN, commandErrors{c}); err != nil {
		return nil, err
	}
	return c, hs.loop.Watch(c.fd, unix.EPOLLIN, c)
}

// Write sends it text, or queues what the stream does not take.
func (c *Command) Write(text []byte) {
	if c.fd >= 0 {
		c.queue = append(c.queue, text...)
		c.flush()
	}
}

func (c *Command) flush() {
	for c.fd >= 0 && (len(c.queue) > 0 || c.refill()) {
		n, err := unix.SendmsgN(c.fd, c.queue, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		switch err {
		case nil:
			c.queue = c.queue[n:]
			continue
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			if !c.waits {
				c.waits = true
				c.watch()
			}
			return
		}
		break // the other end is gone, of which the loop hears by itself
	}
	c.queue = nil
	if c.waits {
		c.waits = false
		c.watch()
	}
}

// Hold has its output not be read, or be read again.
func (c *Command) Hold(on bool) {
	if c.held != on {
		c.held = on
		c.watch()
	}
}

// watch has the loop watch what matters now.
func (c *Command) watch() {
	var events uint32
	if !c.held {
		events |= unix.EPOLLIN
	}
	if c.waits {
		events |= unix.EPOLLOUT
	}
	switch {
	case c.fd < 0:
	case events == 0:
		c.hosts.loop.Forget(c.fd)
	case c.hosts.loop.Watch(c.fd, events, c) != nil:
		c.drop(&c.fd) // it could not be served
	}
}

// commandTurns bounds how often one command is read before others have their turn.
const commandTurns = 4

// Ready implements loop.Handler.
func (c *Command) Ready(events uint32) {
	if events&unix.EPOLLOUT != 0 {
		c.flush()
	}
	if events&^unix.EPOLLOUT != 0 {
		for range commandTurns {
			if !c.receive() {
				return
			}
		}
	}
}

// receive takes in one portion; false when there is none for now, or will be none any more.
func (c *Command) receive() bool {
	if c.fd < 0 {
		return false
	}
	n, _, err := unix.Recvfrom(c.fd, c.hosts.scratch, unix.MSG_DONTWAIT)
	if err == unix.EINTR {
		return true
	}
	if err == unix.EAGAIN {
		return false
	}
	if err != nil || n <= 0 {
		c.drop(&c.fd)
		if c.user.Stdout(nil); c.pidfd < 0 && !c.exit.exited {
			c.user.Exited(c.exit)
		}
		return false // where its end can be watched, that is when the cause is known
	}
	c.user.Stdout(c.hosts.scratch[:n])
	return n == len(c.hosts.scratch)
}

// commandErrors takes in what the command writes to its standard error.
type commandErrors struct{ *Command }

func (e commandErrors) Ready(uint32) {
	for c := e.Command; c.errs >= 0; {
		var buf [4096]byte
		n, err := unix.Read(c.errs, buf[:])
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return
		case err != nil || n <= 0:
			c.drop(&c.errs)
		default:
			c.user.Stderr(buf[:n])
		}
	}
}

// commandEnd hears when the command has ended.
type commandEnd struct{ *Command }

func (e commandEnd) Ready(uint32) {
	c := e.Command
	if !c.exit.exited {
		pid, status := process.Ended(c.pid)
		if pid != c.pid {
			return
		}
		c.Note(status)
		process.Reap(pid)
	}
	c.drop(&c.pidfd)
	for c.receive() {
	}
	commandErrors{c}.Ready(0)
	c.user.Exited(c.exit)
}

// Note notes how the command has ended, ahead of its number being given up.
func (c *Command) Note(status unix.WaitStatus) {
	c.exit = ExitStatus{true, status}
	c.hosts.commands = slices.DeleteFunc(c.hosts.commands, func(other *Command) bool { return other == c })
}

// drop closes one of its descriptors.
func (c *Command) drop(fd *int) {
	if *fd >= 0 {
		c.hosts.loop.Forget(*fd)
		unix.Close(*fd)
		*fd = -1
	}
}

// Kill ends the command.
func (c *Command) Kill() {
	if !c.exit.exited {
		unix.Kill(c.pid, unix.SIGKILL)
		for {
			var status unix.WaitStatus
			if _, err := unix.Wait4(c.pid, &status, 0, nil); err != unix.EINTR {
				c.Note(status)
				break
			}
		}
	}
	c.drop(&c.fd)
	c.drop(&c.pidfd)
	c.drop(&c.errs)
}

// CommandOf is the command that is the child of that number, nil for none.
func (hs *Hosts) CommandOf(pid int) *Command {
	for _, c := range hs.commands {
		if c.pid == pid {
			return c
		}
	}
	return nil
}

// Starters lists the commands that lead to proxies: they must outlive the ranks.
func (hs *Hosts) Starters() []int {
	var pids []int
	for _, c := range hs.commands {
		pids = append(pids, c.pid)
	}
	return pids
}

// explain tells in words how it has ended; shell is what it was.
func (f ExitStatus) explain(shell string) string {
	switch {
	case !f.exited:
		return shell + " has closed the connection"
	case f.status.Signaled():
		return fmt.Sprintf("%s was killed by signal %d (%s)", shell, f.status.Signal(), process.SignalName(f.status.Signal()))
	}
	return fmt.Sprintf("%s ended with code %d", shell, f.status.ExitStatus())
}

// Pack returns the body of a frame.
func (f ExitStatus) Pack() []byte {
	var p Packer
	p.Truth(f.exited)
	p.Number(int(f.status))
	return p
}

func unpackExitStatus(body []byte) (f ExitStatus, err error) {
	u := Unpacker{Rest: body}
	f.exited, f.status = u.Truth(), unix.WaitStatus(u.Number())
	return f, u.Err
}
