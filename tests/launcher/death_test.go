package launcher

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestDeathBySignal(t *testing.T) {
	word := mark(t)
	r := run(t, "", "-n", "3", "sh", "-c", "test $PMI_RANK != 2 || kill -SEGV $$; sleep 3000; : "+word)
	r.want(t, 128+11, "", "was killed by signal 11 (SIGSEGV)")
	if own := r.ownLines(); len(own) != 1 || !strings.HasPrefix(own[0], "mpiexec: rank 2 (pid ") {
		t.Errorf("stderr %q", r.err)
	}
	gone(t, word)
}

// A rank blocked in MPI hears of a death at once.
func TestDeathWakesTheOthers(t *testing.T) {
	r := run(t, "", "-n", "3", "rank", "join", "barrier", "1:kill=9", "barrier")
	r.want(t, 128+9, "", "rank 1 (pid ")
	if len(r.ownLines()) != 1 || !strings.Contains(r.err, "was killed by signal 9 (SIGKILL)") {
		t.Errorf("stderr %q", r.err)
	}
}

// Ranks that do not listen to SIGTERM go all the same.
func TestDeathOfTheStubborn(t *testing.T) {
	word := mark(t)
	r := run(t, "", "-n", "3", "sh", "-c", "test $PMI_RANK != 0 || exit 5; trap '' TERM; while :; do sleep 0.1; done; : "+word)
	r.want(t, 5, "", "rank 0")
	gone(t, word)
}

func TestLeftWithoutFinalize(t *testing.T) {
	run(t, "", "-n", "2", "rank", "join", "barrier", "1:exit=0", "sleep=3000000").want(t, 1, "", "left without MPI_Finalize")
	run(t, "", "-n", "2", "rank", "join", "barrier", "1:exit=3", "sleep=3000000").want(t, 3, "", "exited with code 3 without MPI_Finalize")
	// Also when it never began MPI while the others did, in either order.
	run(t, "", "-n", "2", "rank", "1:exit=0", "join", "barrier").want(t, 1, "", "rank 1 (pid ")
	run(t, "", "-n", "2", "rank", "1:sleep=300", "1:exit=0", "join", "barrier").want(t, 1, "", "exited without MPI_Init while other ranks called it")
}

func TestAbort(t *testing.T) {
	word := mark(t)
	r := run(t, "", "-n", "3", "rank", "join", "barrier", "2:abort=7", "sleep=3000000", word)
	r.want(t, 7, "", "called MPI_Abort with code 7: told so by the test")
	if len(r.ownLines()) != 1 {
		t.Errorf("stderr %q", r.err)
	}
	gone(t, word)
	r = run(t, "", "-n", "2", "rank", "join", "0:fail=8", "sleep=3000000")
	r.want(t, 8, "", "an error of the rank\n")
	if len(r.ownLines()) != 0 {
		t.Errorf("the rank has told it already: %q", r.err)
	}
	run(t, "", "-n", "2", "rank", "join", "1:abort=256", "sleep=3000000").want(t, 1, "", "code 256")
}

// The program that does MPI may stand behind a script; its death counts although the script goes on.
func TestDeathBehindWrapper(t *testing.T) {
	word := mark(t)
	r := run(t, "", "-n", "3", "sh", "-c", "rank join barrier 1:kill=9 barrier "+word+"; sleep 3000")
	r.want(t, 1, "", "rank 1 (pid ")
	if len(r.ownLines()) != 1 || !strings.Contains(r.err, "ended without MPI_Finalize") {
		t.Errorf("stderr %q", r.err)
	}
	gone(t, word)
	r = run(t, "", "-n", "3", "sh", "-c", "rank join barrier 1:kill=9 barrier "+word+"; exit $?")
	if r.code != 1 && r.code != 137 {
		t.Errorf("exit code %d", r.code)
	}
	if own := r.ownLines(); len(own) != 1 || !strings.HasPrefix(own[0], "mpiexec: rank 1 ") {
		t.Errorf("stderr %q", r.err)
	}
}

// What ranks leave behind goes with the job, unless it made itself a daemon in a job that went well.
func TestNothingIsLeft(t *testing.T) {
	word := mark(t)
	run(t, "", "-n", "2", "sh", "-c", "sh -c 'sleep 3000; : "+word+"' & exit 0").want(t, 0, "", "")
	gone(t, word)
	run(t, "", "-n", "2", "sh", "-c", "setsid sh -c 'sleep 3000; : "+word+"' & sleep 0.3; exit 3").want(t, 3, "", "")
	gone(t, word)
	up := filepath.Join(t.TempDir(), "up")
	run(t, "", "-n", "1", "sh", "-c", "setsid sh -c '>"+up+"; sleep 3000; : "+word+"' >/dev/null 2>&1 & until [ -e "+up+
		" ]; do sleep 0.02; done; exit 0").want(t, 0, "", "")
	daemons := marked(word)
	if len(daemons) == 0 {
		t.Error("a daemon was killed with a job that went well")
	}
	for _, pid := range daemons {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	gone(t, word)
}

// TestLauncherKilled kills mpiexec in a way that it cannot answer. No rank may outlive it.
func TestLauncherKilled(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"direct", []string{"rank", "join", "watch", "barrier", "print=ready", "sleep=3000000"}},
		{"behind a script", []string{"sh", "-c", "rank join watch barrier print=ready sleep=3000000 $0; true"}},
		{"behind two scripts", []string{"sh", "-c", "sh -c 'rank join watch barrier print=ready sleep=3000000 $0; true' $0; true"}},
		{"without MPI", []string{"sh", "-c", "echo ready; exec tail -f /dev/null $0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			word := mark(t)
			cmd := exec.Command(mpiexec, append(append([]string{"-n", "3"}, c.args...), word)...)
			if c.name == "without MPI" {
				word = filepath.Join(t.TempDir(), word)
				os.WriteFile(word, nil, 0o600)
				cmd = exec.Command(mpiexec, append(append([]string{"-n", "3"}, c.args...), word)...)
			}
			out := filepath.Join(t.TempDir(), "out")
			f, err := os.Create(out)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			cmd.Stdout = f
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			await(t, "all ranks", func() bool {
				text, _ := os.ReadFile(out)
				return strings.Count(string(text), "ready") == 3
			})
			cmd.Process.Kill()
			cmd.Wait()
			gone(t, word)
		})
	}
}

func TestSignalsAreForwarded(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		name   string
	}{{syscall.SIGUSR1, "USR1"}, {syscall.SIGUSR2, "USR2"}, {syscall.SIGTERM, "TERM"}, {syscall.SIGINT,
		"INT"}, {syscall.SIGHUP, "HUP"}} {
		t.Run(c.name, func(t *testing.T) {
			script := fmt.Sprintf("trap 'echo got %s; exit 0' %s; echo ready; while :; do sleep 0.05; done", c.name, c.name)
			cmd, out := start(t, "-n", "2", "sh", "-c", script)
			await(t, "both ranks", func() bool { return strings.Count(out(), "ready") == 2 })
			cmd.Process.Signal(c.signal)
			if err := waitFor(t, cmd); err != nil {
				t.Errorf("a job whose ranks answer a signal well: %v", err)
			}
			if n := strings.Count(out(), "got "+c.name); n != 2 {
				t.Errorf("%d of 2 ranks got the signal: %q", n, out())
			}
		})
	}
}

func TestKilledByForwardedSignal(t *testing.T) {
	word := mark(t)
	cmd, out := start(t, "-n", "2", "sh", "-c", "echo ready; sleep 3000; : "+word)
	await(t, "both ranks", func() bool { return strings.Count(out(), "ready") == 2 })
	cmd.Process.Signal(syscall.SIGTERM)
	waitFor(t, cmd)
	if code := cmd.ProcessState.ExitCode(); code != 128+15 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(out(), "mpiexec:") {
		t.Errorf("it was asked for, and yet: %q", out())
	}
	gone(t, word)
}

// Somebody kills one rank by a signal that the launcher does not get: that is a failure like any other.
func TestOneRankTerminated(t *testing.T) {
	word := mark(t)
	r := run(t, "", "-n", "2", "sh", "-c", "test $PMI_RANK = 0 || kill -TERM $$; sleep 3000; : "+word)
	r.want(t, 128+15, "", "was killed by signal 15 (SIGTERM)")
	if own := r.ownLines(); len(own) != 1 || !strings.HasPrefix(own[0], "mpiexec: rank 1 ") {
		t.Errorf("stderr %q", r.err)
	}
	gone(t, word)
}

// The second signal ends a job whose ranks ignore the first.
func TestSecondSignalEndsTheJob(t *testing.T) {
	word := mark(t)
	cmd, out := start(t, "-n", "2", "sh", "-c", "trap '' INT TERM; echo ready; while :; do sleep 0.05; done; : "+word)
	await(t, "both ranks", func() bool { return strings.Count(out(), "ready") == 2 })
	cmd.Process.Signal(syscall.SIGINT)
	time.Sleep(300 * time.Millisecond)
	if len(marked(word)) == 0 {
		t.Error("the first signal ended ranks that ignore it")
	}
	cmd.Process.Signal(syscall.SIGINT)
	waitFor(t, cmd)
	if code := cmd.ProcessState.ExitCode(); code != 128+2 {
		t.Errorf("exit code %d", code)
	}
	gone(t, word)
}

// What the launcher is told to ignore, the ranks ignore too.
func TestIgnoredHangup(t *testing.T) {
	r := runCommand(t, "", "sh", "-c", "trap '' HUP; exec "+mpiexec+" -n 2 sh -c 'kill -HUP $$ $PPID; echo alive'")
	r.want(t, 0, "alive\nalive\n", "")
}

// start starts mpiexec; its outputs can be read while it runs.
func start(t *testing.T, args ...string) (*exec.Cmd, func() string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	cmd := exec.Command(mpiexec, args...)
	cmd.Stdout, cmd.Stderr = f, f
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd, func() string { text, _ := os.ReadFile(path); return string(text) }
}

// waitFor waits for the end of a job, with patience.
func waitFor(t *testing.T, cmd *exec.Cmd) error {
	t.Helper()
	timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer timer.Stop()
	return cmd.Wait()
}
