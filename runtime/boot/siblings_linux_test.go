package boot

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// Tasks that are children of the test stand for those of a step.
func TestWatchOfTasks(t *testing.T) {
	start := func() *exec.Cmd {
		cmd := exec.Command("sleep", "60")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd
	}
	type outcome struct {
		why string
		end func()
	}
	for _, c := range []struct {
		name string
		kill bool
		n    int // tasks that there have been
		ends bool
	}{{name: "all live", n: 2}, {name: "one dies", kill: true, n: 2, ends: true}, {name: "one is missing", n: 3, ends: true}} {
		first, second := start(), start()
		pids := []int{first.Process.Pid, second.Process.Pid}
		found := children("/proc/self")
		if !slices.Contains(found, pids[0]) || !slices.Contains(found, pids[1]) {
			t.Errorf("%v are not among the children %v", pids, found)
		}
		failed := make(chan outcome, 1)
		j := &Job{Size: 2}
		fail := func(why string, end func()) { failed <- outcome{why, end} }
		stop := j.watchTasks(pids, c.n, Config{Fail: fail})
		if c.kill {
			second.Process.Kill() // and is not waited for yet
		}
		if !c.ends {
			time.Sleep(20 * time.Millisecond)
			stop()
			select {
			case o := <-failed:
				t.Errorf("%s: the job is ended: %s", c.name, o.why)
			default:
			}
			continue
		}
		select {
		case o := <-failed:
			o.end()
			if o.why != "" {
				t.Errorf("%s: a process that is none of the tasks says %q", c.name, o.why)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("%s: nobody has noticed", c.name)
		}
		stop()
		if c.kill && (alive(pids[1]) || !alive(pids[0])) {
			t.Errorf("%s: %d counts as dead, %d as alive", c.name, pids[0], pids[1])
		}
	}
	if !alive(os.Getpid()) {
		t.Error("the test counts as dead")
	}
}
