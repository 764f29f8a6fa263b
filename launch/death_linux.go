package launch

import (
	"fmt"
	"strconv"
	"time"

	"gompi/launch/host"
	"gompi/launch/output"
	"gompi/launch/process"
	"gompi/launch/world"

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

// begin notes that a rank has begun MPI.
func (j *job) begin(r *world.Rank) {
	w := r.World
	if !r.Begun {
		w.Inside++
	}
	r.Begun, r.Finalized = true, false
	if s := r.Conn.Sender; s > 0 && s != r.Pid && s != r.Inner {
		j.watchInner(r, s)
	}
	if len(w.WithoutMPI) > 0 {
		j.endedWithoutMPI(w)
	}
	j.spawns.arrived(w)
}

// watchInner keeps an eye on the process that speaks for a rank from below a wrapper script: its death
// concerns the other ranks even if the script goes on.
func (j *job) watchInner(r *world.Rank, pid int) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ESRCH {
		// It is dead and the script has waited for it already: what is ready at once stands for it.
		fd, err = unix.Eventfd(1, unix.EFD_CLOEXEC)
	}
	if err != nil {
		return // an old kernel, or no descriptor is left: the wrapper's own end will tell
	}
	if r.Innerfd >= 0 {
		j.loop.Forget(r.Innerfd)
		unix.Close(r.Innerfd)
	}
	r.Inner, r.Innerfd = pid, fd
	j.loop.Watch(fd, unix.EPOLLIN, innerWatch{j, r})
}

// innerEnded deals with the end of such a process.
func (j *job) innerEnded(r *world.Rank) {
	j.loop.Forget(r.Innerfd)
	unix.Close(r.Innerfd)
	r.Innerfd = -1
	r.Conn.Receive()
	if j.up != nil {
		j.up.send(r.Frame(host.FrameInner, []byte(strconv.Itoa(r.Inner))))
	} else {
		j.programEnded(r)
	}
}

// programEnded deals with the end of a program below a wrapper script that goes on.
func (j *job) programEnded(r *world.Rank) {
	if !r.InMPI() || r.World.Failing || !r.Alive() {
		return
	}
	if j.survives(r) {
		j.lose(r, 1)
		return
	}
	r.MarkDead()
	if w := r.World; w.Wrapped == nil {
		w.Wrapped, w.WrapperAt = r, time.Now().Add(wrapperTime)
	}
}

// wrapperLate ends a world when the program behind a wrapper script is dead and the script lives on.
func (j *job) wrapperLate(w *world.World) {
	r := w.Wrapped
	w.Wrapped, w.WrapperAt = nil, time.Time{}
	if r.World.Failing || !r.Alive() {
		return
	}
	r.DrainOutput()
	j.Say("%s (pid %d) ended without MPI_Finalize", r, r.Inner)
	j.fail(r.World, 1)
}

// ended deals with the end of a rank.
func (j *job) ended(r *world.Rank, status unix.WaitStatus) {
	r.Exited, r.Status = true, status
	j.living--
	if !r.Guest {
		r.World.Living--
	}
	if r.Pidfd >= 0 {
		j.loop.Forget(r.Pidfd)
		unix.Close(r.Pidfd)
		r.Pidfd = -1
	}
	j.dialog.debuggerEnded(r)
	r.Conn.Receive() // what it said last
	r.Kept = r.InMPI() && !r.Guest && !r.Away()
	j.settle(r)
	if !r.Kept {
		r.Bury()
	}
	if r.World.Living == 0 {
		r.World.BuryAll()
	}
}

// settle decides what the end of a rank means.
func (j *job) settle(r *world.Rank) {
	status := r.Status
	switch {
	case j.up != nil:
		j.up.exited(r)
	case r.World.Failing, r.Failed:
	case r.World.Asker != nil && !(r.Begun && r.Finalized && status == 0):
		j.spawns.stillborn(r)
	case r.World.Victim != nil && j.spec.Recovery && !j.isVictim(r):
		j.judge(r)
	case r.World.Victim != nil:
		// What it ended of is known as soon as the first one's case is.
		r.World.Victims = append(r.World.Victims, r)
	case j.isVictim(r):
		// Keys on a terminal send their signal to the ranks and to the launcher at the same time.
		if !j.spec.Recovery {
			r.MarkDead()
		}
		r.World.Victim, r.World.VictimAt = r, time.Now().Add(keyTime)
	default:
		j.judge(r)
	}
}

// isRequest reports whether a signal is one by which users end a job.
func isRequest(sig unix.Signal) bool {
	return sig == unix.SIGINT || sig == unix.SIGTERM || sig == unix.SIGHUP || sig == unix.SIGQUIT
}

// judgeVictim takes up a case that waited for the launcher's own signal.
func (j *job) judgeVictim(w *world.World) {
	victims := append([]*world.Rank{w.Victim}, w.Victims...)
	w.Victim, w.Victims, w.VictimAt = nil, nil, time.Time{}
	for _, r := range victims {
		if r != nil && !w.Failing {
			j.judge(r)
		}
	}
}

// judge decides whether the end of a rank is a failure, and says so.
func (j *job) judge(r *world.Rank) {
	status := r.Status
	code := 0
	switch {
	case status.Signaled():
		code = process.ExitSignal + int(status.Signal())
	case status.ExitStatus() != 0:
		code = status.ExitStatus()
	case r.InMPI():
		code = 1
	case !r.Begun:
		// A program without MPI, or one that ended too early for the others.
		w := r.World
		w.WithoutMPI = append(w.WithoutMPI, r.Number)
		if w.Inside > 0 {
			j.endedWithoutMPI(w)
		}
		return
	default:
		j.leftWell(r)
		return
	}
	if w := r.World.Wrapped; w != nil && w != r && !(r.Begun && r.Finalized) {
		j.wrapperLate(r.World) // this rank fails because of that one
		return
	}
	if r.Begun && r.Finalized && !status.Signaled() {
		// It has left MPI in good order: the others may finish what they are doing.
		if j.end.code == 0 && j.counts(r.World) {
			j.end.code = code
		}
		r.DrainOutput()
		j.Say("%s (%s) exited with code %d", r, r.Where(), code)
		j.leftWell(r)
		return
	}
	if j.survives(r) {
		j.lose(r, code)
		return
	}
	r.MarkDead()
	r.DrainOutput()
	switch {
	case j.end.signal != 0:
		// The user asked for it.
		code = process.ExitSignal + int(j.end.signal)
	case status.Signal() == unix.SIGPIPE && status.Signaled() && j.out.Stdout.ReaderGone():
		// As in any pipeline whose reader has seen enough.
	default:
		if !r.SaidSo() {
			j.Say("%s", j.deathMessage(r))
		}
	}
	j.fail(r.World, code)
}

// endedWithoutMPI ends a job in which some ranks do MPI and wait for others that ended without ever beginning
// it.
func (j *job) endedWithoutMPI(w *world.World) {
	if w.Failing {
		return
	}
	r := w.Ranks[w.WithoutMPI[0]]
	r.MarkDead()
	r.DrainOutput()
	j.Say("%s (%s) exited without MPI_Init while other ranks called it", r, r.Where())
	j.fail(w, 1)
}

// aborted ends the job because a rank asked for it, by MPI_Abort, or because of an error that it has told the
// user of.
func (j *job) aborted(r *world.Rank, code int, text string, told bool) {
	if r.World.Failing {
		return
	}
	r.MarkDead()
	r.DrainOutput()
	if text != "" {
		text = ": " + text
	}
	if !told {
		j.Say("%s (%s) called MPI_Abort with code %d%s", r, r.Where(), code, text)
	}
	exit := code & 0xff
	if exit == 0 && code != 0 {
		exit = 1 // the system keeps 8 bits of an exit code, and a failure must stay one
	}
	j.fail(r.World, exit)
}

// protocolError ends the job because a rank sends what is not PMI 1.1.
func (j *job) protocolError(r *world.Rank, line string) {
	if j.up != nil {
		j.up.send(r.Frame(host.FrameAsk, []byte(line)))
		return
	}
	if r.World.Failing {
		return
	}
	if len(line) > 60 {
		line = line[:60] + "..."
	}
	j.Say("%s (%s) sent a line that is not PMI 1.1: %q", r, r.Where(), line)
	j.fail(r.World, 1)
}

// overTime reports whether the time of the job is over, and nobody has ended it for that yet.
func (j *job) overTime(now time.Time) bool { return !j.limit.IsZero() && !now.Before(j.limit) }

// timeOver says so to the user.
func (j *job) timeOver() string {
	return fmt.Sprintf("the job ran longer than %v (--timeout) and was ended", j.spec.Timeout)
}

// timedOut ends the job because its time is over.
func (j *job) timedOut() {
	j.ask.TellStates("what the ranks wait for at the time limit:", func() {
		j.Say("%s", j.timeOver())
		j.failAll(process.ExitTimeout)
	})
}

// outputLost ends the job when standard output cannot be written: without a word when it has no reader any
// more.
func (j *job) outputLost(s *output.Queue, err error) {
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
