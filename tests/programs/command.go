package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Result is what a command has left.
type Result struct {
	Stdout, Stderr string
	Code           int // -1 for death by a signal
}

// Limit is the time that any one command gets: more than ten times what the longest compilation takes.
const Limit = 10 * time.Minute

// Try runs a command in a folder; env is added to the environment. At the time limit all that the command has
// started ends, and the test too.
func Try(t *testing.T, folder string, env []string, command ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Limit)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Minute
	c.Dir = folder
	c.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	if ctx.Err() != nil {
		t.Fatalf("%q is not done after %v\n%s%s", command, Limit, &stdout, &stderr)
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatalf("%q: %v", command, err)
	}
	return Result{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// Must runs a command that has to succeed and returns what it prints to standard output.
func Must(t *testing.T, folder string, env []string, command ...string) string {
	t.Helper()
	r := Try(t, folder, env, command...)
	if r.Code != 0 {
		t.Fatalf("%s: exit code %d\n%s%s", strings.Join(command, " "), r.Code, r.Stdout, r.Stderr)
	}
	return r.Stdout
}

// All is everything that the command has printed, and an error unless it has succeeded.
func (r Result) All() (string, error) {
	if r.Code != 0 {
		return r.Stdout + r.Stderr, fmt.Errorf("exit code %d", r.Code)
	}
	return r.Stdout + r.Stderr, nil
}
