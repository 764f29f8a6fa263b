package launch

import (
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"gompi/launch/hang"
	"gompi/launch/state"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// A rank that waits for long sleeps, and its doorbell shows that to the launcher. So the launcher watches
// whether all sleep, which costs the ranks nothing, and asks them what they wait for when they have slept for
// long, or when the user wants to know (docs/internals/hangs.md).

// watch is what the launcher remembers of the ranks' sleep.
type watch struct {
	next   time.Time // when to look again, zero for never
	since  time.Time // all ranks have been found asleep since, zero when they are not
	told   bool      // the user knows of it
	worked map[*rank]time.Duration
}

// looks is how often the launcher looks while ranks may be hung, at least.
const looks = 4

// lookTime is when to look at the ranks again, zero for never.
func (j *job) lookTime() time.Time {
	if j.spec.ReportHang <= 0 {
		return time.Time{}
	}
	if j.watch.next.IsZero() {
		j.watch.next = time.Now().Add(j.spec.ReportHang / looks)
	}
	return j.watch.next
}

// look looks whether all ranks sleep, and tells the user when they have for long.
func (j *job) look(now time.Time) {
	w := &j.watch
	w.next = now.Add(j.spec.ReportHang / looks)
	if !j.allAsleep() {
		*w = watch{next: w.next}
		return
	}
	if w.since.IsZero() {
		w.since, w.worked = now, j.processorTimes()
		return
	}
	if w.told || now.Sub(w.since) < j.spec.ReportHang {
		return
	}
	states := j.gather()
	switch {
	case j.haveWorked(now.Sub(w.since)) || !states.Hung(0):
		w.since, w.worked = now, j.processorTimes()
	case !states.Hung(j.spec.ReportHang * 9 / 10):
		// Some have moved between two looks.
		w.since, w.worked = now.Add(-states.Awake()), j.processorTimes()
	default:
		w.told = true
		j.tell(states, fmt.Sprintf("no rank has moved for %s: all wait in MPI", shortest(states.Awake())))
	}
}

// shortest is a time in words for users.
func shortest(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d s", int(d.Seconds()))
}

// allAsleep reports whether all ranks that are in MPI sleep, and none is about to come or computes.
func (j *job) allAsleep() bool {
	some := false
	for _, r := range j.ranks {
		switch {
		case r.exited || r.finalized:
		case !r.begun || !r.asleep():
			return false
		default:
			some = true
		}
	}
	return some
}

// asleep reports whether a rank sleeps in MPI. One that has slept for long looks around now and then, so it
// is looked at again.
func (r *rank) asleep() bool {
	const tries, between = 3, 300 * time.Microsecond
	for range tries {
		if r.node.segment == nil {
			return false
		}
		if shm.Asleep(r.node.segment, r.nodeRank) {
			return true
		}
		time.Sleep(between)
	}
	return false
}

// process is the process that does MPI for a rank.
func (r *rank) process() int {
	if r.inner != 0 {
		return r.inner
	}
	return r.pid
}

// processorTimes is how much processor time each rank has used so far.
func (j *job) processorTimes() map[*rank]time.Duration {
	all := map[*rank]time.Duration{}
	for _, r := range j.ranks {
		all[r] = processorTime(r.process())
	}
	return all
}

// haveWorked reports whether some rank has used its processor in the meantime as no rank does that sleeps:
// some other thread of it computes.
func (j *job) haveWorked(meantime time.Duration) bool {
	for r, before := range j.watch.worked {
		if !r.exited && processorTime(r.process())-before > meantime/5 {
			return true
		}
	}
	return false
}

// processorTime is how much processor time a process has used, 0 when that cannot be found out.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may hold anything; the times are fields 14 and 15.
	const user, ticks = 11, 100
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < user+2 {
		return 0
	}
	a, err1 := strconv.ParseInt(fields[user], 10, 64)
	b, err2 := strconv.ParseInt(fields[user+1], 10, 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return time.Duration(a+b) * time.Second / ticks
}

// gather asks all ranks what they wait for.
func (j *job) gather() *hang.Job {
	numbers := map[*node]uint32{}
	asked := []*rank{}
	for _, r := range j.ranks {
		if s := r.node.segment; s != nil && r.inMPI() && !r.exited {
			if shm.Asleep(s, r.nodeRank) || numbers[r.node] != 0 || r.asleep() {
				asked = append(asked, r)
			}
			if numbers[r.node] == 0 {
				numbers[r.node] = shm.AskReports(s)
			}
		}
	}
	const patience, between, settle = 400 * time.Millisecond, time.Millisecond, 20 * time.Millisecond
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(between) {
		missing := false
		for _, r := range asked {
			missing = missing || !shm.Reported(r.node.segment, r.nodeRank, numbers[r.node])
		}
		if !missing {
			break
		}
	}
	time.Sleep(settle) // further threads of the ranks
	all := &hang.Job{Worlds: map[string]int{}, Now: shm.Now()}
	for _, w := range j.worlds {
		for _, n := range w.nodes {
			if n.segment != nil {
				id := n.segment.ID()
				all.Worlds[hex.EncodeToString(id[:])] = w.id
			}
		}
	}
	for _, r := range j.ranks {
		all.Ranks = append(all.Ranks, r.state(numbers[r.node]))
	}
	return all
}

// state is what is known of a rank, which has been asked for the report of that number, or not for 0.
func (r *rank) state(number uint32) hang.Rank {
	s := hang.Rank{World: r.world.id, Number: r.number, Pid: r.process(), Phase: hang.Running}
	switch {
	case r.exited:
		s.Phase = hang.Ended
	case r.finalized:
		s.Phase = hang.Finished
	case !r.begun:
		s.Phase = hang.Starting
	case number != 0 && shm.Reported(r.node.segment, r.nodeRank, number):
		text, err := r.node.segment.ReadReport(r.nodeRank)
		if err != nil {
			break
		}
		if told, err := state.Decode(text); err == nil && len(told.Waits) > 0 {
			s.Phase, s.State = hang.Waiting, told
			s.Places = r.places(told)
			if told.Threads != 0 {
				s.Threads = restless(s.Pid)
			}
		}
	}
	if s.Phase == hang.Running || s.Phase == hang.Starting {
		s.Doing = doing(s.Pid)
	}
	return s
}

// places is where the calls of a rank's waits stand, as far as its files have lines.
func (r *rank) places(s *state.Rank) (all []string) {
	files := &r.conn.job.files
	for i := range s.Waits {
		text := files.Line(fmt.Sprintf("/proc/%d/maps", r.process()), s.Waits[i].Caller)
		line, found := strings.CutPrefix(text, "at ")
		if !found {
			line = ""
		}
		all = append(all, line)
	}
	return all
}

// tell tells the user what the ranks wait for, below a headline.
func (j *job) tell(states *hang.Job, headline string) {
	if j.spec.ReportJSON {
		(&stream{job: j, sink: j.stderr}).emit(jsonOf(states))
		return
	}
	j.say("%s", headline)
	text := strings.Join(states.Text(), "\n") + "\n"
	(&stream{job: j, sink: j.stderr}).emit([]byte(text))
	if cause := states.Cause(); cause != "" {
		j.say("%s", cause)
	}
}

// tellStates tells the user what the ranks wait for, if any does.
func (j *job) tellStates(headline string) {
	states := j.gather()
	for i := range states.Ranks {
		if states.Ranks[i].Phase == hang.Waiting {
			j.tell(states, headline)
			return
		}
	}
}

// tellOn tells it when the user asks by a signal, ahead of what else that does.
func (j *job) tellOn(sig unix.Signal) {
	if sig == unix.SIGUSR1 || sig == unix.SIGQUIT && j.end.signal == 0 {
		j.tellStates("what the ranks wait for:")
	}
}
