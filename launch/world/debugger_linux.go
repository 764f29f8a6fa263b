package world

import (
	"gompi/launch/host"
	"gompi/launch/loop"
	"gompi/launch/process"

	"golang.org/x/sys/unix"
)

// Ranks may run in debuggers, which are theirs on each host: gdb reads commands from a pipe, and what it
// writes to its standard output, in GDB/MI, goes to the console and not to the user. The program writes to
// the standard error of its gdb, and reads nothing. So both are relayed like those of any rank.

// debuggerWords start gdb for a program, whose words follow. Questions to the user would be for one rank
// among many.
func debuggerWords() []string {
	words := []string{"gdb", "-q", "--interpreter=mi"}
	for _, command := range []string{
		"set pagination off", "set confirm off", "set width 0", "set breakpoint pending on",
		"set print thread-events off", `set exec-wrapper sh -c 'exec "$0" "$@" </dev/null 1>&2'`,
	} {
		words = append(words, "-ex", command)
	}
	return append(words, "--args")
}

// InDebugger is what to start for a rank in place of a program, of which path is the file.
func (r *Rank) InDebugger(app *process.App, path string) (*process.App, string, error) {
	if !r.Debug {
		return app, path, nil
	}
	gdb, err := process.Lookup("gdb", "", process.Variable(app.Env, "PATH"))
	if err != nil {
		return nil, "", err
	}
	one := *app
	one.Argv = append(append(debuggerWords(), path), app.Argv[1:]...)
	return &one, gdb, nil
}

// commands is the launcher's end of a pipe by which a debugger is told what to do.
type commands struct {
	loop  *loop.Loop
	fd    int // -1 when it is closed
	queue []byte
}

// OpenCommands makes that pipe, and returns the debugger's end and what to call once it has started.
func (r *Rank) OpenCommands(l *loop.Loop) (fd int, done func(), err error) {
	var pipe [2]int
	if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
		return 0, nil, process.TooMany("a pipe", err)
	}
	unix.SetNonblock(pipe[1], true)
	r.commands = &commands{loop: l, fd: pipe[1]}
	return pipe[0], func() { unix.Close(pipe[0]) }, nil
}

// Tell gives the debugger of a rank a line, or has it interrupt its program.
func (r *Rank) Tell(line string, interrupt bool) {
	switch l := r.Node.Link(); {
	case l != nil:
		f := r.Frame(host.FrameTyped, []byte(line))
		f.Flag = interrupt
		l.Send(f)
	case interrupt:
		if r.Child() {
			unix.Kill(r.Pid, unix.SIGINT)
		}
	case r.commands != nil:
		r.commands.queue = append(r.commands.queue, line+"\n"...)
		r.commands.Ready(0)
	}
}

// Ready writes what is queued, as far as the pipe takes it.
func (c *commands) Ready(uint32) {
	for c.fd >= 0 && len(c.queue) > 0 {
		n, err := unix.Write(c.fd, c.queue)
		if err == unix.EINTR {
			continue
		}
		if err == unix.EAGAIN && c.loop.Watch(c.fd, unix.EPOLLOUT, c) == nil {
			return
		}
		if err != nil { // the debugger has ended, of which the loop hears by itself
			c.loop.Forget(c.fd)
			unix.Close(c.fd)
			c.fd = -1
			return
		}
		c.queue = c.queue[n:]
	}
	if c.fd >= 0 {
		c.loop.Forget(c.fd)
	}
}
