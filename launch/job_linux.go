package launch

import (
	"fmt"
	"os"
	"strings"
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// job is a running job. All of it belongs to the goroutine that called Run.
type job struct {
	spec    *Spec
	loop    *loop
	names   names
	nodes   []*node
	worlds  []*world
	ranks   []*rank // of all worlds
	living  int     // ranks not waited for yet
	stdout  *sink
	stderr  *sink
	signals *signals
	oom     oomCounter
	end     ending
	heard   time.Time // when a rank last wrote anything
	wake    time.Time // when to look at idle lines, zero for never
	limit   time.Time // when the time limit is over, zero for never
	scratch []byte
}

// tick is the longest that the loop sleeps: processes that ranks left behind are waited for then.
const tick = 10 * time.Second

// Run runs a job to its end and returns the exit code for the launcher. It must be called on the main thread of the
// process, with the goroutine locked to it, because the ranks live as long as that thread.
func Run(spec *Spec) int {
	j := &job{spec: spec, names: names{}, scratch: make([]byte, 64<<10)}
	var err error
	if j.loop, err = newLoop(); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", spec.Name, err)
		return ExitSetup
	}
	j.stdout, j.stderr = newSink(j, 1), newSink(j, 2)
	j.stderr.joinDisplay(j.stdout)
	if err := j.start(); err != nil {
		j.killNow()
		j.say("%v", err)
		if e, ok := err.(*startError); ok {
			return e.code
		}
		return ExitSetup
	}
	j.signals = catchSignals(j)
	j.run()
	return j.end.code
}

// start starts all ranks.
func (j *job) start() error {
	n := j.spec.Size()
	paths := make([]string, len(j.spec.Apps))
	for i := range j.spec.Apps {
		app := &j.spec.Apps[i]
		if len(app.Argv) == 0 {
			return fmt.Errorf("no program to run")
		}
		path, err := lookup(app.Argv[0], app.Dir, variable(app.Env, "PATH"))
		if err != nil {
			return err
		}
		paths[i] = path
	}
	segment, err := shm.CreateJob(n)
	if err != nil {
		return err
	}
	local := &node{segment: segment, size: n}
	j.nodes = []*node{local}
	universe := j.spec.UniverseSize
	if universe == 0 {
		universe = n
	}
	w := newWorld(0, make([]int, n), universe)
	j.worlds = []*world{w}
	w.ranks = make([]*rank, n)
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/dev/null: %w", err)
	}
	defer unix.Close(null)
	if j.spec.Timeout > 0 {
		j.limit = time.Now().Add(j.spec.Timeout)
	}
	// Orphans of the ranks become our children, so that none outlives the job unseen.
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

	number := 0
	for i := range j.spec.Apps {
		app := &j.spec.Apps[i]
		base := withoutStartup(app.Env)
		for range app.Ranks {
			r := &rank{number: number, app: i, world: w, node: local, nodeRank: number, pidfd: -1, innerfd: -1}
			w.ranks[number] = r
			j.ranks = append(j.ranks, r)
			if err := j.startRank(r, app, paths[i], base, null); err != nil {
				return err
			}
			number++
		}
	}
	return nil
}

// startRank starts one rank, with its PMI socket and its outputs.
func (j *job) startRank(r *rank, app *App, path string, base []string, null int) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return tooMany("a socket", err)
	}
	defer unix.Close(pair[1])
	r.conn = &conn{job: j, rank: r, fd: pair[0]}
	unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_PASSCRED, 1)
	in := null
	if r.number == j.spec.StdinRank {
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
	files := []uintptr{uintptr(in), uintptr(out), uintptr(errOut), uintptr(pair[1]), uintptr(r.node.segment.FD())}
	r.pid, r.pidfd, err = fork(path, app, r.environment(base), files)
	if err != nil {
		r.pid = 0
		if err == unix.EAGAIN || err == unix.ENOMEM {
			return fmt.Errorf("rank %d cannot be started: %w (limit of processes or memory, see ulimit -u)", r.number, err)
		}
		return explainExec(app.Argv[0], path, app.Dir, err)
	}
	j.living++
	if r.pidfd >= 0 {
		if err := j.loop.watch(r.pidfd, unix.EPOLLIN, exitWatch{j, r}); err != nil {
			return err
		}
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
		if name := j.spec.OutputFile(r.number, isErr); name != "" {
			fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_CLOEXEC, 0o666)
			if err != nil {
				return 0, nil, fmt.Errorf("output file %q: %w", name, err)
			}
			return fd, func() { unix.Close(fd) }, nil
		}
	}
	// A single rank has nobody to share lines with, and /dev/null shows none: such a rank gets the descriptor
	// itself, and finds a terminal where there is one.
	if sink.null || (j.spec.Size() == 1 && j.spec.Label == nil) {
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
	if j.spec.Label != nil {
		s.label = j.spec.Label(r.number, isErr)
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

// run serves the job until all of it is over.
func (j *job) run() {
	j.oom.readAt = time.Now().Add(oomDelay)
	j.reapAll() // whoever ended before there was anybody to tell
	for j.living > 0 || j.end.victim != nil {
		if err := j.loop.wait(j.nextTime()); err != nil {
			j.say("%v", err)
			j.fail(ExitSetup)
			j.killNow()
			return
		}
		j.timers(time.Now())
	}
	j.sweep()
	j.finishOutput()
	j.flushSinks()
}

// nextTime is when the loop must look at its timers.
func (j *job) nextTime() time.Time {
	next := time.Now().Add(tick)
	for _, t := range []time.Time{j.wake, j.limit, j.end.killAt, j.end.wrapperAt, j.end.victimAt, j.oom.readAt} {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	return next
}

// wakeAt has the loop look at idle lines no later than t.
func (j *job) wakeAt(t time.Time) {
	if j.wake.IsZero() || t.Before(j.wake) {
		j.wake = t
	}
}

// timers does what has become due.
func (j *job) timers(now time.Time) {
	due := func(t time.Time) bool { return !t.IsZero() && !now.Before(t) }
	if due(j.wake) {
		j.wake = time.Time{}
		j.stdout.display.expire(now)
		j.stderr.display.expire(now)
		for _, r := range j.ranks {
			for _, s := range []*stream{r.out, r.err} {
				if s == nil {
					continue
				}
				if again := s.showIdle(now); !again.IsZero() {
					j.wakeAt(again)
				}
			}
		}
	}
	if due(j.limit) {
		j.limit = time.Time{}
		j.timedOut()
	}
	if due(j.oom.readAt) {
		j.oom.begin()
	}
	if due(j.end.wrapperAt) {
		j.wrapperLate()
	}
	if due(j.end.victimAt) {
		j.judgeVictim()
	}
	if due(j.end.killAt) {
		j.killLate(now)
	}
	j.reapAll()
}

// finishOutput passes on what the ranks have written, now that all are gone. First come all lines that have an end.
func (j *job) finishOutput() {
	for _, r := range j.ranks {
		for _, s := range []*stream{r.out, r.err} {
			if s != nil {
				s.drain()
				s.close()
			}
		}
	}
	for _, r := range j.ranks {
		for _, s := range []*stream{r.out, r.err} {
			if s != nil {
				s.showPartial()
			}
		}
	}
}

// flushSinks waits until the readers have taken all output, or are gone, or the user loses patience.
func (j *job) flushSinks() {
	for (len(j.stdout.queue) > 0 || len(j.stderr.queue) > 0) && !j.end.impatient {
		if j.loop.wait(time.Now().Add(tick)) != nil {
			return
		}
	}
}

// say tells the user one line.
func (j *job) say(format string, args ...any) {
	text := j.spec.Name + ": " + fmt.Sprintf(format, args...) + "\n"
	(&stream{job: j, sink: j.stderr}).emit([]byte(text))
}

// variable is the value of an environment variable, "" when there is none.
func variable(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name); ok && strings.HasPrefix(v, "=") {
			return v[1:]
		}
	}
	return ""
}

// withoutStartup drops what an outer launcher said to its own process.
func withoutStartup(env []string) []string {
	out := make([]string, 0, len(env))
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "PMI_FD", "PMI_RANK", "PMI_SIZE", "PMI_PORT", "PMI_ID", "PMI_SPAWNED", "PMI_JOBID", "MPI_LOCALNRANKS",
			"MPI_LOCALRANKID", "GOMPI_SEGMENT_FD", "GOMPI_APPNUM", "GOMPI_UNIVERSE_SIZE", "GOMPI_LAUNCHER":
			continue
		}
		out = append(out, e)
	}
	return out
}
