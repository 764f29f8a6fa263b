package process

import (
	"bytes"
	"os"
	"slices"
	"strconv"
)

// Descendants lists the living processes below the given ones, by /proc; nothing where that cannot be read.
// Those to spare are left out, with all below them.
func Descendants(roots, spare []int) []int {
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
