// Package launcher tests mpiexec as its users meet it: with shell scripts, with ranks that join their job as
// the library does, and with programs built for MPICH.
package launcher

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gompi/tests/programs"
)

// Programs under test, built once. Their folder is first in PATH.
var mpiexec, rank string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // launchers under nohup would ignore it
	dir, err := os.MkdirTemp("", "gompi-launcher")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	mpiexec, rank = filepath.Join(dir, "bin", "mpiexec"), filepath.Join(dir, "bin", "rank")
	for out, pkg := range map[string]string{mpiexec: "gompi/cmd/mpiexec", rank: "gompi/tests/launcher/rank"} {
		if err := programs.Executable(out, pkg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	os.Setenv("PATH", filepath.Dir(mpiexec)+":"+os.Getenv("PATH"))
	return m.Run()
}

// patience is how long any job of a test may take before the test fails; the machine may be busy.
const patience = 3 * time.Minute

// result is how a job ended.
type result struct {
	code        int
	out, err    string
	interrupted bool // the test lost its patience
}

// run runs mpiexec with the given arguments and standard input.
func run(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return runCommand(t, stdin, append([]string{mpiexec}, args...)...)
}

func runCommand(t *testing.T, stdin string, argv ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Minute
	err := cmd.Run()
	r := result{out: out.String(), err: errOut.String(), interrupted: ctx.Err() != nil}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		r.code = exit.ExitCode()
		if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
			r.code = 128 + int(status.Signal())
		}
	case err != nil:
		t.Fatalf("%q: %v", argv, err)
	}
	if r.interrupted {
		t.Fatalf("%q did not end\nstdout: %s\nstderr: %s", argv, r.out, r.err)
	}
	return r
}

// want fails the test unless a job ended with this code and these texts in its outputs.
func (r result) want(t *testing.T, code int, out, errOut string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d\nstdout: %s\nstderr: %s", r.code, code, r.out, r.err)
	}
	if !strings.Contains(r.out, out) {
		t.Errorf("stdout %q lacks %q", r.out, out)
	}
	if !strings.Contains(r.err, errOut) {
		t.Errorf("stderr %q lacks %q", r.err, errOut)
	}
}

// silent fails the test when a job wrote anything to standard error.
func (r result) silent(t *testing.T) {
	t.Helper()
	if r.err != "" {
		t.Errorf("stderr %q, want nothing", r.err)
	}
}

// ownLines returns the lines of standard error that the launcher itself wrote.
func (r result) ownLines() []string {
	var own []string
	for _, line := range strings.Split(r.err, "\n") {
		if strings.HasPrefix(line, "mpiexec: ") {
			own = append(own, line)
		}
	}
	return own
}

// mark is a word in the command line of a process by which a test finds it again.
func mark(t *testing.T) string {
	return "mark-" + strconv.Itoa(os.Getpid()) + "-" + strings.ReplaceAll(t.Name(), "/", "-") + "-" +
		strconv.FormatInt(time.Now().UnixNano(), 36)
}

// marked lists the living processes that have a word in their command line.
func marked(word string) []int {
	var pids []int
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && bytes.Contains(line, []byte(word)) && !isZombie(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func isZombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	rest := stat[bytes.LastIndexByte(stat, ')')+1:]
	return bytes.HasPrefix(rest, []byte(" Z")) || bytes.HasPrefix(rest, []byte(" X"))
}

// gone fails the test, and cleans up, unless all processes with a word in their command line end soon.
func gone(t *testing.T, word string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		left := marked(word)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("processes %v are left", left)
			for _, pid := range left {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// await waits until a condition holds, and fails the test when it does not come to that.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: waiting for %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
