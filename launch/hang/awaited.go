package hang

import (
	"fmt"
	"slices"

	"gompi/wire/state"
)

// outside is a wait that others than the ranks of this job may end, when all of these wait. They may still do
// so, and this is no cause of a hang either.
func (j *Job) outside() string {
	for i := range j.Ranks {
		if phase := j.Ranks[i].Phase; phase == Running || phase == Starting {
			return ""
		}
	}
	return j.each(func(i int, w *state.Wait, n *state.Need) string {
		if n.Kind != state.Elsewhere && n.Kind != state.Completion {
			return ""
		}
		return fmt.Sprintf("%s waits in %s for %s", j.name(i), w.Call, j.what(i, n))
	})
}

// busy reports whether a rank polls and does something else between its questions, as far as is known.
func (j *Job) busy(i int) bool {
	r := &j.Ranks[i]
	return r.Phase == Waiting && (r.Doing != "" ||
		slices.ContainsFunc(r.State.Waits, func(w state.Wait) bool { return w.Asks > 0 && w.Still == 0 }))
}

// awaited is a rank that does not wait in MPI, and that others wait for: the one for whom most wait by name.
// It may still come, so this is no cause of a hang; for users who ask it is what the job waits for.
func (j *Job) awaited() string {
	type waiters struct {
		ranks []int
		wait  *state.Wait
		need  *state.Need
	}
	by := make([]waiters, len(j.Ranks))
	most := -1
	j.each(func(i int, w *state.Wait, n *state.Need) string {
		if n.Peer < 0 && (n.Kind == state.Receive || n.Kind == state.Probe) {
			return "" // anybody will do
		}
		for _, r := range j.wanted(i, n) {
			if phase := j.Ranks[r].Phase; phase != Running && phase != Starting && !j.busy(r) {
				continue
			}
			of := &by[r]
			if of.wait == nil {
				of.wait, of.need = w, n
			}
			if w.Call == of.wait.Call {
				of.ranks = append(of.ranks, i)
			}
			if most < 0 || len(of.ranks) > len(by[most].ranks) {
				most = r
			}
		}
		return ""
	})
	if most < 0 {
		return ""
	}
	of := &by[most]
	what := j.what(of.ranks[0], of.need)
	if of.need.Kind == state.Collective {
		what = j.part(of.need, []int{most}) + ", on " + on(j.commOf(of.ranks[0], of.need))
	}
	return fmt.Sprintf("%s %s in %s for %s; %s %s", j.names(of.ranks), verb(of.ranks, "waits", "wait"),
		of.wait.Call, what, j.name(most), j.doing(most))
}
