package launch

import (
	"os"
	"time"

	"gompi/launch/host"
	"gompi/launch/mpir"
	"gompi/launch/process"
	"gompi/launch/world"
	"gompi/shm"

	"golang.org/x/sys/unix"
)

// How worlds are ended, with what ranks have left behind.

// fail begins to end a world and all that are connected to it. The first call decides the exit code.
func (j *job) fail(w *world.World, code int) {
	if w.Failing {
		return
	}
	w.Failing = true
	if w.ID == 0 && j.up == nil {
		mpir.Abort("the job is being ended")
	}
	if !j.end.begun && j.end.code == 0 && j.counts(w) {
		j.end.code = code
	}
	j.end.begun = j.end.begun || j.counts(w)
	if j.failed = append(j.failed, w); len(j.failed) > 1 {
		return // what has been heard says so, and the caller of hearAll goes on with it
	}
	j.hearAll()
	for i := 0; i < len(j.failed); i++ {
		j.endWorlds(j.Connected(j.failed[i]))
	}
	j.failed = nil
}

// hearAll takes in what ranks have said so far. The end of a rank may be found before what others said ahead
// of it: that they have come to be connected with its world, or are so no more.
func (j *job) hearAll() {
	if len(j.Worlds) < 2 {
		return
	}
	for _, r := range j.Ranks {
		if h := j.loop.HandlerOf(r.Conn.Fd); h != nil {
			h.Ready(unix.EPOLLIN)
		}
	}
}

// failAll is fail for all worlds.
func (j *job) failAll(code int) {
	for _, w := range j.Worlds {
		j.fail(w, code)
	}
}

// endWorlds lets the ranks of some worlds know that they are being ended, and asks them to go.
func (j *job) endWorlds(worlds []*world.World) {
	for _, w := range worlds {
		if w.Asked {
			continue
		}
		w.Failing, w.Asked, w.KillAt = true, true, time.Now().Add(grace)
		for _, n := range w.Nodes {
			if n.Segment != nil && shm.Epoch(n.Segment) == 0 {
				shm.MarkDead(n.Segment, -1)
			}
		}
		w.Tell(&host.Frame{Kind: host.FrameEnd})
		if w.Asker != nil {
			refuse(w.Asker, "the job is being ended")
			w.Asker = nil
		}
	}
	j.signalTree(j.endSignal())
	j.signalTree(unix.SIGCONT) // a stopped process hears nothing
}

// killLate kills what still lives of a world after the grace period.
func (j *job) killLate(w *world.World, now time.Time) {
	w.KillAt = time.Time{}
	if w.Living > 0 {
		w.KillAt = now.Add(killAgain)
	}
	j.signalTree(unix.SIGKILL)
}

// closeHosts ends what is left on other hosts.
func (j *job) closeHosts() {
	j.closing = true
	j.hosts.Close(j.end.begun || j.living > 0)
}

// killNow ends the job at once, before or after it was complete.
func (j *job) killNow() {
	j.killRanks()
	j.closeHosts()
	j.sweep()
}

// killRanks ends all ranks of this machine, and waits for that.
func (j *job) killRanks() {
	for _, w := range j.Worlds {
		w.Failing = true
	}
	j.signalTree(unix.SIGKILL)
	for _, r := range j.Ranks {
		for r.Child() {
			pid, err := unix.Wait4(r.Pid, nil, 0, nil)
			if pid == r.Pid || err == unix.ECHILD {
				r.Exited = true
			}
		}
		if r.Kept {
			r.Bury()
		}
	}
}

// How long a process that a rank left behind has, after SIGTERM and after SIGKILL.
const (
	leftoverGrace = 200 * time.Millisecond
	leftoverKill  = time.Second
)

// signalTree sends a signal to all living ranks of the worlds that are being ended and to everything below
// them, such as the program behind a wrapper script. The ranks come first, and do without /proc.
func (j *job) signalTree(sig unix.Signal) {
	direct := map[int]bool{}
	var roots []int
	all := true
	for _, r := range j.Ranks {
		if !r.World.Failing {
			all = false
		} else if r.Child() {
			direct[r.Pid] = true
			roots = append(roots, r.Pid)
			unix.Kill(r.Pid, sig)
		}
	}
	if all {
		roots = []int{os.Getpid()} // those too whose parents are gone
	}
	for _, pid := range process.Descendants(roots, j.hosts.Starters()) {
		if !direct[pid] {
			unix.Kill(pid, sig)
		}
	}
}

// sweep ends the processes that ranks left behind. After a job that went well, those that made a session of
// their own are daemons, meant to stay; after any other, all go.
func (j *job) sweep() {
	var status unix.WaitStatus
	if _, err := unix.Wait4(-1, &status, unix.WNOHANG, nil); err == unix.ECHILD {
		return // nothing is left, which is the rule
	}
	session, _ := unix.Getsid(0)
	send := func(sig unix.Signal) int {
		n := 0
		for _, pid := range process.Descendants([]int{os.Getpid()}, nil) {
			if sid, err := unix.Getsid(pid); err != nil || !j.end.begun && sid != session {
				continue
			}
			unix.Kill(pid, sig)
			n++
		}
		return n
	}
	start := time.Now()
	for send(unix.SIGTERM) > 0 && time.Since(start) < leftoverGrace {
		time.Sleep(5 * time.Millisecond)
		j.reapAll()
	}
	for send(unix.SIGKILL) > 0 && time.Since(start) < leftoverGrace+leftoverKill {
		time.Sleep(5 * time.Millisecond)
		j.reapAll()
	}
}
