package launch

import (
	"time"

	"gompi/launch/host"
	"gompi/launch/process"
	"gompi/launch/world"

	"golang.org/x/sys/unix"
)

// What is left of spawned worlds when they end, while the job goes on.

// Kill ends the ranks of a world at once, and nobody else.
func (j *job) Kill(w *world.World) {
	w.Failing, w.Asked = true, true
	if w.Living == 0 {
		return
	}
	w.KillAt = time.Now().Add(killAgain)
	w.Tell(&host.Frame{Kind: host.FrameKill})
	var roots []int
	for _, r := range w.Ranks {
		if r.Child() {
			roots = append(roots, r.Pid)
		}
	}
	for _, pid := range append(roots, process.Descendants(roots, nil)...) {
		unix.Kill(pid, unix.SIGKILL)
	}
}

// retire gives up what belongs to spawned worlds that have ended: a job may spawn without end.
func (j *job) retire() {
	if len(j.Worlds) < 2 {
		return
	}
	kept := j.Worlds[:1]
	for _, w := range j.Worlds[1:] {
		if w.Living > 0 || w.Victim != nil || !w.Close() {
			kept = append(kept, w)
			continue
		}
		if !w.Failing {
			j.retired += len(w.Ranks)
		}
		for _, other := range j.Worlds {
			for _, r := range other.Ranks {
				delete(r.Links, w)
			}
			if other.Parent == w {
				other.Parent, other.Port = nil, ""
			}
		}
	}
	if len(kept) == len(j.Worlds) {
		return
	}
	clear(j.Worlds[len(kept):])
	j.Worlds = kept
	j.Ranks = nil
	for _, w := range kept {
		j.Ranks = append(j.Ranks, w.Ranks...)
	}
}
