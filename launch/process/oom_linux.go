package process

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
)

// OOMCounter reports whether the kernel has killed a process of our control group for want of memory since
// the job began.
type OOMCounter struct {
	path   string
	before int
}

// Begin reads the counter for the first time, before any rank runs.
func (o *OOMCounter) Begin() {
	group, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return
	}
	for _, file := range oomFiles(string(group)) {
		o.path = file
		if n, ok := o.read(); ok {
			o.before = n
			return
		}
	}
	o.path = ""
}

// oomFiles lists the files that may have the kernel's count, by what /proc/self/cgroup says: that of the
// memory controller of version 1 where it is in use, otherwise that of version 2. A container may see its own
// group as the root of the hierarchy.
func oomFiles(group string) []string {
	var first, second []string
	for _, line := range strings.Split(group, "\n") {
		number, rest, _ := strings.Cut(line, ":")
		controllers, path, found := strings.Cut(rest, ":")
		switch path = strings.TrimSuffix(path, "/"); {
		case !found:
		case number == "0" && controllers == "":
			for _, root := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
				second = append(second, root+path+"/memory.events", root+"/memory.events")
			}
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			const root = "/sys/fs/cgroup/memory"
			first = append(first, root+path+"/memory.oom_control", root+"/memory.oom_control")
		}
	}
	return slices.Compact(append(first, second...))
}

// Grew reports whether the counter has grown since begin.
func (o *OOMCounter) Grew() bool {
	n, ok := o.read()
	return ok && n > o.before
}

// read is the counter's value; false when there is none.
func (o *OOMCounter) read() (int, bool) {
	events, err := os.ReadFile(o.path)
	if err != nil {
		return 0, false
	}
	for _, line := range bytes.Split(events, []byte("\n")) {
		if count, found := bytes.CutPrefix(line, []byte("oom_kill ")); found {
			n, err := strconv.Atoi(string(bytes.TrimSpace(count)))
			return n, err == nil
		}
	}
	return 0, false
}
