package check

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a process group of its own, which ends with it
// when its time is over: no rank outlives a test.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
