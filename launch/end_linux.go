package launch

import (
	"time"

	"gompi/shm"

	"golang.org/x/sys/unix"
)

// How worlds are ended, with what ranks have left behind.

// fail begins to end a world and all that are connected to it. The first call decides the exit code.
func (j *job) fail(w *world, code int) {
	if w.failing {
		return
	}
	w.failing = true
	if !j.end.begun && j.end.code == 0 && j.counts(w) {
		j.end.code = code
	}
	j.end.begun = j.end.begun || j.counts(w)
	if j.failed = append(j.failed, w); len(j.failed) > 1 {
		return // what has been heard says so, and the caller of hearAll goes on with it
	}
	j.hearAll()
	for i := 0; i < len(j.failed); i++ {
		j.endWorlds(j.connected(j.failed[i]))
	}
	j.failed = nil
}

// hearAll takes in what ranks have said so far. The end of a rank may be found before what others said ahead
// of it: that they have come to be connected with its world, or are so no more.
func (j *job) hearAll() {
	if len(j.worlds) < 2 {
		return
	}
	for _, r := range j.ranks {
		if h := j.loop.handlers[r.conn.fd]; h != nil {
			h.ready(unix.EPOLLIN)
		}
	}
}

// failAll is fail for all worlds.
func (j *job) failAll(code int) {
	for _, w := range j.worlds {
		j.fail(w, code)
	}
}

// endWorlds lets the ranks of some worlds know that they are being ended, and asks them to go.
func (j *job) endWorlds(worlds []*world) {
	for _, w := range worlds {
		if w.asked {
			continue
		}
		w.failing, w.asked, w.killAt = true, true, time.Now().Add(grace)
		for _, n := range w.nodes {
			if n.segment != nil && shm.Epoch(n.segment) == 0 {
				shm.MarkDead(n.segment, -1)
			}
		}
		w.tell(&frame{kind: frameEnd})
		if w.asker != nil {
			refuse(w.asker, "the job is being ended")
			w.asker = nil
		}
	}
	j.signalTree(unix.SIGTERM)
	j.signalTree(unix.SIGCONT) // a stopped process hears nothing
}

// killLate kills what still lives of a world after the grace period.
func (j *job) killLate(w *world, now time.Time) {
	w.killAt = time.Time{}
	if w.living > 0 {
		w.killAt = now.Add(killAgain)
	}
	j.signalTree(unix.SIGKILL)
}

// killNow ends the job at once, before or after it was complete.
func (j *job) killNow() {
	j.killRanks()
	j.closeLinks()
	j.sweep()
}

// killRanks ends all ranks of this machine, and waits for that.
func (j *job) killRanks() {
	for _, w := range j.worlds {
		w.failing = true
	}
	j.signalTree(unix.SIGKILL)
	for _, r := range j.ranks {
		for r.child() {
			pid, err := unix.Wait4(r.pid, nil, 0, nil)
			if pid == r.pid || err == unix.ECHILD {
				r.exited = true
			}
		}
		if r.kept {
			r.bury()
		}
	}
}
