package launch

import (
	"fmt"
	"strconv"
	"time"

	"gompi/launch/host"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// How a job ends. When a rank fails, the others hear of it at once through the shared segment, are asked to
// end (SIGTERM), and are killed after grace.
const (
	grace       = 500 * time.Millisecond
	killAgain   = 100 * time.Millisecond
	wrapperTime = 200 * time.Millisecond // for a wrapper script to end after the program inside has
	keyTime     = 200 * time.Millisecond // for a signal that killed a rank to reach the launcher too
)

// ending is how far a world is on its way out, and why.
type ending struct {
	failing   bool      // some rank has failed, of this world or of one that is connected with it
	asked     bool      // its ranks have been asked to go
	killAt    time.Time // when those that still live are killed, zero for never
	wrapped   *rank     // the first rank whose program ended below a wrapper script that goes on
	wrapperAt time.Time // when that script must have ended, zero for never
	victim    *rank     // the first rank that died of a signal which the user may have sent to all
	victims   []*rank   // the next ones, where the job survives deaths
	victimAt  time.Time // when that signal must have reached the launcher
}

// begin notes that a rank has begun MPI.
func (j *job) begin(r *rank) {
	w := r.world
	if !r.begun {
		w.inside++
	}
	r.begun, r.finalized = true, false
	if s := r.conn.sender; s > 0 && s != r.pid && s != r.inner {
		j.watchInner(r, s)
	}
	if len(w.withoutMPI) > 0 {
		j.endedWithoutMPI(w)
	}
	j.arrived(w)
}

// watchInner keeps an eye on the process that speaks for a rank from below a wrapper script: its death
// concerns the other ranks even if the script goes on.
func (j *job) watchInner(r *rank, pid int) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ESRCH {
		// It is dead and the script has waited for it already: what is ready at once stands for it.
		fd, err = unix.Eventfd(1, unix.EFD_CLOEXEC)
	}
	if err != nil {
		return // an old kernel, or no descriptor is left: the wrapper's own end will tell
	}
	if r.innerfd >= 0 {
		j.loop.Forget(r.innerfd)
		unix.Close(r.innerfd)
	}
	r.inner, r.innerfd = pid, fd
	j.loop.Watch(fd, unix.EPOLLIN, innerWatch{j, r})
}

// innerEnded deals with the end of such a process.
func (j *job) innerEnded(r *rank) {
	j.loop.Forget(r.innerfd)
	unix.Close(r.innerfd)
	r.innerfd = -1
	r.conn.receive()
	if j.up != nil {
		j.up.send(r.frame(host.FrameInner, []byte(strconv.Itoa(r.inner))))
	} else {
		j.programEnded(r)
	}
}

// programEnded deals with the end of a program below a wrapper script that goes on.
func (j *job) programEnded(r *rank) {
	if !r.inMPI() || r.world.failing || !r.alive() {
		return
	}
	if j.survives(r) {
		j.lose(r, 1)
		return
	}
	r.markDead()
	if w := r.world; w.wrapped == nil {
		w.wrapped, w.wrapperAt = r, time.Now().Add(wrapperTime)
	}
}

// wrapperLate ends a world when the program behind a wrapper script is dead and the script lives on.
func (j *job) wrapperLate(w *world) {
	r := w.wrapped
	w.wrapped, w.wrapperAt = nil, time.Time{}
	if r.world.failing || !r.alive() {
		return
	}
	r.drainOutput()
	j.Say("%s (pid %d) ended without MPI_Finalize", r, r.inner)
	j.fail(r.world, 1)
}

// ended deals with the end of a rank.
func (j *job) ended(r *rank, status unix.WaitStatus) {
	r.exited, r.status = true, status
	j.living--
	if !r.guest {
		r.world.living--
	}
	if r.pidfd >= 0 {
		j.loop.Forget(r.pidfd)
		unix.Close(r.pidfd)
		r.pidfd = -1
	}
	r.conn.receive() // what it said last
	r.kept = r.inMPI() && !r.guest && !r.away()
	j.settle(r)
	if !r.kept {
		r.bury()
	}
	if r.world.living == 0 {
		r.world.buryAll()
	}
}

// settle decides what the end of a rank means.
func (j *job) settle(r *rank) {
	status := r.status
	switch {
	case j.up != nil:
		j.up.exited(r)
	case r.world.failing, r.failed:
	case r.world.asker != nil && !(r.begun && r.finalized && status == 0):
		j.stillborn(r)
	case r.world.victim != nil && j.spec.Recovery && !j.isVictim(r):
		j.judge(r)
	case r.world.victim != nil:
		// What it ended of is known as soon as the first one's case is.
		r.world.victims = append(r.world.victims, r)
	case j.isVictim(r):
		// Keys on a terminal send their signal to the ranks and to the launcher at the same time.
		if !j.spec.Recovery {
			r.markDead()
		}
		r.world.victim, r.world.victimAt = r, time.Now().Add(keyTime)
	default:
		j.judge(r)
	}
}

// isRequest reports whether a signal is one by which users end a job.
func isRequest(sig unix.Signal) bool {
	return sig == unix.SIGINT || sig == unix.SIGTERM || sig == unix.SIGHUP || sig == unix.SIGQUIT
}

// judgeVictim takes up a case that waited for the launcher's own signal.
func (j *job) judgeVictim(w *world) {
	victims := append([]*rank{w.victim}, w.victims...)
	w.victim, w.victims, w.victimAt = nil, nil, time.Time{}
	for _, r := range victims {
		if r != nil && !w.failing {
			j.judge(r)
		}
	}
}

// markDead lets all ranks of this one's world know that it is dead.
func (r *rank) markDead() {
	for _, n := range r.world.nodes {
		if n.segment != nil {
			shm.MarkDead(n.segment, r.number)
		}
	}
	r.world.tell(&host.Frame{Kind: host.FrameDead, Rank: r.number})
}

// saidSo reports whether the rank has told the user why it ends the job, and could not tell the launcher.
func (r *rank) saidSo() bool {
	s := r.node.segment
	if s == nil || !r.status.Exited() || shm.DeadRank(s) != r.number {
		return false
	}
	code, known := shm.ExitCode(s)
	return known && code == r.status.ExitStatus()
}

// judge decides whether the end of a rank is a failure, and says so.
func (j *job) judge(r *rank) {
	status := r.status
	code := 0
	switch {
	case status.Signaled():
		code = process.ExitSignal + int(status.Signal())
	case status.ExitStatus() != 0:
		code = status.ExitStatus()
	case r.inMPI():
		code = 1
	case !r.begun:
		// A program without MPI, or one that ended too early for the others.
		w := r.world
		w.withoutMPI = append(w.withoutMPI, r.number)
		if w.inside > 0 {
			j.endedWithoutMPI(w)
		}
		return
	default:
		j.leftWell(r)
		return
	}
	if w := r.world.wrapped; w != nil && w != r && !(r.begun && r.finalized) {
		j.wrapperLate(r.world) // this rank fails because of that one
		return
	}
	if r.begun && r.finalized && !status.Signaled() {
		// It has left MPI in good order: the others may finish what they are doing.
		if j.end.code == 0 && j.counts(r.world) {
			j.end.code = code
		}
		r.drainOutput()
		j.Say("%s (%s) exited with code %d", r, r.where(), code)
		j.leftWell(r)
		return
	}
	if j.survives(r) {
		j.lose(r, code)
		return
	}
	r.markDead()
	r.drainOutput()
	switch {
	case j.end.signal != 0:
		// The user asked for it.
		code = process.ExitSignal + int(j.end.signal)
	case status.Signal() == unix.SIGPIPE && status.Signaled() && j.out.Stdout.ReaderGone():
		// As in any pipeline whose reader has seen enough.
	default:
		if !r.saidSo() {
			j.Say("%s", j.deathMessage(r))
		}
	}
	j.fail(r.world, code)
}

// endedWithoutMPI ends a job in which some ranks do MPI and wait for others that ended without ever beginning
// it.
func (j *job) endedWithoutMPI(w *world) {
	if w.failing {
		return
	}
	r := w.ranks[w.withoutMPI[0]]
	r.markDead()
	r.drainOutput()
	j.Say("%s (%s) exited without MPI_Init while other ranks called it", r, r.where())
	j.fail(w, 1)
}

// aborted ends the job because a rank asked for it, by MPI_Abort, or because of an error that it has told the
// user of.
func (j *job) aborted(r *rank, code int, text string, told bool) {
	if r.world.failing {
		return
	}
	r.markDead()
	r.drainOutput()
	if text != "" {
		text = ": " + text
	}
	if !told {
		j.Say("%s (%s) called MPI_Abort with code %d%s", r, r.where(), code, text)
	}
	exit := code & 0xff
	if exit == 0 && code != 0 {
		exit = 1 // the system keeps 8 bits of an exit code, and a failure must stay one
	}
	j.fail(r.world, exit)
}

// protocolError ends the job because a rank sends what is not PMI 1.1.
func (j *job) protocolError(r *rank, line string) {
	if j.up != nil {
		j.up.send(r.frame(host.FrameAsk, []byte(line)))
		return
	}
	if r.world.failing {
		return
	}
	if len(line) > 60 {
		line = line[:60] + "..."
	}
	j.Say("%s (%s) sent a line that is not PMI 1.1: %q", r, r.where(), line)
	j.fail(r.world, 1)
}

// overTime reports whether the time of the job is over, and nobody has ended it for that yet.
func (j *job) overTime(now time.Time) bool { return !j.limit.IsZero() && !now.Before(j.limit) }

// timeOver says so to the user.
func (j *job) timeOver() string {
	return fmt.Sprintf("the job ran longer than %v (--timeout) and was ended", j.spec.Timeout)
}

// timedOut ends the job because its time is over.
func (j *job) timedOut() {
	j.tellStates("what the ranks wait for at the time limit:", func() {
		j.Say("%s", j.timeOver())
		j.failAll(process.ExitTimeout)
	})
}

// outputLost ends the job when standard output cannot be written: without a word when it has no reader any
// more.
func (j *job) outputLost(s *output.Sink, err error) {
	switch {
	case j.up != nil:
		j.up.lose()
	case s != j.out.Stdout:
	case err == unix.EPIPE, err == unix.ECONNRESET:
		j.failAll(process.ExitSignal + int(unix.SIGPIPE))
	default:
		j.Say("standard output: %v", err)
		j.failAll(process.ExitSetup)
	}
}

// drainOutput passes on what a rank has written so far, so that it stands ahead of the line about its end.
func (r *rank) drainOutput() {
	for s := range r.streams {
		s.Drain()
		s.ShowPartial()
	}
}
