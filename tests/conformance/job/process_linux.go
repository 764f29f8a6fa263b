package job

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// markerName is a variable in the environment of every process of a job. Launchers hand the environment on,
// so that a process is found wherever it has moved in the tree of processes.
const markerName = "CONFORMANCE_JOB"

// marker finds the processes of one job.
type marker struct{ entry []byte }

func newMarker(id string) marker { return marker{entry: []byte(markerName + "=" + id)} }

func (m marker) variable() string { return string(m.entry) }

// processes lists the living processes of the job.
func (m marker) processes() []int {
	names, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range names {
		environ, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(environ, m.entry) {
			continue
		}
		for entry := range bytes.SplitSeq(environ, []byte{0}) {
			if bytes.Equal(entry, m.entry) {
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// awaitEnd waits until no process of the job is left. It returns the names of those that are left when the
// time is up.
func (m marker) awaitEnd(grace time.Duration) []string {
	for deadline := time.Now().Add(grace); ; time.Sleep(pollInterval) {
		pids := m.processes()
		if len(pids) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			var left []string
			for _, pid := range pids {
				if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err == nil {
					left = append(left, strings.TrimSpace(string(name)))
				}
			}
			return left
		}
	}
}

// killAll kills the processes of the job until none is left; one that starts another one meanwhile does not
// get away. It gives up on processes that the kernel holds.
func (m marker) killAll() {
	for deadline := time.Now().Add(exitGrace); ; time.Sleep(pollInterval) {
		pids := m.processes()
		for _, pid := range pids {
			unix.Kill(pid, unix.SIGKILL)
		}
		reapOrphans()
		if len(pids) == 0 || time.Now().After(deadline) {
			return
		}
	}
}

var becomeSubreaper = sync.OnceValue(func() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("prctl(PR_SET_CHILD_SUBREAPER): %w", err)
	}
	return nil
})

// own holds the children that this package started, which os/exec waits for. All other children are orphans
// of jobs.
var own = struct {
	sync.Mutex
	pids map[int]bool
}{pids: map[int]bool{}}

// startTracked starts the command as a child of our own.
func startTracked(cmd *exec.Cmd) error {
	own.Lock()
	defer own.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	own.pids[cmd.Process.Pid] = true
	return nil
}

// waitTracked waits for a command that startTracked started. The exit status is in cmd afterwards.
func waitTracked(cmd *exec.Cmd) {
	cmd.Wait()
	own.Lock()
	delete(own.pids, cmd.Process.Pid)
	own.Unlock()
}

// reapOrphans takes note of processes of jobs that have ended after their parent had, and so have become
// children of this process. Other children of this process, such as compilers, have been left in its own
// process group, by which they are told apart.
func reapOrphans() {
	own.Lock()
	defer own.Unlock()
	self := unix.Getpgrp()
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, name := range tasks {
		children, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(children)) {
			pid, err := strconv.Atoi(field)
			if err != nil || own.pids[pid] {
				continue
			}
			if group, err := unix.Getpgid(pid); err != nil || group == self {
				continue
			}
			unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// ownGroup gives the command a process group of its own, and has it killed with this process.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func terminateGroup(cmd *exec.Cmd) { unix.Kill(-cmd.Process.Pid, unix.SIGTERM) }

func killGroup(cmd *exec.Cmd) { unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }

// exitStatus gives the exit status as a shell would.
func exitStatus(cmd *exec.Cmd) int {
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return cmd.ProcessState.ExitCode()
}
