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
	"gompi/launch/world"
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
func (j *job) startWorld(w *world.World) error {
	if err := j.populate(w); err != nil {
		return err
	}
	if err := j.orderRanks(w); err != nil {
		return err
	}
	for _, n := range w.Nodes {
		if n.Link() == nil {
			if err := j.startNode(w, n); err != nil {
				return err
			}
		}
	}
	if err := j.awaitNodes(w); err != nil {
		return err
	}
	j.showToTools(w)
	w.StartAll()
	return nil
}

// populate makes the ranks of a world and its nodes, without processes.
func (j *job) populate(w *world.World) error {
	nodes := map[*host.Host]*world.Node{}
	for i := range w.Apps {
		for range w.Apps[i].Ranks {
			number := len(w.Ranks)
			h := j.hostOf(w, number)
			here := nodes[h]
			if here == nil {
				here = &world.Node{Host: h}
				nodes[h] = here
				w.Nodes = append(w.Nodes, here)
			}
			r := w.NewRank(j.user, here, number, i)
			r.Stdin = w.ID == 0 && number == j.spec.StdinRank
			r.Debug = w.ID == 0 && j.spec.Debug != nil && j.spec.Debug(number)
			if file := j.spec.OutputFile; file != nil {
				r.Files = [2]string{file(r.Label(), r.HostName(), false), file(r.Label(), r.HostName(), true)}
			}
			if w.ID == 0 && j.spec.Processors != nil {
				r.Cpus = j.spec.Processors(number)
			}
		}
	}
	if len(w.Nodes) > 1 {
		where := make([]int, len(w.Ranks))
		for i, r := range w.Ranks {
			where[i] = slices.Index(w.Nodes, r.Node)
		}
		w.Values[pmi.MappingKey] = pmi.FormatMapping(where)
	}
	if w.Abroad() {
		w.Fresh = map[string]string{}
		return shm.Random(w.Identity[:])
	}
	return nil
}

// startNode starts the ranks of a world that run on this machine.
func (j *job) startNode(w *world.World, here *world.Node) error {
	paths := make([]string, len(w.Apps))
	bases := make([][]string, len(w.Apps))
	last := -1
	for _, r := range w.Ranks {
		if r.Node != here {
			continue
		}
		last = r.Number
		app := &w.Apps[r.App]
		if paths[r.App] != "" {
			continue
		}
		if len(app.Argv) == 0 {
			return fmt.Errorf("no program to run")
		}
		path, err := app.Lookup()
		if err != nil {
			return err
		}
		paths[r.App], bases[r.App] = path, pmi.WithoutStartup(app.Env)
		if name := process.OpenMPILibrary(process.Within(app.Dir, path)); name != "" {
			j.Say("program %q is built with Open MPI (%s): under this mpiexec each of its ranks is alone; build it with gompi's mpicc", app.Argv[0], name)
		}
	}
	var err error
	if here.Segment, err = shm.CreateJob(here.Size); err != nil {
		return err
	}
	if w.Identity != (shm.JobID{}) {
		shm.SetID(here.Segment, w.Identity)
	}
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/null: %w", err)
	}
	defer unix.Close(null)
	started := make([]int, len(w.Apps))
	for _, r := range w.Ranks {
		if r.Node != here {
			continue
		}
		if err := j.startRank(r, &w.Apps[r.App], paths[r.App], bases[r.App], null); err != nil {
			return &rankError{program: r.App, started: started[r.App], err: err}
		}
		started[r.App]++
		if r.Number == last && j.up == nil { // before anybody can see what the last one writes
			if err := j.signals.started(); err != nil {
				return err
			}
		}
		// Starting a rank takes long where those that run already use all processors: deaths, output and
		// requests do not wait for the last one.
		if err := j.turn(time.Now()); err != nil {
			return err
		}
		if w.Failing {
			return errEnding
		}
	}
	return nil
}

// errEnding says that a world has failed while its ranks were being started.
var errEnding = errors.New("the job is being ended")

// startRank starts one rank, with its PMI socket and its outputs.
func (j *job) startRank(r *world.Rank, app *process.App, path string, base []string, null int) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return process.TooMany("a socket", err)
	}
	defer unix.Close(pair[1])
	r.Conn = world.NewConn(j.user, r, pair[0])
	app, path, err = r.InDebugger(app, path)
	if err != nil {
		return err
	}
	in := null
	if r.Debug {
		var closeIn func()
		if in, closeIn, err = r.OpenCommands(j.loop); err != nil {
			return err
		}
		defer closeIn()
	} else if r.Stdin {
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
		uintptr(r.Node.Segment.FD())}
	r.Pid, r.Pidfd, err = process.Start(path, app, r.Environment(base, j.spec.Cores, j.nodeCores()), files)
	free()
	if err != nil {
		r.Pid = 0
		if err == unix.EAGAIN || err == unix.ENOMEM {
			return fmt.Errorf("%s cannot be started: %w (limit of processes or memory, see ulimit -u)", r, err)
		}
		return process.ExplainExec(app.Argv[0], path, app.Dir, err)
	}
	j.living++
	r.World.Living++
	if j.up != nil {
		j.up.send(r.Frame(host.FrameStarted, []byte(strconv.Itoa(r.Pid))))
	}
	if r.Pidfd >= 0 {
		if err := j.loop.Watch(r.Pidfd, unix.EPOLLIN, exitWatch{j, r}); err != nil {
			return err
		}
	} else {
		j.signals.watchChildren()
	}
	return j.loop.Watch(r.Conn.Fd, unix.EPOLLIN, r.Conn)
}

// output makes one output of a rank: the descriptor for the process, and what to call once it has started.
func (j *job) output(r *world.Rank, isErr bool) (fd int, done func(), err error) {
	queue := j.out.Stdout
	if isErr {
		queue = j.out.Stderr
	}
	which := 0
	if isErr {
		which = 1
	}
	if name := r.Files[which]; name != "" {
		fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o666)
		if err != nil {
			return 0, nil, fmt.Errorf("output file %q: %w", name, err)
		}
		return fd, func() { unix.Close(fd) }, nil
	}
	// A single rank has nobody to share lines with, and /dev/null shows none: such a rank gets the descriptor
	// itself, and finds a terminal where there is one.
	if j.up == nil && !r.Debug && (queue.Null ||
		r.World.ID == 0 && r.World.Size() == 1 && j.spec.Label == nil && !j.spec.Timestamps) {
		return queue.Fd, func() {}, nil
	}
	ours, theirs, ok := -1, -1, false
	// A debugger's standard error is where the program writes.
	if j.out.Window != nil && isErr == r.Debug {
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
	queue.Join(j.newStream(r, isErr, ours))
	return theirs, func() { unix.Close(theirs) }, nil
}

// newStream makes what relays an output of a rank. fd is our end of it, -1 for a rank on another host.
func (j *job) newStream(r *world.Rank, isErr bool, fd int) *output.Stream {
	label := ""
	if j.spec.Label != nil {
		label = j.spec.Label(r.Label(), r.HostName(), isErr)
	}
	queue, at := j.out.Stdout, &r.Out
	if isErr {
		at = &r.Err
		if !r.Debug { // of a debugger it is all that the program writes
			queue = j.out.Stderr
		}
	}
	s := queue.Stream(fd, label, j.spec.Timestamps)
	if r.Away() {
		s.Hold = func(on bool) { r.Hold(isErr, on) }
	}
	switch {
	case j.up == nil && j.dialog != nil && r.Debug && !isErr:
		s.Forward = func(text []byte) { j.dialog.took(r, text) }
	case j.up != nil:
		s.Forward = func(text []byte) { j.up.output(r, isErr, text) }
	}
	*at = s
	return s
}
