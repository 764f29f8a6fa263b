package launch

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gompi/launch/host"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/shm"
	"gompi/wire/pmi"

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
	if err := j.populate(w); err != nil {
		return err
	}
	if err := j.orderRanks(w); err != nil {
		return err
	}
	for _, n := range w.nodes {
		if n.link() == nil {
			if err := j.startNode(w, n); err != nil {
				return err
			}
		}
	}
	if err := j.awaitNodes(w); err != nil {
		return err
	}
	w.startAll()
	return nil
}

// populate makes the ranks of a world and its nodes, without processes.
func (j *job) populate(w *world) error {
	nodes := map[*host.Host]*node{}
	for i := range w.apps {
		for range w.apps[i].Ranks {
			number := len(w.ranks)
			h := j.hostOf(w, number)
			here := nodes[h]
			if here == nil {
				here = &node{host: h}
				nodes[h] = here
				w.nodes = append(w.nodes, here)
			}
			r := j.newRank(w, here, number, i)
			r.stdin = w.id == 0 && number == j.spec.StdinRank
			if file := j.spec.OutputFile; file != nil {
				r.files = [2]string{file(r.label(), r.hostName(), false), file(r.label(), r.hostName(), true)}
			}
			if w.id == 0 && j.spec.Processors != nil {
				r.cpus = j.spec.Processors(number)
			}
		}
	}
	if len(w.nodes) > 1 {
		where := make([]int, len(w.ranks))
		for i, r := range w.ranks {
			where[i] = slices.Index(w.nodes, r.node)
		}
		w.kvs[pmi.MappingKey] = pmi.FormatMapping(where)
	}
	if w.abroad() {
		w.fresh = map[string]string{}
		return shm.Random(w.identity[:])
	}
	return nil
}

// newRank makes a rank of a node, without a process.
func (j *job) newRank(w *world, here *node, number, app int) *rank {
	r := &rank{number: number, app: app, world: w, node: here, nodeRank: here.size, pidfd: -1, innerfd: -1}
	here.size++
	r.conn = &conn{job: j, rank: r, fd: -1} // as long as it has no socket
	w.ranks = append(w.ranks, r)
	return r
}

// startNode starts the ranks of a world that run on this machine.
func (j *job) startNode(w *world, here *node) error {
	paths := make([]string, len(w.apps))
	bases := make([][]string, len(w.apps))
	last := -1
	for _, r := range w.ranks {
		if r.node != here {
			continue
		}
		last = r.number
		app := &w.apps[r.app]
		if paths[r.app] != "" {
			continue
		}
		if len(app.Argv) == 0 {
			return fmt.Errorf("no program to run")
		}
		path, err := app.Lookup()
		if err != nil {
			return err
		}
		paths[r.app], bases[r.app] = path, pmi.WithoutStartup(app.Env)
		if name := process.OpenMPILibrary(process.Within(app.Dir, path)); name != "" {
			j.Say("program %q is built with Open MPI (%s): under this mpiexec each of its ranks is alone; build it with gompi's mpicc", app.Argv[0], name)
		}
	}
	var err error
	if here.segment, err = shm.CreateJob(here.size); err != nil {
		return err
	}
	if w.identity != (shm.JobID{}) {
		shm.SetID(here.segment, w.identity)
	}
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/null: %w", err)
	}
	defer unix.Close(null)
	started := make([]int, len(w.apps))
	for _, r := range w.ranks {
		if r.node != here {
			continue
		}
		if err := j.startRank(r, &w.apps[r.app], paths[r.app], bases[r.app], null); err != nil {
			return &rankError{program: r.app, started: started[r.app], err: err}
		}
		started[r.app]++
		if r.number == last && j.up == nil { // before anybody can see what the last one writes
			if err := j.signals.started(); err != nil {
				return err
			}
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
	return nil
}

// enter takes a world into the job.
func (j *job) enter(w *world) {
	j.worlds = append(j.worlds, w)
	j.ranks = append(j.ranks, w.ranks...)
}

// errEnding says that a world has failed while its ranks were being started.
var errEnding = errors.New("the job is being ended")

// startRank starts one rank, with its PMI socket and its outputs.
func (j *job) startRank(r *rank, app *process.App, path string, base []string, null int) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return process.TooMany("a socket", err)
	}
	defer unix.Close(pair[1])
	r.conn = newConn(j, r, pair[0])
	in := null
	if r.stdin {
		var closeIn func()
		if in, closeIn, err = j.input(r); err != nil {
			return err
		}
		defer closeIn()
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
	free := j.bind(r)
	files := []uintptr{uintptr(in), uintptr(out), uintptr(errOut), uintptr(pair[1]),
		uintptr(r.node.segment.FD())}
	r.pid, r.pidfd, err = process.Start(path, app, r.environment(base), files)
	free()
	if err != nil {
		r.pid = 0
		if err == unix.EAGAIN || err == unix.ENOMEM {
			return fmt.Errorf("%s cannot be started: %w (limit of processes or memory, see ulimit -u)", r, err)
		}
		return process.ExplainExec(app.Argv[0], path, app.Dir, err)
	}
	j.living++
	r.world.living++
	if j.up != nil {
		j.up.send(r.frame(host.FrameStarted, []byte(strconv.Itoa(r.pid))))
	}
	if r.pidfd >= 0 {
		if err := j.loop.Watch(r.pidfd, unix.EPOLLIN, exitWatch{j, r}); err != nil {
			return err
		}
	} else {
		j.signals.watchChildren()
	}
	return j.loop.Watch(r.conn.fd, unix.EPOLLIN, r.conn)
}

// output makes one output of a rank: the descriptor for the process, and what to call once it has started.
func (j *job) output(r *rank, isErr bool) (fd int, done func(), err error) {
	sink := j.out.Stdout
	if isErr {
		sink = j.out.Stderr
	}
	which := 0
	if isErr {
		which = 1
	}
	if name := r.files[which]; name != "" {
		fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o666)
		if err != nil {
			return 0, nil, fmt.Errorf("output file %q: %w", name, err)
		}
		return fd, func() { unix.Close(fd) }, nil
	}
	// A single rank has nobody to share lines with, and /dev/null shows none: such a rank gets the descriptor
	// itself, and finds a terminal where there is one.
	if j.up == nil && (sink.Null ||
		r.world.id == 0 && r.world.size() == 1 && j.spec.Label == nil && !j.spec.Timestamps) {
		return sink.Fd, func() {}, nil
	}
	ours, theirs, ok := -1, -1, false
	if j.out.Window != nil && !isErr {
		ours, theirs, ok = output.OpenTerminal(j.out.Window)
	}
	if !ok {
		var pipe [2]int
		if err := unix.Pipe2(pipe[:], unix.O_CLOEXEC); err != nil {
			return 0, nil, process.TooMany("a pipe", err)
		}
		ours, theirs = pipe[0], pipe[1]
		unix.SetNonblock(ours, true)
	}
	sink.Join(j.newStream(r, isErr, ours))
	return theirs, func() { unix.Close(theirs) }, nil
}

// newStream makes what relays an output of a rank. fd is our end of it, -1 for a rank on another host.
func (j *job) newStream(r *rank, isErr bool, fd int) *output.Stream {
	label := ""
	if j.spec.Label != nil {
		label = j.spec.Label(r.label(), r.hostName(), isErr)
	}
	sink, at := j.out.Stdout, &r.out
	if isErr {
		sink, at = j.out.Stderr, &r.err
	}
	s := sink.Stream(fd, label, j.spec.Timestamps)
	if r.away() {
		s.Hold = func(on bool) { r.hold(isErr, on) }
	}
	if j.up != nil {
		s.Forward = func(text []byte) { j.up.output(r, isErr, text) }
	}
	*at = s
	return s
}
