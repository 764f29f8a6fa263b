package launch

import (
	"cmp"
	"fmt"
	"strings"

	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// Jobs that survive the death of a rank (docs/recovery.md). The ranks hear of it by the bitmap in their
// segments, and go on. The user hears of each death when it happens, and of all at the end.

// survives reports whether the world of a rank goes on when the rank fails: not before it has begun MPI, nor
// as long as others may wait for it to begin, and not when the job is ending anyway.
func (j *job) survives(r *world.Rank) bool {
	w := r.World
	awaited := w.Inside < w.Size() && (w.Abroad() || w.AtBarrier > 0)
	return j.spec.Recovery && r.Begun && !awaited && !w.Failing && j.end.signal == 0
}

// lose notes that a rank has failed whose world goes on.
func (j *job) lose(r *world.Rank, code int) {
	r.Failed = true
	connected := j.Connected(r.World)[1:]
	r.Links = nil
	r.MarkFailed()
	for _, w := range connected {
		w.Rouse()
	}
	for _, w := range j.Worlds {
		if w.Asker == r {
			j.spawns.takeBack(w) // nobody is left who would meet its ranks
		}
	}
	r.DrainOutput()
	switch {
	case !j.counts(r.World):
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
	for _, r := range j.Ranks {
		if !r.World.Failing {
			ranks++
		}
	}
	var how []string
	for _, r := range j.lost {
		how = append(how, fmt.Sprintf("%s %s", r, r.HowEnded()))
	}
	j.Say("the job has ended without %d of its %d ranks: %s", len(j.lost), ranks, strings.Join(how, ", "))
}

// exitCode is that of the job: where survivors decide, that of the dead if there are none.
func (j *job) exitCode() int {
	if !j.survived {
		return cmp.Or(j.end.code, j.lostCode)
	}
	return j.end.code
}

// leftWell notes that a rank has ended in good order: nobody is to wait for it any more.
func (j *job) leftWell(r *world.Rank) {
	j.survived = true
	if j.spec.Recovery && r.Begun && r.World.Living > 0 {
		r.MarkFailed()
	}
}

// isVictim reports whether a rank may have died of a signal which the user has sent to all.
func (j *job) isVictim(r *world.Rank) bool {
	return r.Status.Signaled() && j.end.signal == 0 && isRequest(unix.Signal(r.Status.Signal()))
}
