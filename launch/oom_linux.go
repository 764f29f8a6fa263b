package launch

import (
	"bytes"
	"os"
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
	group, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return
	}
	for _, line := range strings.Split(string(group), "\n") {
		if path, ok := strings.CutPrefix(line, "0::"); ok {
			o.path = "/sys/fs/cgroup" + path + "/memory.events"
		}
	}
	o.before = o.kills()
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
