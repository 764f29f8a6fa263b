package launch

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oomCounter tells whether the kernel has killed a process of our control group for want of memory since the job
// began. It is first read when the job has run for a moment: a short job does without.
type oomCounter struct {
	readAt time.Time
	path   string
	before int
}

// oomDelay is how long after the start the counter is first read.
const oomDelay = 50 * time.Millisecond

// begin reads the counter for the first time.
func (o *oomCounter) begin() {
	o.readAt = time.Time{}
	if group, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		o.path = oomFile(string(group))
		o.before = o.kills()
	}
}

// oomFile finds the file with the kernel's count in what /proc/self/cgroup says: in the unified hierarchy, or in that
// of the memory controller of old.
func oomFile(group string) string {
	file := ""
	for _, line := range strings.Split(group, "\n") {
		number, rest, _ := strings.Cut(line, ":")
		controllers, path, found := strings.Cut(rest, ":")
		switch {
		case !found:
		case number == "0" && controllers == "" && file == "":
			file = "/sys/fs/cgroup" + path + "/memory.events"
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			file = "/sys/fs/cgroup/memory" + path + "/memory.oom_control"
		}
	}
	return file
}

// grew tells whether the counter has grown since begin.
func (o *oomCounter) grew() bool { return o.path != "" && o.kills() > o.before }

func (o *oomCounter) kills() int {
	events, err := os.ReadFile(o.path)
	if err != nil {
		return 0
	}
	for _, line := range bytes.Split(events, []byte("\n")) {
		if count, ok := bytes.CutPrefix(line, []byte("oom_kill ")); ok {
			n, _ := strconv.Atoi(string(bytes.TrimSpace(count)))
			return n
		}
	}
	return 0
}
