package launcher

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
)

// lines are the lines of standard output, in alphabetical order: different ranks print in any.
func (r result) lines() []string {
	all := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	sort.Strings(all)
	return all
}

func (r result) wantLines(t *testing.T, want ...string) {
	t.Helper()
	if got := r.lines(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("stdout %q, want %q\nstderr: %s", got, want, r.err)
	}
}

// Spawned ranks are a world of their own, know where to connect to, and begin where the one that asked for
// them is.
func TestSpawn(t *testing.T) {
	r := run(t, "", "-usize", "9", "-n", "2", "rank", "join", "1:spawn=3 rank join facts port finalize", "barrier", "finalize")
	r.want(t, 0, "", "")
	r.silent(t)
	want := []string{"port-of-1", "port-of-1", "port-of-1"}
	for i := range 3 {
		want = append(want, fmt.Sprintf("rank %d of 3, node rank %d of 3, appnum 0, universe 9, singleton false", i, i))
	}
	r.wantLines(t, append(want, "started: [3]")...)
}

// Several programs in one call are one world; each has its number.
func TestSpawnMultiple(t *testing.T) {
	r := run(t, "", "-l", "rank", "join", "spawn=1 rank join facts barrier finalize;2 rank join facts barrier finalize", "finalize")
	r.want(t, 0, "", "")
	if i := strings.Index(r.out, "universe"); i < 0 {
		t.Fatal(r.out)
	}
	for rank, app := range []int{0, 1, 1} {
		want := fmt.Sprintf("[1.%d] rank %d of 3, node rank %d of 3, appnum %d, ", rank, rank, rank, app)
		if !strings.Contains(r.out, want) {
			t.Errorf("stdout %q lacks %q", r.out, want)
		}
	}
	if !strings.Contains(r.out, "[0] started: [1 2]\n") {
		t.Errorf("stdout %q", r.out)
	}
}

// Whatever bytes arguments have, they arrive.
func TestSpawnArguments(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	// A rank that is alone has the launcher's output itself, and its line could stand within the long one.
	r := run(t, "", "-n", "2", "rank", "join", "0:spawn=1 rank join print=%41%0A=\"\\␣␤␣é print="+long+" finalize", "finalize")
	r.want(t, 0, "%41%0A=\"\\ \n é\n", "")
	if !strings.Contains(r.out, long+"\n") {
		t.Error("the long argument has not arrived")
	}
}

func TestSpawnHints(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(rank, filepath.Join(dir, "own-name")); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "hints")
	if err := os.WriteFile(file, []byte("# as an info object\nwdir = "+dir+"\nenv = A=x y\nenv = B=z\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ spawn, want string }{
		{"file=" + file + " 1 rank join where finalize", dir},
		{"wdir=/ file=" + file + " 1 rank join where finalize", "/"},
		{"file=" + file + " 1 rank join env=A finalize", "x y"},
		{"env=B=own file=" + file + " 1 rank join env=B finalize", "own"},
		{"1 rank join where finalize", here},
		{"wdir=" + dir + " 1 rank join where finalize", dir},
		{"wdir=" + dir + " 1 ./own-name join where finalize", dir},
		{"wdir=rank 1 rank join where finalize", filepath.Join(here, "rank")},
		{"path=/nowhere:" + dir + " 1 own-name join where finalize", here},
		{"wdir=/ path=" + dir + " 1 own-name join where finalize", "/"},
		{"host=localhost 1 rank join where finalize", here},
		{"unknown=x arch=none 1 rank join where finalize", here},
		{"mpi_initial_errhandler=mpi_errors_return 1 rank join env=GOMPI_INITIAL_ERRHANDLER finalize", "mpi_errors_return"},
		{"soft=1,7 5 rank join where finalize", here},
	} {
		r := run(t, "", "-n", "1", "rank", "join", "spawn="+c.spawn, "finalize")
		r.want(t, 0, c.want+"\n", "")
		if !strings.Contains(r.out, "started: [1]\n") {
			t.Errorf("%s: stdout %q", c.spawn, r.out)
		}
	}
	run(t, "", "-n", "1", "rank", "join", "spawn=soft=0:9:3 8 rank join finalize", "finalize").want(t, 0, "started: [6]\n", "")
}

// When a program cannot be started, or none of MPI's begins, nothing is, the one who asked is told why, and
// goes on.
func TestSpawnRefused(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(dir, "garbage")
	if err := os.WriteFile(garbage, []byte("\x00\x01\x02"), 0o755); err != nil {
		t.Fatal(err)
	}
	word := mark(t)
	for _, c := range []struct{ spawn, want string }{
		{"2 no-such-program", `program "no-such-program" is neither in PATH nor in the working directory`},
		{"2 ./no-such-program", `program "./no-such-program" not found`},
		{"1 " + text, "is not executable"},
		{"1 " + dir, "is a directory"},
		{"1 " + garbage, "is not in a format that this machine runs"},
		{"2 rank join sleep=3000000 " + word + ";1 " + garbage, "is not in a format that this machine runs"},
		{"2 rank join sleep=3000000 " + word + ";1 no-such-program", "is neither in PATH"},
		{"0 rank join", "0 processes"},
		{"5000 rank join", "5000 ranks on one node"},
		{"wdir=/no/such/place 1 rank join", "working directory \"/no/such/place\" cannot be entered"},
		{"host=elsewhere 1 rank join", `host "elsewhere" is not this machine`},
		{"soft=x 1 rank join", "info key soft"},
		{"file=/no/such/file 1 rank join", "info key file: stat /no/such/file: no such file"},
		{"file=" + text + " 1 rank join", `line 1: "no program" is not of the form key = value`},
		{"env=A 1 rank join", `info key env: "A" is not of the form NAME=value`},
		{"soft=3:9 2 rank join", "no number of processes from 1 to 2"},
		{"2 rank 1:exit=3 join sleep=3000000 " + word, "ended with code 3 before all had called MPI_Init"},
		{"2 rank 0:kill=9 join sleep=3000000 " + word, "ended by signal 9 (SIGKILL) before all had called MPI_Init"},
		{"2 true", `program "true", ended without MPI_Init`},
	} {
		r := run(t, "", "-n", "2", "rank", "join", "0:spawn="+c.spawn, "barrier", "0:spawn=1 rank join print=well finalize", "finalize")
		r.want(t, 0, "refused: ", "")
		r.silent(t)
		if !strings.Contains(r.out, c.want) || !strings.Contains(r.out, "well\n") || !strings.Contains(r.out, "started: [1]\n") {
			t.Errorf("%s: stdout %q lacks %q", c.spawn, r.out, c.want)
		}
		gone(t, word)
	}
}

// Where descriptors run out, at whichever of those that a rank needs, the one who asked is told so and goes
// on.
func TestSpawnWithoutDescriptors(t *testing.T) {
	refused := 0
	for limit := 15; limit < 24; limit++ {
		command := fmt.Sprintf("ulimit -n %d; exec %s -n 1 rank join 'spawn=6 rank join finalize' finalize", limit, mpiexec)
		r := runCommand(t, "", "sh", "-c", command)
		if strings.Contains(r.out, "refused: too many ranks for the limit of open files") {
			refused++
			r.want(t, 0, "", "")
		}
		if strings.Contains(r.err, "goroutine") {
			t.Errorf("limit %d: code %d, stderr %q", limit, r.code, r.err)
		}
	}
	if refused == 0 {
		t.Error("all ranks found descriptors enough, or none did")
	}
}

// Connected worlds end together.
func TestSpawnedDies(t *testing.T) {
	word := mark(t)
	for _, link := range []string{"", "linked=JOB "} {
		r := run(t, "", "-n", "2", "rank", "join", "0:spawn=2 rank join "+link+"barrier 1:kill=9 barrier "+word, "sleep=3000000", word)
		r.want(t, 128+9, "", "rank 1 of spawned job 1 (pid ")
		if len(r.ownLines()) != 1 {
			t.Errorf("stderr %q", r.err)
		}
		gone(t, word)
		run(t, "", "-n", "2", "rank", "join", "0:spawn=2 rank join "+link+"sleep=3000000 "+word, "barrier", "1:abort=7", "sleep=3000000", word).
			want(t, 7, "", "mpiexec: rank 1 (pid ")
		gone(t, word)
		run(t, "", "-n", "1", "rank", "join", "spawn=1 rank join "+link+"abort=6 "+word, "sleep=3000000", word).
			want(t, 6, "", "rank 0 of spawned job 1 (pid ")
		gone(t, word)
	}
	// One that leaves before it has connected is as good as dead.
	run(t, "", "-n", "1", "rank", "join", "spawn=1 rank join exit=0", "sleep=3000000", word).want(t, 1, "", "rank 0 of spawned job 1")
	gone(t, word)
}

// Worlds that have parted live and end by themselves; the first failure decides the exit code.
func TestSpawnedParts(t *testing.T) {
	r := run(t, "", "-n", "2", "rank", "join", "0:spawn=2 rank join linked=JOB parted=JOB barrier 1:kill=9 sleep=3000000",
		"sleep=1500", "barrier", "print=still here", "finalize")
	r.want(t, 128+9, "still here\n", "rank 1 of spawned job 1 (pid ")
	if strings.Count(r.out, "still here") != 2 || len(r.ownLines()) != 1 {
		t.Errorf("stdout %q, stderr %q", r.out, r.err)
	}
	// The other way round: the launcher waits for what was spawned.
	parted := filepath.Join(t.TempDir(), "parted")
	r = run(t, "", "-n", "1", "rank", "join", "spawn=2 rank join linked=JOB parted=JOB run=>"+parted+".$PMI_RANK sleep=700 print=still finalize",
		awaitFile(parted+".0"), awaitFile(parted+".1"), "kill=9")
	r.want(t, 128+9, "still\n", "mpiexec: rank 0 (pid ")
	// One rank that has not parted is enough to be connected.
	r = run(t, "", "-n", "1", "rank", "join", "spawn=2 rank join linked=JOB 0:parted=JOB barrier 1:kill=9 sleep=3000000", "sleep=3000000")
	r.want(t, 128+9, "", "rank 1 of spawned job 1 (pid ")
}

// awaitFile is the step of a rank that waits until there is a file.
func awaitFile(name string) string { return "run=until [ -e " + name + " ]; do sleep 0.02; done" }

// Nothing stays behind, however many worlds come and go.
func TestSpawnManyTimes(t *testing.T) {
	const times = 50
	args := []string{"-n", "1", "rank", "join"}
	for range times {
		args = append(args, "spawn=2 rank join linked=JOB parted=JOB finalize")
	}
	r := run(t, "", append(args, "sleep=200", "launcher", "finalize")...)
	r.want(t, 0, "", "")
	if n := strings.Count(r.out, "started: [2]\n"); n != times {
		t.Errorf("%d of %d calls succeeded: %s", n, times, r.out)
	}
	var before, after int
	if _, err := fmt.Sscanf(r.out[strings.Index(r.out, "launcher has"):], "launcher has %d descriptors and %d mappings", &before, &after); err != nil {
		t.Fatalf("%v: %s", err, r.out)
	}
	if before > 40 || after > 2 {
		t.Errorf("at the end the launcher has %d descriptors open and %d segments mapped", before, after)
	}
}

func TestSpawnedAndTheLauncherIsKilled(t *testing.T) {
	word := mark(t)
	cmd, _ := start(t, "-n", "1", "rank", "join", "spawn=2 rank join sleep=3000000 "+word, "sleep=3000000", word)
	await(t, "all three ranks", func() bool { return len(marked(word)) >= 4 })
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
	gone(t, word)
}

// A rank without a launcher starts one of its own, which ends with it and with what it has had started.
func TestSpawnFromSingleton(t *testing.T) {
	word := mark(t)
	own := "own-launcher=/no/such/file,/bin/true," + mpiexec
	alone := func(args ...string) result {
		return runCommand(t, "", append([]string{rank, "join"}, args...)...)
	}
	r := alone(own, own, "spawn=2 rank join facts finalize "+word, "spawn=1 no-such-program", "finalize", word)
	r.want(t, 0, "rank 1 of 2, node rank 1 of 2, appnum 0, ", "")
	r.want(t, 0, `refused: program "no-such-program" is neither in PATH`, "")
	r.silent(t)
	gone(t, word)
	// What it has parted from goes on without it.
	parted := filepath.Join(t.TempDir(), "parted")
	r = alone(own, "spawn=1 rank join linked=JOB parted=JOB run=>"+parted+" sleep=500 print=still finalize "+word,
		awaitFile(parted), "kill=9", word)
	r.want(t, 128+9, "still\n", "")
	gone(t, word)
	// What it is connected with does not outlive it, nor the launcher.
	r = alone(own, "spawn=2 rank join linked=JOB sleep=3000000 "+word, "kill=9", word)
	r.want(t, 128+9, "", "left without MPI_Finalize")
	gone(t, word)
	alone(own, "spawn=2 rank join linked=JOB sleep=3000000 "+word, "abort=7", word).want(t, 7, "", "")
	gone(t, word)
	// It is not killed when others die, but told: the barrier of its own is where it hears.
	r = alone(own, "spawn=1 rank join linked=JOB kill=9 "+word, "sleep=1000", "print=alive", "finalize", word)
	r.want(t, 0, "alive\n", "rank 0 of spawned job 1 (pid ")
	gone(t, word)
	// It waits for no child of the launcher's kind.
	r = alone(own, "spawn=1 rank join finalize", "children", "finalize")
	r.want(t, 0, "children: 0\n", "")
	r = alone("own-launcher=/bin/true", "print=x")
	r.want(t, 99, "", "/bin/true: ")
	r = alone("own-launcher=/no/such/file", "print=x")
	r.want(t, 99, "", "gompi's mpiexec is neither beside the library nor in PATH")
}
