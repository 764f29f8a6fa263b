// Package live looks at jobs while they run, as a user does: by gompi-top, by mpiexec --watch, and in
// debuggers.
package live

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gompi/tests/programs"
)

// What is tested, and the folder of the programs, built once.
var mpiexec, top, folder string

func TestMain(m *testing.M) {
	os.Exit(programs.Run(func(bin, built string) int {
		mpiexec, top, folder = filepath.Join(bin, "mpiexec"), filepath.Join(bin, "gompi-top"), built
		flag.Parse()
		return m.Run()
	}, "-g", "-O0"))
}

// patience is how long something may take to be seen; the machine may be busy.
const patience = 3 * time.Minute

// until waits until f is true; why says what is wrong when it does not come true.
func until(t *testing.T, why func() string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !f(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("in vain: ", why())
		}
	}
}

// begin starts a job that runs until the test ends, and is the process id of its launcher.
func begin(t *testing.T, args ...string) (pid string) {
	t.Helper()
	cmd := exec.Command(mpiexec, args...)
	cmd.Dir = folder
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return fmt.Sprint(cmd.Process.Pid)
}

// table is what gompi-top --json prints.
type table struct {
	Pid     int
	Command string
	Ranks   []struct {
		Rank, Pid                                      int
		State, Doing, Call, Place, Waiting_for, Unused string
		Seconds, Processors                            float64
		Memory                                         int
		Rates                                          *struct{ Operations, Messages, Bytes, Waiting float64 }
	}
}

// seen is the table of a job.
func seen(t *testing.T, pid string, options ...string) (got table) {
	t.Helper()
	r := programs.Try(t, folder, nil, append(append([]string{top, "--json"}, options...), pid)...)
	if r.Code != 0 {
		return table{} // it has not begun
	}
	if err := json.Unmarshal([]byte(r.Stdout), &got); err != nil {
		t.Fatalf("%v\n%s", err, r.Stdout)
	}
	return got
}

// TestRates has ranks that talk, compute, wait and sleep, and looks for each of these.
func TestRates(t *testing.T) {
	pid := begin(t, "-n", "5", "./work")
	var got table
	why := func() string { return fmt.Sprintf("%+v", got) }
	until(t, why, func() bool {
		got = seen(t, pid, "-d", "0.5")
		if len(got.Ranks) != 5 || got.Ranks[0].Rates == nil || got.Ranks[3].Rates == nil {
			return false
		}
		a, b, c, d, e := &got.Ranks[0], &got.Ranks[1], &got.Ranks[2], &got.Ranks[3], &got.Ranks[4]
		talk := a.Rates.Messages > 0 && b.Rates.Messages > 0 && a.Rates.Operations >= a.Rates.Messages
		sizes := a.Rates.Bytes == 1000*a.Rates.Messages
		computes := c.State == "running" && c.Processors > 0.1 && c.Rates.Waiting == 0 && c.Rates.Messages == 0
		waits := d.State == "waiting" && d.Call == "MPI_Recv" && d.Place == "work.c:40" && d.Rates.Waiting == 1 &&
			d.Waiting_for == "a message from rank 2, tag 9, 10 MPI_INT, on MPI_COMM_WORLD" && d.Processors < 0.5
		sleeps := e.State == "running" && e.Doing == "sleeps in nanosleep" && e.Memory > 1<<20
		return talk && sizes && computes && waits && sleeps
	})
	if fmt.Sprint(got.Pid) != pid || !strings.Contains(got.Command, "./work") {
		t.Errorf("%+v", got)
	}
	for i, r := range got.Ranks {
		if r.Rank != i || syscall.Kill(r.Pid, 0) != nil {
			t.Errorf("%+v", r)
		}
	}
	text := programs.Must(t, folder, nil, top, "--once", "-d", "0.2", pid)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 7 || !strings.HasPrefix(lines[0], "5 ranks: ") || !strings.HasPrefix(lines[1], "rank  state") ||
		!strings.Contains(lines[5], "MPI_Recv at work.c:40 for ") {
		t.Errorf("--once prints\n%s", text)
	}
}

// TestLines asks for the lines of code that ranks are at, of those that compute as of those that wait.
func TestLines(t *testing.T) {
	pid := begin(t, "-n", "5", "./work")
	var text string
	until(t, func() string { return text }, func() bool {
		text = programs.Try(t, folder, nil, top, "--lines", pid).Stdout
		var c, d, e bool
		for line := range strings.Lines(text) {
			c = c || strings.HasPrefix(line, "2  burn at work.c:1") && strings.Contains(line, " < main at work.c:")
			d = d || line == "3  MPI_Recv at work.c:40\n"
			e = e || strings.HasPrefix(line, "4  ") && strings.Contains(line, " < nap at work.c:21 < all at work.c:42 < main at ")
		}
		return c && d && e
	})
	// Those who were stopped for that go on.
	before := seen(t, pid, "-d", "0.5")
	until(t, func() string { return fmt.Sprintf("%+v", before) }, func() bool {
		before = seen(t, pid, "-d", "0.5")
		return len(before.Ranks) == 5 && before.Ranks[0].Rates.Messages > 0 &&
			before.Ranks[2].Processors > 0.1
	})
}

// TestWhichJob names jobs that are there and such that are not.
func TestWhichJob(t *testing.T) {
	name := fmt.Sprintf("job-of-test-%d", os.Getpid()) // others may run the same test
	pid := begin(t, "-n", "1", "./work", "first-"+name)
	begin(t, "-n", "1", "./work", "second-"+name)
	one := func(word string) programs.Result {
		return programs.Try(t, folder, nil, top, "--once", "-d", "0.1", word)
	}
	for _, word := range []string{pid, "first-" + name} {
		until(t, func() string { return fmt.Sprint(one(word)) }, func() bool {
			return strings.HasPrefix(one(word).Stdout, "1 rank: ")
		})
	}
	until(t, func() string { return fmt.Sprint(one(name)) }, func() bool {
		return strings.Count(one(name).Stderr, "-"+name+"\n") == 2
	})
	for word, want := range map[string]string{
		"1":           "gompi-top: process 1 is no mpiexec of yours on this machine that has ranks\n",
		"no-such-job": "gompi-top: you have no mpiexec running on this machine with \"no-such-job\" in its command line\n",
	} {
		if r := one(word); r.Code != 1 || r.Stderr != want {
			t.Errorf("%q: %+v", word, r)
		}
	}
	if r := programs.Try(t, folder, nil, top, pid); r.Code != 1 || !strings.Contains(r.Stderr, "no terminal; --once") {
		t.Errorf("without a terminal: %+v", r)
	}
}

// TestOthersJob has another user look at a job.
func TestOthersJob(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	pid := begin(t, "-n", "1", "./work")
	until(t, func() string { return "no job" }, func() bool { return len(seen(t, pid).Ranks) == 1 })
	text, err := os.ReadFile(top)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("/tmp", "gompi-live")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	open := filepath.Join(dir, "gompi-top")
	if os.Chmod(dir, 0o755) != nil || os.WriteFile(open, text, 0o755) != nil {
		t.Fatal("no copy")
	}
	for _, word := range []string{pid, "./work"} {
		for _, option := range []string{"--once", "--lines"} {
			cmd := exec.Command(open, option, word)
			cmd.Dir = "/"
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "no mpiexec") {
				t.Errorf("%s %s: %v\n%s", option, word, err, out)
			}
		}
	}
}
