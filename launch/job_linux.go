package launch

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gompi/shm"
	"gompi/wire/source"

	"golang.org/x/sys/unix"
)

// job is a running job. All of it belongs to the goroutine that called Run.
type job struct {
	spec     *Spec
	loop     *loop
	names    names
	worlds   []*world      // the first one is that of the command line
	spawned  int           // worlds that ranks have asked for
	ranks    []*rank       // of all worlds
	living   int           // ranks not waited for yet
	started  int           // processes in all
	hosts    []*host       // none when all ranks are started here
	pushed   []pushed      // files for other hosts
	commands []*command    // that lead to other hosts
	up       *uplink       // to the launcher, of which this is the proxy on another host; nil otherwise
	feed     *feed         // of standard input to a rank; nil while none reads it
	window   *unix.Winsize // of the terminal that standard output is; nil when it is none
	stdout   *sink
	stderr   *sink
	signals  *signals
	oom      oomCounter
	end      verdict
	lost     []*rank      // that have failed, and the job went on
	lostCode int          // that of the first of them, where survivors decide on the exit code
	survived bool         // some rank has lived to its end
	retired  int          // ranks of spawned worlds that have ended and are forgotten
	failed   []*world     // whose end is being arranged
	asked    []request    // to start programs, not served yet
	heard    time.Time    // when a rank last wrote anything
	wake     time.Time    // when to look at idle lines, zero for never
	limit    time.Time    // when the time limit is over, zero for never
	watch    watch        // of the ranks' sleep
	question *question    // to all ranks, what they wait for; nil while there is none
	asks     int          // questions so far
	files    source.Files // of the ranks, for their lines of source
	closing  bool         // the proxies are being ended
	scratch  []byte
}

// tick is the longest that the loop sleeps: processes that ranks left behind are waited for then.
const tick = 10 * time.Second

// Run runs a job to its end and returns the exit code for the launcher. It must be called on the main thread
// of the process, with the goroutine locked to it, because the ranks live as long as that thread.
func Run(spec *Spec) int {
	var j *job
	err := shm.OpenPoller()
	if err == nil {
		j, err = newJob(spec)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", spec.Name, err)
		return ExitSetup
	}
	if err := j.start(); err != nil && err != errEnding {
		j.killNow()
		j.say("%v", err)
		var e *startError
		if errors.As(err, &e) {
			return e.code
		}
		return ExitSetup
	}
	return j.toEnd()
}

// toEnd serves the job, whose ranks run, to its end and returns the exit code for the launcher.
func (j *job) toEnd() int {
	if err := j.signals.started(); err != nil {
		j.killNow()
		j.say("%v", err)
		return ExitSetup
	}
	j.run()
	return j.exitCode()
}

// newJob makes a job that has no processes yet.
func newJob(spec *Spec) (*job, error) {
	if n := spec.Size(); spec.Recovery && n > shm.MaxRecoverable {
		return nil, fmt.Errorf("a job of %d ranks cannot survive deaths: at most %d are possible", n, shm.MaxRecoverable)
	}
	j := &job{spec: spec, names: names{}, scratch: make([]byte, 64<<10)}
	var err error
	if j.loop, err = newLoop(); err != nil {
		return nil, err
	}
	if j.signals, err = newSignals(j); err != nil {
		return nil, err
	}
	j.openAsking()
	j.stdout, j.stderr = newSink(j, 1), newSink(j, 2)
	j.stderr.joinDisplay(j.stdout)
	if j.stdout.tty {
		if j.window, err = unix.IoctlGetWinsize(1, unix.TIOCGWINSZ); err != nil {
			j.window = &unix.Winsize{}
		}
	}
	return j, nil
}

// start starts the programs of the command line.
func (j *job) start() error {
	if j.spec.Timeout > 0 {
		j.limit = time.Now().Add(j.spec.Timeout)
	}
	// Orphans of the ranks become our children, so that none outlives the job unseen.
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	j.oom.begin()
	universe := j.spec.UniverseSize
	if universe == 0 {
		universe = j.spec.Size()
	}
	if err := j.connect(); err != nil {
		return err
	}
	return j.startWorld(newWorld(0, j.spec.Apps, universe))
}

// run serves the job until all of it is over.
func (j *job) run() {
	j.reapAll() // whoever ended before there was anybody to tell
	for j.living > 0 || j.undecided() {
		if err := j.turn(j.nextTime()); err != nil {
			j.say("%v", err)
			j.failAll(ExitSetup)
			j.killNow()
			return
		}
		j.serveSpawns()
		j.retire()
	}
	j.question = nil
	j.closeLinks()
	j.sweep()
	j.finishOutput()
	j.tally()
	j.exitCodes()
	j.flushSinks()
}

// turn waits for what happens until then and deals with it.
func (j *job) turn(until time.Time) error {
	err := j.loop.wait(until)
	j.timers(time.Now())
	return err
}

// undecided reports whether some end is still to be judged.
func (j *job) undecided() bool {
	for _, w := range j.worlds {
		if w.victim != nil {
			return true
		}
	}
	return false
}

// nextTime is when the loop must look at its timers.
func (j *job) nextTime() time.Time {
	next := time.Now().Add(tick)
	sooner := func(t time.Time) {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	sooner(j.wake)
	sooner(j.limit)
	sooner(j.lookTime())
	sooner(j.nextBeat())
	if j.question != nil {
		sooner(j.question.until)
	}
	for _, w := range j.worlds {
		sooner(w.killAt)
		sooner(w.wrapperAt)
		sooner(w.victimAt)
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
	j.beat(now)
	if j.overTime(now) && len(j.worlds) > 0 { // before that, connect finds it out
		j.limit = time.Time{}
		j.timedOut()
	}
	if due(j.watch.next) {
		j.look(now)
	}
	if q := j.question; q != nil && due(q.until) {
		j.conclude(q)
	}
	for _, w := range j.worlds {
		if due(w.wrapperAt) {
			j.wrapperLate(w)
		}
		if due(w.victimAt) {
			j.judgeVictim(w)
		}
		if due(w.killAt) {
			j.killLate(w, now)
		}
	}
	j.reapAll()
}

// finishOutput passes on what the ranks have written, now that all are gone. First come all lines that have
// an end.
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

// flushSinks waits until the readers have taken all output, or are gone, or the user interrupts the wait.
func (j *job) flushSinks() {
	for (len(j.stdout.queue) > 0 || len(j.stderr.queue) > 0) && !j.end.impatient {
		if j.loop.wait(time.Now().Add(tick)) != nil {
			return
		}
	}
}

// say tells the user one line.
func (j *job) say(format string, args ...any) {
	if j.up != nil {
		j.up.send(&frame{kind: frameSay, body: []byte(fmt.Sprintf(format, args...))})
		return
	}
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
