package launch

import (
	"errors"
	"fmt"
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// rankError is a rank that could not be started for want of something that fewer ranks might have found.
type rankError struct {
	program int // its index among those of the world
	started int // ranks of that program that had been started
	err     error
}

func (e *rankError) Error() string { return e.err.Error() }

func (e *rankError) Unwrap() error { return e.err }

// startWorld starts all ranks of a world, which then belongs to the job. After an error some may run; the
// caller ends them.
func (j *job) startWorld(w *world) error {
	paths := make([]string, len(w.apps))
	for i := range w.apps {
		app := &w.apps[i]
		if len(app.Argv) == 0 {
			return fmt.Errorf("no program to run")
		}
		path, err := app.lookup()
		if err != nil {
			return err
		}
		paths[i] = path
		if name := openMPI(within(app.Dir, path)); name != "" {
			j.say("program %q is built with Open MPI (%s): under this mpiexec each of its ranks is alone; build it with gompi's mpicc", app.Argv[0], name)
		}
	}
	n := w.size()
	segment, err := shm.CreateJob(n)
	if err != nil {
		return err
	}
	here := &node{segment: segment, size: n}
	w.nodes = []*node{here}
	j.worlds = append(j.worlds, w)
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/null: %w", err)
	}
	defer unix.Close(null)
	for i := range w.apps {
		app := &w.apps[i]
		base := withoutStartup(app.Env)
		for k := range app.Ranks {
			number := len(w.ranks)
			r := &rank{number: number, app: i, world: w, node: here, nodeRank: number, pidfd: -1, innerfd: -1}
			r.conn = &conn{job: j, rank: r, fd: -1} // as long as it has no socket
			w.ranks = append(w.ranks, r)
			j.ranks = append(j.ranks, r)
			if err := j.startRank(r, app, paths[i], base, null); err != nil {
				return &rankError{program: i, started: k, err: err}
			}
			// Starting a rank takes long where those that run already use all processors: deaths, output and
			// requests do not wait for the last one.
			if err := j.turn(time.Now()); err != nil {
				return err
			}
			if w.failing {
				return errEnding
			}
		}
	}
	shm.SetStarted(segment)
	return nil
}

// errEnding says that a world has failed while its ranks were being started.
var errEnding = errors.New("the job is being ended")

// startRank starts one rank, with its PMI socket and its outputs.
func (j *job) startRank(r *rank, app *App, path string, base []string, null int) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return tooMany("a socket", err)
	}
	defer unix.Close(pair[1])
	r.conn = newConn(j, r, pair[0])
	in := null
	if r.world.id == 0 && r.number == j.spec.StdinRank {
		in = 0
	}
	out, closeOut, err := j.output(r, false)
	if err != nil {
		return err
	}
	defer closeOut()
	errOut := out
	if !j.spec.MergeStderr {
		var closeErr func()
		if errOut, closeErr, err = j.output(r, true); err != nil {
			return err
		}
		defer closeErr()
	}
	files := []uintptr{uintptr(in), uintptr(out), uintptr(errOut), uintptr(pair[1]),
		uintptr(r.node.segment.FD())}
	free := j.bind(r)
	r.pid, r.pidfd, err = fork(path, app, r.environment(base), files)
	free()
	if err != nil {
		r.pid = 0
		if err == unix.EAGAIN || err == unix.ENOMEM {
			return fmt.Errorf("%s cannot be started: %w (limit of processes or memory, see ulimit -u)", r, err)
		}
		return explainExec(app.Argv[0], path, app.Dir, err)
	}
	j.living++
	r.world.living++
	if r.pidfd >= 0 {
		if err := j.loop.watch(r.pidfd, unix.EPOLLIN, exitWatch{j, r}); err != nil {
			return err
		}
	} else {
		j.signals.watchChildren()
	}
	return j.loop.watch(r.conn.fd, unix.EPOLLIN, r.conn)
}

// output makes one output of a rank: the descriptor for the process, and what to call once it has started.
func (j *job) output(r *rank, isErr bool) (fd int, done func(), err error) {
	sink := j.stdout
	if isErr {
		sink = j.stderr
	}
	if j.spec.OutputFile != nil {
		if name := j.spec.OutputFile(r.label(), isErr); name != "" {
			fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o666)
			if err != nil {
				return 0, nil, fmt.Errorf("output file %q: %w", name, err)
			}
			return fd, func() { unix.Close(fd) }, nil
		}
	}
	// A single rank has nobody to share lines with, and /dev/null shows none: such a rank gets the descriptor
	// itself, and finds a terminal where there is one.
	if sink.null || (r.world.id == 0 && r.world.size() == 1 && j.spec.Label == nil && !j.spec.Timestamps) {
		return sink.fd, func() {}, nil
	}
	ours, theirs, ok := -1, -1, false
	if sink.tty && !isErr {
		ours, theirs, ok = openTerminal(sink.fd)
	}
	if !ok {
		var pipe [2]int
		if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
			return 0, nil, tooMany("a pipe", err)
		}
		ours, theirs = pipe[0], pipe[1]
		unix.SetNonblock(ours, true)
	}
	s := &stream{job: j, rank: r, fd: ours, sink: sink}
	s.timed = j.spec.Timestamps
	if j.spec.Label != nil {
		s.label = j.spec.Label(r.label(), isErr)
	}
	if isErr {
		r.err = s
	} else {
		r.out = s
	}
	sink.join(s)
	return theirs, func() { unix.Close(theirs) }, nil
}

// tooMany explains why a descriptor could not be had.
func tooMany(what string, err error) error {
	if err == unix.EMFILE || err == unix.ENFILE {
		return fmt.Errorf("too many ranks for the limit of open files (see ulimit -n): no descriptor for %s", what)
	}
	return fmt.Errorf("%s for a rank: %w", what, err)
}
