package launch

import (
	"cmp"
	"fmt"
	"strings"

	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// Jobs that survive the death of a rank (docs/recovery.md). The ranks hear of it by the bitmap in their
// segments, and go on. The user hears of each death when it happens, and of all at the end.

// survives reports whether the world of a rank goes on when the rank fails: not before it has begun MPI, nor
// as long as others may wait for it to begin, and not when the job is ending anyway.
func (j *job) survives(r *rank) bool {
	w := r.world
	awaited := w.inside < w.size() && (w.abroad() || w.atBarrier > 0)
	return j.spec.Recovery && r.begun && !awaited && !w.failing && j.end.signal == 0
}

// markFailed lets all ranks of this one's world know that it is no more, and that they go on.
func (r *rank) markFailed() {
	for _, n := range r.world.nodes {
		if n.segment != nil {
			shm.MarkFailed(n.segment, r.number)
		}
	}
	r.world.tell(&host.Frame{Kind: host.FrameFailed, Rank: r.number})
}

// rouse has the ranks of a world look whether processes of others live that they are connected with.
func (w *world) rouse() {
	for _, n := range w.nodes {
		if n.segment != nil {
			shm.Rouse(n.segment)
		}
	}
}

// lose notes that a rank has failed whose world goes on.
func (j *job) lose(r *rank, code int) {
	r.failed = true
	connected := j.connected(r.world)[1:]
	r.links = nil
	r.markFailed()
	for _, w := range connected {
		w.rouse()
	}
	for _, w := range j.worlds {
		if w.asker == r {
			j.takeBack(w) // nobody is left who would meet its ranks
		}
	}
	r.drainOutput()
	switch {
	case !j.counts(r.world):
	case j.spec.SurvivorsDecide:
		j.lostCode = cmp.Or(j.lostCode, code)
	case j.end.code == 0:
		j.end.code = code
	}
	j.lost = append(j.lost, r)
	j.Say("%s; the job goes on without it", j.deathMessage(r))
}

// tally tells at the end which ranks the job has lost.
func (j *job) tally() {
	if len(j.lost) == 0 || j.end.begun {
		return
	}
	ranks := j.retired
	for _, r := range j.ranks {
		if !r.world.failing {
			ranks++
		}
	}
	var how []string
	for _, r := range j.lost {
		how = append(how, fmt.Sprintf("%s %s", r, r.fate()))
	}
	j.Say("the job has ended without %d of its %d ranks: %s", len(j.lost), ranks, strings.Join(how, ", "))
}

// fate says in few words how a rank has ended.
func (r *rank) fate() string {
	switch {
	case r.status.Signaled():
		return "(" + process.SignalName(r.status.Signal()) + ")"
	case r.exited:
		return fmt.Sprintf("(exit code %d)", r.status.ExitStatus())
	}
	return "(its program has ended)"
}

// exitCode is that of the job: where survivors decide, that of the dead if there are none.
func (j *job) exitCode() int {
	if !j.survived {
		return cmp.Or(j.end.code, j.lostCode)
	}
	return j.end.code
}

// leftWell notes that a rank has ended in good order: nobody is to wait for it any more.
func (j *job) leftWell(r *rank) {
	j.survived = true
	if j.spec.Recovery && r.begun && r.world.living > 0 {
		r.markFailed()
	}
}

// isVictim reports whether a rank may have died of a signal which the user has sent to all.
func (j *job) isVictim(r *rank) bool {
	return r.status.Signaled() && j.end.signal == 0 && isRequest(unix.Signal(r.status.Signal()))
}
