// Package hosts tests mpiexec over several hosts: those that tests/cluster/hosts.sh makes on this machine,
// where that is allowed, with a network, processes and an sshd of their own; and names for this machine that
// are reached by a shell in place of ssh.
package hosts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gompi/tests/programs"
)

// root is the root of the sources.
var root, _ = filepath.Abs("../..")

// Programs under test, and the folder that they and the hosts are in: of /tmp each host has its own.
var folder, mpiexec, rank string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("/var/tmp", "gompi-hosts"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	os.Chmod(folder, 0o755)
	mpiexec, rank = filepath.Join(folder, "mpiexec"), filepath.Join(folder, "rank")
	for out, pkg := range map[string]string{mpiexec: "gompi/cmd/mpiexec", rank: "gompi/tests/launcher/rank"} {
		if err := programs.Executable(out, pkg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	defer func() {
		if _, err := os.Stat(cluster()); err == nil && exec.Command(script, "down", cluster()).Run() != nil {
			fmt.Fprintln(os.Stderr, "the hosts could not be taken down")
		}
	}()
	return m.Run()
}

var script = filepath.Join(root, "tests/cluster/hosts.sh")

func cluster() string { return filepath.Join(folder, "hosts") }

// temporary lists what each host has in /tmp before any job: the tree of the sources, if it lies there.
var temporary string

// bringUp makes the hosts, once.
var bringUp = sync.OnceValue(func() error {
	if out, err := exec.Command(script, "may").CombinedOutput(); err != nil {
		return fmt.Errorf("there can be no hosts here: %s", out)
	}
	if out, err := exec.Command(script, "up", cluster(), "6").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	out, err := exec.Command(script, "run", cluster(), "1", "ls", "-A", "/tmp").Output()
	temporary = string(out)
	return err
})

// needHosts skips a test where there can be no hosts. Each test has hosts to itself.
func needHosts(t *testing.T) {
	t.Helper()
	if err := bringUp(); err != nil {
		t.Skip(err)
	}
}

// way is how mpiexec reaches hosts.
type way struct {
	name  string
	hosts [3]string
	run   func(t *testing.T) []string // what a command is run with on the first host
}

// noHeartbeat has no job lose a host because that is silent: hosts are lost because their connections are.
// Tests of silence name a time of their own behind it.
const noHeartbeat = "GOMPI_HEARTBEAT_TIMEOUT=3000"

// ways are all of them that there are here.
func ways() []way {
	return []way{
		{"shell", [3]string{"192.0.2.1", "192.0.2.2", "192.0.2.3"}, func(t *testing.T) []string {
			shell := filepath.Join(folder, "shell")
			if err := os.WriteFile(shell, []byte("#!/bin/sh\nshift\nexec sh -c \"$1\"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			return []string{"env", "HYDRA_LAUNCHER_EXEC=" + shell, noHeartbeat}
		}},
		{"ssh", [3]string{"node1", "node2", "node3"}, func(t *testing.T) []string {
			needHosts(t)
			return []string{script, "run", cluster(), "1", "env", "HYDRA_LAUNCHER_EXTRA_ARGS=-F " + cluster() + "/ssh_config", noHeartbeat}
		}},
	}
}

// control has the script of the hosts do something to one of them.
func control(t *testing.T, verb string, host int) {
	t.Helper()
	if out, err := exec.Command(script, verb, cluster(), fmt.Sprint(host)).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", verb, err, out)
	}
}

// each runs a test each way.
func each(t *testing.T, test func(t *testing.T, w way)) {
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) { test(t, w) })
	}
}

// list names the first n hosts of a way, with slots for each.
func (w way) list(n, slots int) string {
	var names []string
	for _, h := range w.hosts[:n] {
		names = append(names, fmt.Sprintf("%s:%d", h, slots))
	}
	return strings.Join(names, ",")
}

// overEach runs a test over each network: that of libfabric, and the built-in one.
func (w way) overEach(t *testing.T, test func(t *testing.T, w way)) {
	t.Helper()
	t.Run("libfabric", func(t *testing.T) {
		needLibrary(t)
		test(t, w)
	})
	plain := w.run
	w.run = func(t *testing.T) []string { return append(plain(t), "GOMPI_FABRIC=builtin") }
	t.Run("built-in", func(t *testing.T) { test(t, w) })
}

// patience is how long any job of a test may take before the test fails: a multiple of what any takes. Ranks
// that only a fault ends live longer.
const patience = 3 * time.Minute

// result is how a job ended.
type result struct {
	code     int
	out, err string
}

// mpiexec runs a job.
func (w way) mpiexec(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return w.start(t, stdin, args...).wait(t)
}

// running is a job that runs.
type running struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	cancel   func()
	ctx      context.Context
}

func (w way) start(t *testing.T, stdin string, args ...string) *running {
	t.Helper()
	argv := append(append(w.run(t), mpiexec), args...)
	r := &running{}
	r.ctx, r.cancel = context.WithTimeout(context.Background(), patience)
	r.cmd = exec.CommandContext(r.ctx, argv[0], argv[1:]...)
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.err
	r.cmd.Stdin, r.cmd.Dir = strings.NewReader(stdin), folder
	r.cmd.WaitDelay = time.Minute
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *running) wait(t *testing.T) result {
	t.Helper()
	defer r.cancel()
	err := r.cmd.Wait()
	got := result{out: r.out.String(), err: r.err.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if got.code = exit.ExitCode(); exit.Sys().(syscall.WaitStatus).Signaled() {
			got.code = 128 + int(exit.Sys().(syscall.WaitStatus).Signal())
		}
	} else if err != nil {
		t.Fatalf("%q: %v", r.cmd.Args, err)
	}
	if r.ctx.Err() != nil {
		t.Fatalf("%q did not end\nstdout: %s\nstderr: %s", r.cmd.Args, got.out, got.err)
	}
	return got
}

// want fails the test unless a job ended with this code and these texts in its outputs; "" is for nothing on
// standard error.
func (r result) want(t *testing.T, code int, out, errOut string) {
	t.Helper()
	if r.code != code || !strings.Contains(r.out, out) || !strings.Contains(r.err, errOut) ||
		errOut == "" && r.err != "" {
		t.Errorf("exit code %d, want %d with %q and %q\nstdout: %s\nstderr: %s", r.code, code, out, errOut, r.out, r.err)
	}
}

// lines is the lines of a text, sorted by the shell's rules for bytes.
func lines(text string) map[string]int {
	count := map[string]int{}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		count[line]++
	}
	return count
}

// node runs a command on a host.
func node(t *testing.T, i int, argv ...string) string {
	t.Helper()
	argv = append([]string{"run", cluster(), fmt.Sprint(i)}, argv...)
	out, _ := exec.Command(script, argv...).CombinedOutput()
	return string(out)
}

// clean fails the test unless nothing of a job is left on some hosts soon.
func clean(t *testing.T, hosts ...int) {
	t.Helper()
	for _, host := range hosts {
		gone(t, host, "notty")
	}
}

// gone fails the test unless soon no process of a job is left on a host, nor any that has another word in its
// command. A server of ssh whose connection is cut knows nothing of that for long.
func gone(t *testing.T, host int, also ...string) {
	t.Helper()
	words := append(also, "mpiexec", "mark-of-", folder+"/tests-")
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		out, _ := exec.Command(script, "pids", cluster(), fmt.Sprint(host)).Output()
		var left []string
		for _, line := range strings.Split(string(out), "\n") {
			if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) }) {
				left = append(left, line)
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("left on node%d: %q", host, left)
			return
		}
	}
}
