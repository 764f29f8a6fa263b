package ask

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gompi/launch/hang"
	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"
)

// A rank that waits for long sleeps, and its doorbell shows that to the launcher. So the launcher watches
// whether all sleep, which costs the ranks nothing, and asks them what they wait for when they have slept for
// long, or when the user wants to know (docs/internals/hangs.md).

// watch is what the launcher remembers of the ranks' sleep.
type watch struct {
	next   time.Time // when to look again, zero for never
	since  time.Time // all ranks have been found asleep since, zero when they are not
	sure   bool      // their states have shown once that they are hung
	told   bool      // the user knows of it
	worked map[*world.Rank]time.Duration
}

// looks is how often the launcher looks while ranks may be hung, at least.
const looks = 4

// lookTime is when to look at the ranks again, zero for never.
func (a *Asker) lookTime() time.Time {
	if a.ReportHang <= 0 {
		return time.Time{}
	}
	if a.watch.next.IsZero() {
		a.watch.next = time.Now().Add(a.ReportHang / looks)
	}
	return a.watch.next
}

// look looks whether all ranks sleep, and asks them when they have for long.
func (a *Asker) look(now time.Time) {
	w := &a.watch
	w.next = now.Add(a.ReportHang / looks)
	a.lookForPolls()
	if a.Up != nil {
		a.lookForLauncher(now)
		return
	}
	asleep, since := a.allAsleep()
	switch {
	case !asleep:
		*w = watch{next: w.next}
	case w.since.IsZero() || since.After(w.since):
		*w = watch{next: w.next, since: now, worked: a.processorTimes()}
	case !w.told && now.Sub(w.since) >= a.ReportHang:
		a.gather(func(states *hang.Job) { a.tellHung(states, now, w.since) })
	}
}

// tellHung tells the user why the ranks do not go on, if their states, asked for at that time, show that they
// are hung. since is when they had been found asleep. A rank may have got what it waits for after it has told
// of its wait, and before it was looked at who could send that. So they are asked twice.
func (a *Asker) tellHung(states *hang.Job, now, since time.Time) {
	w := &a.watch
	switch {
	case w.told || w.since != since: // some have moved meanwhile
	case a.haveWorked(now.Sub(since)) || !states.Hung(0):
		w.since, w.worked, w.sure = now, a.processorTimes(), false
	case !states.Hung(a.ReportHang * 9 / 10):
		// Some have moved between two looks.
		w.since, w.worked, w.sure = now.Add(-states.Awake()), a.processorTimes(), false
	case !w.sure:
		w.sure, w.next = true, now
	default:
		w.told = true
		how := "wait"
		if states.Polls() {
			how = "wait or poll"
		}
		a.tell(states, fmt.Sprintf("no rank has moved for %s: all %s in MPI", shortest(states.Awake()), how))
	}
}

// lookForPolls finds out which ranks of this host have asked for something in vain since the last look. They
// are asked what for, so that each question tells what they have done since the one before.
func (a *Asker) lookForPolls() {
	asked := map[*world.Node]bool{}
	for _, r := range a.table.Ranks {
		s := r.Node.Segment
		if s == nil || r.Exited || r.Finalized {
			continue
		}
		asks := atomic.LoadUint32(shm.Asks(s, r.NodeRank))
		// On a busy machine a rank may have no processor between two looks.
		const missed = 2
		if r.Quiet++; asks != r.Asks {
			r.Quiet = 0
		}
		r.Polls, r.Asks = asks != 0 && r.Quiet < missed, asks
		if r.Polls && !asked[r.Node] {
			asked[r.Node] = true
			shm.AskReports(s)
		}
	}
}

// lookForLauncher tells the launcher when all ranks of this host have begun to sleep, or do not any more.
func (a *Asker) lookForLauncher(now time.Time) {
	w := &a.watch
	asleep := !slices.ContainsFunc(a.table.Ranks, (*world.Rank).Awake) && !a.haveWorked(a.ReportHang/looks)
	if w.worked = a.processorTimes(); asleep == !w.since.IsZero() {
		return
	}
	if w.since = (time.Time{}); asleep {
		w.since = now
	}
	a.Up(&host.Frame{Kind: host.FrameStill, Flag: asleep})
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
func (a *Asker) allAsleep() (asleep bool, since time.Time) {
	for _, r := range a.table.Ranks {
		switch l := r.Node.Link(); {
		case r.Exited || r.Finalized:
		case l == nil && r.Awake() || l != nil && (!r.Begun || l.Still.IsZero()):
			return false, since
		default:
			if asleep = true; l != nil && l.Still.After(since) {
				since = l.Still
			}
		}
	}
	return asleep, since
}

// processorTimes is how much processor time each rank of this host has used so far.
func (a *Asker) processorTimes() map[*world.Rank]time.Duration {
	all := map[*world.Rank]time.Duration{}
	for _, r := range a.table.Ranks {
		if !r.Away() {
			all[r] = process.ProcessorTime(r.Process())
		}
	}
	return all
}

// haveWorked reports whether some rank has used its processor in the meantime as no rank does that sleeps:
// some other thread of it computes. Ranks that poll say so themselves.
func (a *Asker) haveWorked(meantime time.Duration) bool {
	for r, before := range a.watch.worked {
		if !r.Exited && !r.Polls && process.ProcessorTime(r.Process())-before > meantime/5 {
			return true
		}
	}
	return false
}

// tell tells the user what the ranks wait for, below a headline.
func (a *Asker) tell(states *hang.Job, headline string) {
	if a.json {
		a.out.Say(string(jsonOf(states)))
		return
	}
	a.say("%s", headline)
	a.out.Say(strings.Join(states.Text(), "\n") + "\n")
	if cause := states.Cause(); cause != "" {
		a.say("%s", cause)
	}
}

// TellStates tells the user what the ranks wait for, if any does, and goes on by then.
func (a *Asker) TellStates(headline string, then func()) {
	a.gather(func(states *hang.Job) {
		if slices.ContainsFunc(states.Ranks, func(r hang.Rank) bool { return r.Phase == hang.Waiting }) {
			a.tell(states, headline)
		}
		then()
	})
}
