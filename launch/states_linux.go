package launch

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gompi/launch/hang"
	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/shm"
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

// look looks whether all ranks sleep, and asks them when they have for long.
func (j *job) look(now time.Time) {
	w := &j.watch
	w.next = now.Add(j.spec.ReportHang / looks)
	j.lookForPolls()
	if j.up != nil {
		j.lookForLauncher(now)
		return
	}
	asleep, since := j.allAsleep()
	switch {
	case !asleep:
		*w = watch{next: w.next}
	case w.since.IsZero() || since.After(w.since):
		*w = watch{next: w.next, since: now, worked: j.processorTimes()}
	case !w.told && now.Sub(w.since) >= j.spec.ReportHang:
		j.gather(func(states *hang.Job) { j.tellHung(states, now, w.since) })
	}
}

// tellHung tells the user why the ranks do not go on, if their states, asked for at that time, show that they
// are hung. since is when they had been found asleep.
func (j *job) tellHung(states *hang.Job, now, since time.Time) {
	w := &j.watch
	switch {
	case w.told || w.since != since: // some have moved meanwhile
	case j.haveWorked(now.Sub(since)) || !states.Hung(0):
		w.since, w.worked = now, j.processorTimes()
	case !states.Hung(j.spec.ReportHang * 9 / 10):
		// Some have moved between two looks.
		w.since, w.worked = now.Add(-states.Awake()), j.processorTimes()
	default:
		w.told = true
		how := "wait"
		if states.Polls() {
			how = "wait or poll"
		}
		j.tell(states, fmt.Sprintf("no rank has moved for %s: all %s in MPI", shortest(states.Awake()), how))
	}
}

// lookForPolls finds out which ranks of this host have asked for something in vain since the last look. They
// are asked what for, so that each question tells what they have done since the one before.
func (j *job) lookForPolls() {
	asked := map[*node]bool{}
	for _, r := range j.ranks {
		s := r.node.segment
		if s == nil || r.exited || r.finalized {
			continue
		}
		asks := atomic.LoadUint32(shm.Asks(s, r.nodeRank))
		// On a busy machine a rank may have no processor between two looks.
		const missed = 2
		if r.quiet++; asks != r.asks {
			r.quiet = 0
		}
		r.polls, r.asks = asks != 0 && r.quiet < missed, asks
		if r.polls && !asked[r.node] {
			asked[r.node] = true
			shm.AskReports(s)
		}
	}
}

// lookForLauncher tells the launcher when all ranks of this host have begun to sleep, or do not any more.
func (j *job) lookForLauncher(now time.Time) {
	w := &j.watch
	asleep := !slices.ContainsFunc(j.ranks, (*rank).awake) && !j.haveWorked(j.spec.ReportHang/looks)
	if w.worked = j.processorTimes(); asleep == !w.since.IsZero() {
		return
	}
	if w.since = (time.Time{}); asleep {
		w.since = now
	}
	j.up.send(&host.Frame{Kind: host.FrameStill, Flag: asleep})
}

// shortest is a time in words for users.
func shortest(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d s", int(d.Seconds()))
}

// allAsleep reports whether all ranks that are in MPI sleep, and none is about to come or computes; and since
// when the last host that others look at has been quiet.
func (j *job) allAsleep() (asleep bool, since time.Time) {
	for _, r := range j.ranks {
		switch l := r.node.link(); {
		case r.exited || r.finalized:
		case l == nil && r.awake() || l != nil && (!r.begun || l.Still.IsZero()):
			return false, since
		default:
			if asleep = true; l != nil && l.Still.After(since) {
				since = l.Still
			}
		}
	}
	return asleep, since
}

// awake reports whether a rank of this host has not ended MPI, and neither sleeps in it nor polls.
func (r *rank) awake() bool {
	return !r.exited && !r.finalized && !(r.begun && (r.polls || r.asleep()))
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

// processorTimes is how much processor time each rank of this host has used so far.
func (j *job) processorTimes() map[*rank]time.Duration {
	all := map[*rank]time.Duration{}
	for _, r := range j.ranks {
		if !r.away() {
			all[r] = process.ProcessorTime(r.process())
		}
	}
	return all
}

// haveWorked reports whether some rank has used its processor in the meantime as no rank does that sleeps:
// some other thread of it computes. Ranks that poll say so themselves.
func (j *job) haveWorked(meantime time.Duration) bool {
	for r, before := range j.watch.worked {
		if !r.exited && !r.polls && process.ProcessorTime(r.process())-before > meantime/5 {
			return true
		}
	}
	return false
}

// tell tells the user what the ranks wait for, below a headline.
func (j *job) tell(states *hang.Job, headline string) {
	if j.spec.ReportJSON {
		j.out.Say(string(jsonOf(states)))
		return
	}
	j.Say("%s", headline)
	j.out.Say(strings.Join(states.Text(), "\n") + "\n")
	if cause := states.Cause(); cause != "" {
		j.Say("%s", cause)
	}
}

// tellStates tells the user what the ranks wait for, if any does, and goes on by then.
func (j *job) tellStates(headline string, then func()) {
	j.gather(func(states *hang.Job) {
		if slices.ContainsFunc(states.Ranks, func(r hang.Rank) bool { return r.Phase == hang.Waiting }) {
			j.tell(states, headline)
		}
		then()
	})
}
