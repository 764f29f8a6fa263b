package boot

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Under Slurm a rank that ends before it has begun MPI leaves the others waiting for it when they begin. All
// tasks of a step on one node are children of one slurmstepd, so ranks watch those until the first fence.
// Nobody can have ended well before that.

// stepDaemon is the name of the process that starts the tasks of a step.
const stepDaemon = "slurmstepd"

// watched is a store up to the first fence.
type watched struct {
	store
	stop func()
}

func (w watched) fence() error {
	err := w.store.fence()
	w.stop()
	return err
}

// watchSiblings has another goroutine end the job when a task of this node ends before the first fence of the
// store, or before it is called off.
func (j *Job) watchSiblings(env environ, c Config) (callOff func()) {
	plain, stop := j.store, j.watchStep(env, c)
	j.store = watched{plain, stop}
	return func() {
		stop()
		j.store = plain
	}
}

// watchStep has another goroutine end the job when a task of this node ends before stop is called, which may
// be called more than once.
func (j *Job) watchStep(env environ, c Config) (stop func()) {
	parent := "/proc/" + strconv.Itoa(os.Getppid())
	name, err := os.ReadFile(parent + "/comm")
	if err != nil || strings.TrimSpace(string(name)) != stepDaemon {
		return func() {}
	}
	return j.watchTasks(children(parent), strings.Count(env("SLURM_GTIDS"), ",")+1, c)
}

// children are the child processes of a process, in rising order.
func children(proc string) (pids []int) {
	threads, _ := filepath.Glob(proc + "/task/*/children")
	for _, file := range threads {
		text, _ := os.ReadFile(file)
		for _, word := range bytes.Fields(text) {
			if pid := processNumber(string(word)); pid > 0 {
				pids = append(pids, pid)
			}
		}
	}
	slices.Sort(pids)
	return pids
}

// watchTasks watches processes of which there have been n at the start.
func (j *Job) watchTasks(pids []int, n int, c Config) (stop func()) {
	stopped, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil || len(pids) == 0 {
		return func() {} // what cannot be watched is not
	}
	fds := []unix.PollFd{{Fd: int32(stopped), Events: unix.POLLIN}}
	missing := len(pids) < n
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if err == nil {
			fds = append(fds, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		}
		missing = missing || err == unix.ESRCH
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		died := missing || awaitTask(fds)
		own := slices.Index(pids, os.Getpid())
		if died && own > 0 {
			time.Sleep(firstTask)
		}
		first := slices.IndexFunc(pids, alive) == own
		for _, fd := range fds[1:] {
			unix.Close(int(fd.Fd))
		}
		if died {
			j.endUnjoined(c, first)
		}
	}()
	return sync.OnceFunc(func() {
		_, _ = unix.Write(stopped, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-ended
		unix.Close(stopped)
	})
}

// firstTask is how long the first task of a node has to tell the user of a death and to have the step ended,
// ahead of the others. Slurm kills tasks as soon as one asks for that: one that asked earlier would silence
// the one that tells, and one that is killed would leave its place to the next, which would tell again.
const firstTask = 200 * time.Millisecond

// awaitTask waits for the end of a process behind the descriptors; it is false when the first one, which
// stands for none, can be read before.
func awaitTask(fds []unix.PollFd) bool {
	for {
		_, err := unix.Poll(fds, forever)
		if err == unix.EINTR {
			continue
		}
		return err == nil && fds[0].Revents == 0
	}
}

// alive reports whether a process runs, and has not ended without having been waited for.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	behind := stat[bytes.LastIndexByte(stat, ')')+1:]
	return !bytes.HasPrefix(behind, []byte(" Z")) && !bytes.HasPrefix(behind, []byte(" X"))
}

// endUnjoined ends a job that will never be whole. The first of the tasks that are left tells the user and
// asks the launcher; the others ask only if that has not ended them.
func (j *Job) endUnjoined(c Config, first bool) {
	why := ""
	if machine, _ := os.Hostname(); first {
		why = fmt.Sprintf("one of the %d ranks, on %s, has ended before it had begun MPI; the job is ended", j.Size, machine)
	}
	end := func() {
		if !first && !j.helpless() {
			time.Sleep(launcherActs)
		}
		j.askAbort(1, nil)
	}
	if c.Fail == nil {
		end()
		return
	}
	c.Fail(why, func() {
		end()
		if !j.helpless() {
			time.Sleep(launcherActs)
		}
	})
}
