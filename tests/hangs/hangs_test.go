// Package hangs starts programs that hang, each for another reason, and compares what mpiexec says of them;
// and programs that only take long, of which it must say nothing.
package hangs

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	built "gompi/tests/programs"
)

// The launcher, and the folder of the programs, built once.
var mpiexec, programs string

func TestMain(m *testing.M) {
	os.Exit(built.Run(func(bin, folder string) int {
		mpiexec, programs = filepath.Join(bin, "mpiexec"), folder
		flag.Parse()
		_ = flag.Set("test.parallel", "8") // ranks sleep, and the tests wait for the clock
		return m.Run()
	}))
}

// patience is how long a program may take to be found hung; the machine may be busy.
const patience = 3 * time.Minute

// headline is what the report begins with.
const headline = "mpiexec: no rank has moved for "

// report runs a case, "program case", until mpiexec has said why it hangs, and is what it said: the lines of
// the table and the last one.
func report(t *testing.T, ranks int, what string, options ...string) (table []string, cause string) {
	t.Helper()
	words := strings.Fields(what)
	args := append([]string{"-n", strconv.Itoa(ranks), "--report-hang", "1", "--timeout", "150"}, options...)
	cmd := exec.Command(mpiexec, append(append(args, filepath.Join(programs, words[0])), words[1:]...)...)
	cmd.Dir = t.TempDir() // cases run side by side, and those of a program open the same file
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	var all bytes.Buffer
	lines := bufio.NewScanner(out)
	told := false
	for cause == "" && lines.Scan() {
		line := lines.Text()
		fmt.Fprintln(&all, line)
		switch {
		case strings.HasPrefix(line, headline):
			told = true
		case told && strings.HasPrefix(line, "mpiexec: "):
			cause = strings.TrimPrefix(line, "mpiexec: ")
		case told:
			table = append(table, line)
		}
	}
	late.Stop()
	_ = cmd.Process.Kill() // its ranks go with it
	_ = cmd.Wait()
	cause = contexts.ReplaceAllString(times.ReplaceAllString(cause, "N s"), "context N")
	if cause == "" {
		t.Fatalf("no report:\n%s", all.String())
	}
	return table, cause
}

// times are those of the run, contexts the numbers of communicators, which differ between jobs.
var (
	times    = regexp.MustCompile(`\b[0-9.]+ s\b`)
	contexts = regexp.MustCompile(`\bcontext [0-9]+\b`)
)

// check runs a case and compares the sentence.
func check(t *testing.T, ranks int, what, want string, options ...string) {
	t.Run(strings.ReplaceAll(what, " ", "/"), func(t *testing.T) {
		t.Parallel()
		table, cause := report(t, ranks, what, options...)
		if cause != want {
			t.Errorf("%s:\n got %s\nwant %s\n%s", what, cause, want, strings.Join(table, "\n"))
		}
	})
}

// TestNotHung has programs that take long: nothing may be said of them.
func TestNotHung(t *testing.T) {
	for _, c := range []struct {
		ranks int
		what  string
	}{
		{3, "busy computes"}, {3, "busy sleeps"}, {3, "busy ring"}, {2, "busy after"}, {3, "busy polls"},
		{3, "busy pipe"}, {3, "busy client"}, {3, "busy faults"}, {3, "busy alarm"}, {3, "busy stopped"},
		{3, "busy program"}, {3, "busy trickle"}, {2, "threads late"}, {2, "threads semaphore"},
		{2, "threads reads"}, {2, "threads child-sleeps"}, {2, "threads completed-late"},
		{2, "polls little"}, {2, "polls much"}, {2, "polls very-little"}, {2, "polls limit"}, {2, "polls worker"},
		{2, "polls serves"}, {2, "polls child"}, {2, "polls trickle"}, {2, "polls puts"},
	} {
		t.Run(strings.ReplaceAll(c.what, " ", "/"), func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(c.what)
			cmd := exec.Command(mpiexec, append([]string{"-n", strconv.Itoa(c.ranks), "--report-hang", "1",
				"--timeout", "150", filepath.Join(programs, words[0])}, words[1:]...)...)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v, output:\n%s", err, out)
			}
		})
	}
}
