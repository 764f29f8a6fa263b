package launcher

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestExitCodes(t *testing.T) {
	run(t, "", "-n", "2", "true").want(t, 0, "", "")
	r := run(t, "", "-n", "3", "sh", "-c", "test $PMI_RANK != 1 || exit 9; sleep 3000")
	r.want(t, 9, "", "mpiexec: rank 1 (pid ")
	if !strings.Contains(r.err, "exited with code 9") || len(r.ownLines()) != 1 {
		t.Errorf("stderr %q", r.err)
	}
}

// A rank that has ended MPI may fail on its own: the others go on, the exit code tells.
func TestFailureAfterFinalize(t *testing.T) {
	r := run(t, "", "-n", "2", "rank", "join", "barrier", "finalize", "1:exit=4", "sleep=300", "print=still here")
	r.want(t, 4, "still here", "exited with code 4")
}

func TestProgramNotFoundOrNotRunnable(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("hello", "#!/bin/sh\necho hello from here\n", 0o755)
	for _, c := range []struct {
		name   string
		args   []string
		code   int
		errOut string
	}{
		{"no such name", []string{"-n", "2", "no-such-program"}, 127, `program "no-such-program" is neither in PATH nor in the working directory`},
		{"no such path", []string{"-n", "2", "./no/such"}, 127, `program "./no/such" not found`},
		{"second program", []string{"-n", "1", "true", ":", "-n", "1", "./nope"}, 127, `program "./nope" not found`},
		{"plain file", []string{"-n", "2", write("plain", "text", 0o644)}, 126, "is not executable"},
		{"folder", []string{"-n", "2", dir}, 126, "is a directory"},
		{"lost interpreter", []string{"-n", "2", write("lost", "#!/no/such/interpreter\n", 0o755)}, 126, `interpreter "/no/such/interpreter"`},
		{"wrong format", []string{"-n", "2", write("binary", "\x7fELF\x00\x00", 0o755)}, 126, "format"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, "", c.args...)
			r.want(t, c.code, "", c.errOut)
			if strings.Count(r.err, "\n") != 1 {
				t.Errorf("not one line: %q", r.err)
			}
		})
	}
	// A program in the working directory needs no "./", a script needs no "#!".
	run(t, "", "-wdir", dir, "-n", "1", "hello").want(t, 0, "hello from here", "")
	run(t, "", "-n", "1", write("bare", "echo bare $1\n", 0o755), "word").want(t, 0, "bare word", "")
	run(t, "", "-wdir", dir, "-n", "1", "./hello").want(t, 0, "hello from here", "")
}

func TestBadCommandLine(t *testing.T) {
	r := run(t, "", "-n", "2", "--oversubscirbe", "true")
	r.want(t, 1, "", "unknown option --oversubscirbe; did you mean -oversubscribe?")
	run(t, "").want(t, 1, "", "no program to run")
	run(t, "", "--version").want(t, 0, "gompi", "")
	run(t, "", "-h").want(t, 0, "--timeout SECONDS", "")
}

func TestTimeout(t *testing.T) {
	word := mark(t)
	r := run(t, "", "--timeout", "0.3", "-n", "3", "sh", "-c", "sleep 50000; : "+word)
	r.want(t, 124, "", "longer than 300ms (--timeout)")
	gone(t, word)
	// A job in time is left alone.
	run(t, "", "--timeout", "50", "-n", "2", "true").want(t, 0, "", "")
}

func TestSeveralPrograms(t *testing.T) {
	r := run(t, "", "-n", "1", "-env", "ROLE", "boss", "sh", "-c", "echo $ROLE $PMI_RANK/$PMI_SIZE $GOMPI_APPNUM", ":",
		"-n", "2", "-env", "ROLE=worker", "-genv", "ALL", "yes", "sh", "-c", "echo $ROLE $PMI_RANK/$PMI_SIZE $GOMPI_APPNUM $ALL")
	r.want(t, 0, "boss 0/3 0", "")
	r.want(t, 0, "worker 1/3 1 yes", "")
	r.want(t, 0, "worker 2/3 1 yes", "")
	r = run(t, "", "-usize", "2", "-n", "1", "rank", "join", "facts", "finalize", ":", "-n", "1", "rank", "join", "facts", "finalize")
	r.want(t, 0, "rank 0 of 2, node rank 0 of 2, appnum 0, universe 2", "")
	r.want(t, 0, "rank 1 of 2, node rank 1 of 2, appnum 1, universe 2", "")
}

// Unless something is said, there is room for as many processes as there are processors, or for those that
// there are.
func TestUniverse(t *testing.T) {
	run(t, "", "-n", "300", "rank", "join", "0:facts", "finalize").want(t, 0, "universe 300,", "")
	run(t, "", "-usize", "infinite", "-n", "2", "rank", "join", "0:facts", "finalize").want(t, 0, "universe -1,", "")
	run(t, "", "-usize", "5", "-n", "2", "rank", "join", "0:facts", "finalize").want(t, 0, "universe 5,", "")
}

func TestManyRanks(t *testing.T) {
	r := run(t, "", "-n", "64", "rank", "join", "barrier", "facts", "barrier", "finalize")
	r.want(t, 0, "rank 63 of 64", "")
	r.silent(t)
	if n := strings.Count(r.out, "of 64, node rank"); n != 64 {
		t.Errorf("%d of 64 ranks reported", n)
	}
}

// A job within a job is one of its own.
func TestNestedJob(t *testing.T) {
	run(t, "", "-n", "1", "mpiexec", "-n", "2", "rank", "join", "barrier", "facts", "finalize").want(t, 0, "rank 1 of 2", "")
}

func TestPublishedValues(t *testing.T) {
	r := run(t, "", "-n", "2", "rank", "join", "put=value", "fence", "0:get=1", "1:get=0", "finalize")
	r.want(t, 0, "value0\n", "")
	r.want(t, 0, "value1\n", "")
}

// Ranks inherit what they need, what the user passed on, and nothing of the launcher's own.
func TestDescriptorsOfRank(t *testing.T) {
	count := func(line string) map[string]int {
		kinds := map[string]int{}
		for _, target := range strings.Fields(line) {
			kind, _, _ := strings.Cut(target, ":[") // the number of a pipe or socket does not matter
			kinds[kind]++
		}
		return kinds
	}
	want := count(runCommand(t, "", rank, "descriptors").out)
	want["socket"]++
	want["/memfd:gompi"]++
	for _, n := range []string{"1", "3"} {
		r := run(t, "", "-n", n, "rank", "descriptors")
		for _, line := range strings.Split(strings.TrimSpace(r.out), "\n") {
			for kind, have := range count(line) {
				if kind != "/dev/null" && kind != "(deleted)" && have > want[kind] {
					t.Errorf("-n %s: %d of %s in %s", n, have, kind, line)
				}
			}
		}
	}
}

// Options that promise an effect have it.
func TestOptionsOfOthers(t *testing.T) {
	word := mark(t)
	r := run(t, "", "--do-not-launch", "--display-map", "-n", "2", "sh", "-c", "echo was-run "+word)
	r.want(t, 0, "Process rank: 1 ", "")
	if r.silent(t); strings.Contains(r.out, "was-run") {
		t.Errorf("the program was run: %q", r.out)
	}
	run(t, "", "--do-not-launch", "-n", "2", "./no/such").want(t, 127, "", `program "./no/such" not found`)
	begin := time.Now().Truncate(time.Second) // as exact as the stamps are
	r = run(t, "", "--timestamp-output", "-n", "2", "sh", "-c", "echo out; echo err >&2")
	r.want(t, 0, "<stdout>:out\n", "<stderr>:err\n")
	for _, line := range strings.Split(strings.TrimSpace(r.out), "\n") {
		at, _, found := strings.Cut(line, "<stdout>:")
		when, err := time.ParseInLocation(time.ANSIC, at, time.Local)
		if !found || err != nil || when.Before(begin) || when.After(time.Now()) {
			t.Errorf("%q: %v", line, err)
		}
	}
	run(t, "", "--timestamp-output", "--tag-output", "-n", "1", "echo", "one").want(t, 0, "[0]<stdout> one\n", "")
	run(t, "", "--report-bindings", "-n", "2", "true").want(t, 0, "", "MCW rank 1 is not bound")
	run(t, "", "-print-all-exitcodes", "-n", "3", "sh", "-c", "test $PMI_RANK != 1 || exit 3; sleep 3000").want(t, 3, "Exit codes: ", "")
	script := "grep Cpus_allowed_list /proc/self/status; echo cores $GOMPI_CORES"
	r = run(t, "", "--bind-to", "hwthread", "--report-bindings", "-n", "2", "sh", "-c", script)
	r.want(t, 0, "cores ", "MCW rank 0 bound to socket 0[core 0[hwt 0]]: [B")
	for _, line := range strings.Split(r.out, "\n") {
		if list, found := strings.CutPrefix(line, "Cpus_allowed_list:"); found && strings.ContainsAny(list, "-,") {
			t.Errorf("a rank may run on processors %s", list)
		}
	}
	run(t, "", "--nooversubscribe", "-host", "localhost:2", "-n", "3", "true").want(t, 1, "", "3 ranks, but 2 slots")
	run(t, "", "-path", filepath.Dir(rank), "-envlist", "HOME", "-n", "1", "rank", "print=found").want(t, 0, "found\n", "")
	r = run(t, "", "--report-child-jobs-separately", "-n", "1", "rank", "join", "spawn=1 rank join finalize exit=5", "finalize", "sleep=300")
	r.want(t, 0, "started: [1]\n", "exited with code 5")
}

// A setting whose name is misspelt is pointed out, once.
func TestMisspeltSetting(t *testing.T) {
	r := run(t, "", "-genv", "GOMPI_EAGR", "1", "-n", "3", "true")
	r.want(t, 0, "", "mpiexec: environment variable GOMPI_EAGR means nothing; did you mean GOMPI_EAGER?\n")
	if strings.Count(r.err, "\n") != 1 {
		t.Errorf("stderr %q", r.err)
	}
	run(t, "", "-genv", "GOMPI_EAGER", "1000", "-genv", "GOMPI_ROOT", "/", "-n", "3", "true").silent(t)
}
