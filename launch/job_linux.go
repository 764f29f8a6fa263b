package launch

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gompi/launch/ask"
	"gompi/launch/host"
	"gompi/launch/loop"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"
	"gompi/wire/pmi"

	"golang.org/x/sys/unix"
)

// job is a running job. All of it belongs to the goroutine that called Run.
type job struct {
	*world.Table
	spec     *Spec
	loop     *loop.Loop
	user     *world.Server // of the connections of ranks
	server   server
	spawns   spawner
	living   int // ranks not waited for yet
	started  int // processes in all
	hosts    *host.Hosts
	up       *launcherConn // to the launcher, of which this is the proxy on another host; nil otherwise
	stdin    *stdinRelay   // of standard input to a rank; nil while none reads it
	out      *output.Relay // of standard output and standard error
	signals  *signals
	oom      process.OOMCounter
	end      jobEnd
	lost     []*world.Rank  // that have failed, and the job went on
	lostCode int            // that of the first of them, where survivors decide on the exit code
	survived bool           // some rank has lived to its end
	retired  int            // ranks of spawned worlds that have ended and are forgotten
	failed   []*world.World // whose end is being arranged
	limit    time.Time      // when the time limit is over, zero for never
	ask      *ask.Asker     // what the ranks wait for
	dialog   *dialog        // of the user with debuggers; nil without any
	closing  bool           // the proxies are being ended
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
		return process.ExitSetup
	}
	if err := j.start(); err != nil && err != errEnding {
		j.killNow()
		j.Say("%v", err)
		var e *process.StartError
		if errors.As(err, &e) {
			return e.Code
		}
		return process.ExitSetup
	}
	return j.toEnd()
}

// toEnd serves the job, whose ranks run, to its end and returns the exit code for the launcher.
func (j *job) toEnd() int {
	if err := j.signals.started(); err != nil {
		j.killNow()
		j.Say("%v", err)
		return process.ExitSetup
	}
	j.run()
	return j.exitCode()
}

// newJob makes a job that has no processes yet.
func newJob(spec *Spec) (*job, error) {
	if n := spec.Size(); spec.Recovery && n > shm.MaxRecoverable {
		return nil, fmt.Errorf("a job of %d ranks cannot survive deaths: at most %d are possible", n, shm.MaxRecoverable)
	}
	j := &job{Table: &world.Table{}, spec: spec, scratch: make([]byte, 64<<10)}
	var err error
	if j.loop, err = loop.New(); err != nil {
		return nil, err
	}
	if j.signals, err = newSignals(j); err != nil {
		return nil, err
	}
	j.server, j.spawns = server{job: j, names: names{}}, spawner{job: j}
	j.user = world.NewServer(j.loop, j.scratch, j.server.answer, j.protocolError)
	j.hosts = host.NewHosts(j.loop, j.scratch, spec.Remote, j)
	j.out = output.Open(j.loop, j.scratch, 1, 2)
	j.out.Lost = j.outputLost
	j.ask = ask.New(j.Table, j.hosts, j.out, spec.ReportJSON)
	j.ask.ReportHang = spec.ReportHang
	j.ask.OpenAsking(j.loop)
	return j, nil
}

// start starts the programs of the command line.
func (j *job) start() error {
	if j.spec.Timeout > 0 {
		j.limit = time.Now().Add(j.spec.Timeout)
	}
	// Orphans of the ranks become our children, so that none outlives the job unseen.
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	j.oom.Begin()
	universe := j.spec.UniverseSize
	if universe == 0 {
		universe = j.spec.Size()
	}
	if err := j.connect(); err != nil {
		return err
	}
	j.openDialog()
	return j.startWorld(world.New(0, j.spec.Apps, universe))
}

// run serves the job until all of it is over.
func (j *job) run() {
	j.reapAll() // whoever ended before there was anybody to tell
	for j.living > 0 || j.undecided() {
		if err := j.turn(j.nextTime()); err != nil {
			j.Say("%v", err)
			j.failAll(process.ExitSetup)
			j.killNow()
			return
		}
		j.spawns.serveSpawns()
		j.retire()
	}
	j.ask.Drop()
	j.closeHosts()
	j.sweep()
	output.Finish(j.Streams)
	j.tally()
	j.exitCodes()
	j.out.Flush(func() bool { return !j.end.impatient })
}

// turn waits for what happens until then and deals with it.
func (j *job) turn(until time.Time) error {
	err := j.loop.Wait(until)
	j.timers(time.Now())
	return err
}

// undecided reports whether some end is still to be judged.
func (j *job) undecided() bool {
	for _, w := range j.Worlds {
		if w.Victim != nil {
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
	sooner(j.out.Wake)
	sooner(j.limit)
	sooner(j.ask.Next())
	sooner(j.dialog.due())
	sooner(j.hosts.NextBeat())
	if j.up != nil {
		sooner(j.up.sent.Add(host.BeatTime))
	}
	for _, w := range j.Worlds {
		sooner(w.KillAt)
		sooner(w.WrapperAt)
		sooner(w.VictimAt)
	}
	return next
}

// timers does what has become due.
func (j *job) timers(now time.Time) {
	due := func(t time.Time) bool { return !t.IsZero() && !now.Before(t) }
	j.out.Expire(now, j.Streams)
	if j.up != nil {
		j.up.beat(now)
	}
	j.hosts.Beat(now)
	if j.overTime(now) && len(j.Worlds) > 0 { // before that, connect finds it out
		j.limit = time.Time{}
		j.timedOut()
	}
	j.ask.Due(now)
	j.dialog.tick(now)
	for _, w := range j.Worlds {
		if due(w.WrapperAt) {
			j.wrapperLate(w)
		}
		if due(w.VictimAt) {
			j.judgeVictim(w)
		}
		if due(w.KillAt) {
			j.killLate(w, now)
		}
	}
	j.reapAll()
}

// Say tells the user one line.
func (j *job) Say(format string, args ...any) {
	if j.up != nil {
		j.up.send(&host.Frame{Kind: host.FrameSay, Body: []byte(fmt.Sprintf(format, args...))})
		return
	}
	text := j.spec.Name + ": " + fmt.Sprintf(format, args...) + "\n"
	j.out.Say(text)
}

// relay serves one line that a rank of this host sent: what can be answered here, and the launcher the rest.
// What ranks put all of them see after a barrier, so that is what is known here. It returns false when the
// rank does not follow the protocol.
func (j *job) relay(r *world.Rank, line string) bool {
	c := r.Conn
	pass := func(kind host.FrameKind) {
		j.up.send(r.Frame(kind, []byte(line)))
	}
	if c.Inside {
		if strings.TrimRight(line, "\r") == "endcmd" {
			c.Inside, c.Lines.Longest = false, 0
		}
		pass(host.FrameAsk)
		return true
	}
	m, err := pmi.Parse(line)
	if err != nil {
		return false
	}
	if m.Multi {
		c.Inside, c.Lines.Longest = true, pmi.MaxSpawnInput
		pass(host.FrameAsk)
		return true
	}
	switch m.Cmd {
	case "get_maxes", "get_appnum", "get_universe_size", "get_my_kvsname", "barrier_in":
		return j.server.serve(r, &m)
	case "init", "put", "finalize":
		pass(host.FrameNote)
		return j.server.serve(r, &m)
	case "get":
		name, _ := m.Get("kvsname")
		key, _ := m.Get("key")
		if w := j.WorldByKVS(name); w != nil {
			if _, known := w.Values[key]; known {
				return j.server.serve(r, &m)
			}
		}
	case "abort":
		j.server.hearDeaths(r)
	}
	pass(host.FrameAsk)
	return true
}
