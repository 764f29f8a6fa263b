package launch

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

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
	for _, r := range j.ranks {
		if !r.world.failing {
			all = false
		} else if r.child() {
			direct[r.pid] = true
			roots = append(roots, r.pid)
			unix.Kill(r.pid, sig)
		}
	}
	if all {
		roots = []int{os.Getpid()} // those too whose parents are gone
	}
	for _, pid := range descendants(roots, j.starters()) {
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
		for _, pid := range descendants([]int{os.Getpid()}, nil) {
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

// descendants lists the living processes below the given ones, by /proc; nothing where that cannot be read.
// Those to spare are left out, with all below them.
func descendants(roots, spare []int) []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, name := range entries {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if parent, ok := parentOf(pid); ok && !slices.Contains(spare, pid) {
			children[parent] = append(children[parent], pid)
		}
	}
	var found []int
	queue := roots
	for len(queue) > 0 {
		pid := queue[0]
		queue = append(queue[1:], children[pid]...)
		found = append(found, children[pid]...)
	}
	return found
}

// parentOf is the parent of a process; false for one that is gone or only waits to be waited for.
func parentOf(pid int) (int, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	// The name in parentheses may hold anything, so the fields count from its end: state, parent.
	rest := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(rest) < 2 || rest[0][0] == 'Z' || rest[0][0] == 'X' {
		return 0, false
	}
	parent, err := strconv.Atoi(string(rest[1]))
	return parent, err == nil
}
