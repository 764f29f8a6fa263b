package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gompi/tests/conformance/suite"
)

// shell runs a script as a job.
func shell(t *testing.T, limit time.Duration, script string) Outcome {
	t.Helper()
	o, err := Run(t.Context(), Spec{Argv: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(),
		Env: []string{"GREETING=hello"}, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// gone checks that the process whose id the file holds is no more.
func gone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

func TestRunCollectsOutputAndStatus(t *testing.T) {
	o := shell(t, time.Minute, "echo $GREETING; echo there >&2; exit 3")
	if o.Output != "hello\nthere\n" || o.Exit != 3 || o.TimedOut || len(o.Left) > 0 {
		t.Errorf("outcome %+v", o)
	}
	if o := shell(t, time.Minute, "kill -SEGV $$"); o.Exit != 139 {
		t.Errorf("exit status %d after SIGSEGV, want 139", o.Exit)
	}
}

func TestRunKeepsTheBeginningOfMuchOutput(t *testing.T) {
	o := shell(t, time.Minute, "yes 0123456789 | head -n 100000; exit 0")
	if len(o.Output) != outputLimit || o.Exit != 0 {
		t.Errorf("%d bytes, exit status %d", len(o.Output), o.Exit)
	}
}

func TestRunEndsWhatTakesTooLong(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	// On a busy machine the job may not have come far at the first limit.
	for limit := 300 * time.Millisecond; limit < time.Minute; limit *= 2 {
		// the second process ignores SIGTERM and has left the process group
		o := shell(t, limit, "setsid sh -c 'trap \"\" TERM; echo $$ >"+pid+"; while :; do sleep 1; done' & echo started; wait")
		if !o.TimedOut {
			t.Errorf("outcome %+v", o)
		}
		if text, _ := os.ReadFile(pid); len(text) > 0 && strings.Contains(o.Output, "started") {
			break
		}
	}
	gone(t, pid)
}

func TestRunLeavesNothingBehind(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	o := shell(t, time.Minute, "setsid sh -c 'echo $$ >"+pid+"; exec sleep 100' & while [ ! -s "+pid+" ]; do sleep 0.01; done; exit 0")
	if len(o.Left) != 1 || o.Left[0] != "sleep" {
		t.Errorf("left behind %q, want sleep", o.Left)
	}
	gone(t, pid)
}

func TestRunGivesOthersTimeToEnd(t *testing.T) {
	if o := shell(t, time.Minute, "sleep 0.3 & exit 0"); len(o.Left) > 0 {
		t.Errorf("left behind %q", o.Left)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := Run(ctx, Spec{Argv: []string{"/bin/sleep", "100"}, Limit: time.Minute})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestRunSaysThatACommandIsMissing(t *testing.T) {
	if _, err := Run(t.Context(), Spec{Argv: []string{"/nowhere/mpiexec"},
		Limit: time.Minute}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestJudge(t *testing.T) {
	late := Outcome{TimedOut: true, Elapsed: 30 * time.Second, Output: "half\n", Exit: 137}
	for _, c := range []struct {
		rule   suite.Rule
		o      Outcome
		kind   Kind
		detail string
	}{
		{suite.NoErrors, Outcome{Output: " No Errors\n"}, Passed, ""},
		{suite.NoErrors, Outcome{Output: "No errors\r\nTest Passed\n"}, Passed, ""},
		{suite.NoErrors, Outcome{Output: " No Errors\n", Exit: 1}, Exit, "exit status 1"},
		{suite.NoErrorsBesideWarnings, Outcome{Output: "gompi: pid 7: MPI_Finalize: a leak\nMPICH: x\n No Errors\n"}, Passed, ""},
		{suite.NoErrorsBesideWarnings, Outcome{Output: "failed\n No Errors\n"}, Output, "failed"},
		{suite.NoErrorsBesideWarnings, Outcome{Output: "WARNING: x\n No Errors\n", Exit: 1}, Exit, "exit status 1"},
		{suite.NoErrors, Outcome{Output: "gompi: pid 7: MPI_Finalize: a leak\n No Errors\n"}, Output, "gompi: pid 7: MPI_Finalize: a leak"},
		{suite.NoErrors, Outcome{Output: "MPI_Scan failed\n No Errors\n"}, Output, "MPI_Scan failed"},
		{suite.NoErrors, Outcome{Output: "", Exit: 139}, Output, "no \"No Errors\", exit status 139"},
		{suite.NoErrors, late, Time, "not done after 30s; half"},
		{suite.NonZero, Outcome{Output: "anything\n", Exit: 1}, Passed, ""},
		{suite.NonZero, Outcome{}, Exit, "exit status 0 where another one was due"},
		{suite.NonZero, late, Time, "not done after 30s; half"},
		{suite.NonZeroNoErrors, Outcome{Output: " No Errors\n", Exit: 1}, Passed, ""},
		{suite.NonZeroNoErrors, Outcome{Output: "mpiexec: rank 1 (pid 7) exited with code 1 without MPI_Finalize; " +
			"the job goes on without it\n No Errors\nmpiexec: the job has ended without 1 of its 2 ranks: rank 1\n",
			Exit: 1}, Passed, ""},
		{suite.NonZeroNoErrors, Outcome{Output: " No Errors\nmpiexec: rank 0 (pid 7 on node1) exited with code 1\n",
			Exit: 1}, Passed, ""},
		{suite.NonZeroNoErrors, Outcome{Output: " No Errors\n"}, Exit, "exit status 0 where another one was due"},
		{suite.NonZeroNoErrors, Outcome{Exit: 1}, Output, "no \"No Errors\", exit status 1"},
		{suite.ZeroStatus, Outcome{Output: "hello\n"}, Passed, ""},
		{suite.ZeroStatus, Outcome{Output: "bad\n", Exit: 1}, Exit, "exit status 1; bad"},
	} {
		if kind, detail := Judge(c.rule, c.o); kind != c.kind || detail != c.detail {
			t.Errorf("rule %v, %+v: %q %q, want %q %q", c.rule, c.o, kind, detail, c.kind, c.detail)
		}
	}
}
