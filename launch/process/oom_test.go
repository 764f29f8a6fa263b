package process

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOOMCounter(t *testing.T) {
	o := OOMCounter{path: filepath.Join(t.TempDir(), "memory.events")}
	if o.Grew() {
		t.Error("a file that does not exist has grown")
	}
	write := func(text string) { os.WriteFile(o.path, []byte(text), 0o600) }
	write("low 0\nhigh 7\noom 2\noom_kill 3\noom_group_kill 0\n")
	o.before, _ = o.read()
	if o.before != 3 || o.Grew() {
		t.Errorf("before: %d, grew: %v", o.before, o.Grew())
	}
	write("low 0\nhigh 9\noom 3\noom_kill 4\n")
	if !o.Grew() {
		t.Error("one more process killed, and not noticed")
	}
	write("garbage\noom_kill many\n")
	if o.Grew() {
		t.Error("garbage counts")
	}
}

func TestOOMFiles(t *testing.T) {
	for _, c := range []struct {
		group string
		want  []string
	}{
		{"0::/user.slice/session-1.scope\n", []string{
			"/sys/fs/cgroup/user.slice/session-1.scope/memory.events", "/sys/fs/cgroup/memory.events",
			"/sys/fs/cgroup/unified/user.slice/session-1.scope/memory.events", "/sys/fs/cgroup/unified/memory.events",
		}},
		{"9:name=systemd:/\n4:cpu,cpuacct:/\n3:memory:/job\n0::/\n", []string{
			"/sys/fs/cgroup/memory/job/memory.oom_control", "/sys/fs/cgroup/memory/memory.oom_control",
			"/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/unified/memory.events",
		}},
		{"", nil},
		{"what is this", nil},
	} {
		if got := oomFiles(c.group); !slices.Equal(got, c.want) {
			t.Errorf("oomFiles(%q) = %q, want %q", c.group, got, c.want)
		}
	}
}
