package hosts

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Programs of tests/hangs over hosts: the launcher sees none of their ranks, and says the same of them.

// seconds are those of the run.
var seconds = regexp.MustCompile(`\b[0-9.]+ s\b`)

// follow starts a job and calls told with each line of its standard error, until that says that it has what
// it wants. The job is ended then.
func (w way) follow(t *testing.T, args []string, told func(line string) bool) {
	t.Helper()
	argv := append(append(w.run(t), mpiexec), args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = folder
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end := func() { node(t, 1, "pkill", "-KILL", "-x", "mpiexec") } // the ranks go with the launcher
	late := time.AfterFunc(patience, end)
	var all []string
	found := false
	for lines := bufio.NewScanner(out); !found && lines.Scan(); {
		all = append(all, lines.Text())
		found = told(lines.Text())
	}
	late.Stop()
	end()
	_ = cmd.Wait()
	if !found {
		t.Errorf("%q: no report:\n%s", args, strings.Join(all, "\n"))
	}
}

// cause is told for follow, by which the sentence of a report is found, and the lines ahead of it.
func cause(table *[]string, sentence *string) func(line string) bool {
	begun := false
	return func(line string) bool {
		switch text, own := strings.CutPrefix(line, "mpiexec: "); {
		case begun && own:
			*sentence = seconds.ReplaceAllString(text, "N s")
			return true
		case begun:
			*table = append(*table, line)
		default:
			begun = own && strings.HasPrefix(text, "no rank has moved for ")
		}
		return false
	}
}

// TestHangs compares what is said of programs that hang, each for another reason.
func TestHangs(t *testing.T) {
	w := overHosts(t)
	for _, c := range []struct {
		hosts, ranks int
		what, want   string
	}{
		{2, 4, "messages circle",
			"a cycle of waits: ranks 0-3 wait in MPI_Recv, each for the next: 0 -> 1 -> 2 -> 3 -> 0"},
		{2, 2, "messages two",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Recv for a message from rank 1, tag 5, 1 MPI_INT, on MPI_COMM_WORLD and rank 1 in MPI_Recv for a message from rank 0, tag 5, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, 2, "messages tag",
			"rank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7"},
		{3, 3, "messages source",
			"rank 0 in MPI_Recv waits for a message with tag 4 from rank 1, but it was rank 2 that has sent one"},
		{2, 2, "messages communicator",
			"rank 1 in MPI_Recv waits for tag 5 on MPI_COMM_WORLD, but rank 0 has sent it on copy (context 2)"},
		{2, 2, "messages sends",
			"ranks 0, 1 wait for each other: rank 0 in MPI_Send for the receive of a message by rank 1, tag 3, 1048576 MPI_CHAR, on MPI_COMM_WORLD and rank 1 in MPI_Send for the receive of a message by rank 0, tag 3, 1048576 MPI_CHAR, on MPI_COMM_WORLD"},
		{2, 4, "messages ssend-circle",
			"a cycle of waits: ranks 0-3 wait in MPI_Ssend, each for the next: 0 -> 1 -> 2 -> 3 -> 0"},
		{2, 2, "messages finalize",
			"rank 0 waits in MPI_Recv for a message from rank 1, tag 5, 1 MPI_INT, on MPI_COMM_WORLD; rank 1 has called MPI_Finalize"},
		{2, 4, "collectives barrier",
			"rank 3 has not entered MPI_Barrier on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, 2, "collectives roots",
			"the ranks of MPI_COMM_WORLD have called MPI_Gather with different roots: rank 0 with root 0 and rank 1 with root 1"},
		{2, 4, "missing alltoallv",
			"rank 3 has not entered MPI_Alltoallv on MPI_COMM_WORLD, in which ranks 0-2 wait: it waits in MPI_Recv for a message from rank 0, tag 1, 1 MPI_INT, on MPI_COMM_WORLD"},
		{2, 4, "windows lock",
			"rank 2 waits in MPI_Win_lock for the lock of rank 0 in table, which rank 1 holds; rank 1 has waited for N s in MPI_Recv for a message from rank 2, tag 3, 1 MPI_INT, on MPI_COMM_WORLD"},
	} {
		t.Run(strings.ReplaceAll(c.what, " ", "/"), func(t *testing.T) {
			program, name, _ := strings.Cut(c.what, " ")
			var table []string
			var sentence string
			w.follow(t, []string{"-hosts", w.list(c.hosts, (c.ranks+c.hosts-1)/c.hosts), "-n", fmt.Sprint(c.ranks),
				"--report-hang", "1", "--timeout", "150", compiled(t, "tests/hangs/testdata/"+program+".c"), name},
				cause(&table, &sentence))
			if sentence != c.want {
				t.Errorf("got  %s\nwant %s\n%s", sentence, c.want, strings.Join(table, "\n"))
			}
		})
	}
	clean(t, 1, 2, 3)
}

// TestNotHung has programs that only take long: nothing may be said of them.
func TestNotHung(t *testing.T) {
	w := overHosts(t)
	for _, name := range []string{"computes", "sleeps", "ring", "polls"} {
		t.Run(name, func(t *testing.T) {
			w.mpiexec(t, "", "-hosts", w.list(3, 1), "-n", "3", "--report-hang", "1",
				compiled(t, "tests/hangs/testdata/busy.c"), name).want(t, 0, "", "")
		})
	}
}

// TestHangBehindHosts has hosts that are reached by way of others, and the report for programs.
func TestHangBehindHosts(t *testing.T) {
	w := overHosts(t)
	direct := w.run
	w.run = func(t *testing.T) []string { return append(direct(t), "GOMPI_LAUNCH_FANOUT=1") }
	var got struct {
		Hung  bool
		Cause string
		Ranks []struct{ Host string }
	}
	w.follow(t, []string{"-hosts", "node2,node3,node4", "-n", "3",
		"--report-hang", "1", "--report-format", "json", "--timeout", "30",
		compiled(t, "tests/hangs/testdata/messages.c"), "circle"},
		func(line string) bool { return json.Unmarshal([]byte(line), &got) == nil })
	if !got.Hung || len(got.Ranks) != 3 || got.Ranks[2].Host != "node4" ||
		got.Cause != "a cycle of waits: ranks 0-2 wait in MPI_Recv, each for the next: 0 -> 1 -> 2 -> 0" {
		t.Errorf("%+v", got)
	}
}

// TestTimeLimitEarly has the time limit come while the other host is being reached, or shortly after.
func TestTimeLimitEarly(t *testing.T) {
	w := overHosts(t)
	program := compiled(t, "tests/hangs/testdata/messages.c")
	for _, limit := range []string{"0.001", "0.05", "0.2", "0.25", "0.3", "0.4"} {
		w.mpiexec(t, "", "-hosts", w.list(2, 1), "-n", "2", "--report-hang", "0", "--timeout", limit, program,
			"tag").want(t, 124, "", "s (--timeout) and was ended\n")
	}
	clean(t, 1, 2)
}

// TestHangAsked asks a launcher by signals and from another process, and has the time limit come.
func TestHangAsked(t *testing.T) {
	w := overHosts(t)
	program := compiled(t, "tests/hangs/testdata/messages.c")
	const want = "rank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7\n"
	job := []string{"-hosts", w.list(2, 1), "-n", "2", "--report-hang", "0"}
	var r result
	for _, limit := range []string{"3", "20", "100"} { // the ranks have to wait by then
		r = w.mpiexec(t, "", append(job, "--timeout", limit, program, "tag")...)
		if strings.Contains(r.err, want) {
			break
		}
	}
	r.want(t, 124, "", "mpiexec: what the ranks wait for at the time limit:\n")
	r.want(t, 124, "", want)

	run := w.start(t, "", append(job, program, "tag")...)
	var text string
	for end := time.Now().Add(patience); !strings.Contains(text, want) && time.Now().Before(end); {
		pid := strings.Fields(node(t, 1, "pgrep", "-o", "-x", "mpiexec"))
		if len(pid) == 1 {
			text = node(t, 1, mpiexec, "--attach", pid[0])
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !strings.Contains(text, want) {
		t.Errorf("--attach: %s", text)
	}
	time.Sleep(time.Second) // how old a wait of another host is depends on how long its answer travels
	node(t, 1, "pkill", "-USR1", "-o", "-x", "mpiexec")
	time.Sleep(time.Second)
	node(t, 1, "pkill", "-QUIT", "-o", "-x", "mpiexec")
	r = run.wait(t)
	if strings.Count(r.err, "mpiexec: what the ranks wait for:\n") != 2 || strings.Count(r.err, want) != 2 || r.code != 131 {
		t.Errorf("exit code %d:\n%s", r.code, r.err)
	}
	clean(t, 1, 2)
}

// TestHangPlace has ranks of another host whose calls stand in lines of the source.
func TestHangPlace(t *testing.T) {
	w := overHosts(t)
	lib, err := library()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "placed")
	build := exec.Command(filepath.Join(root, "build/bin/mpicc"), "-g", filepath.Join(root, "tests/hangs/testdata/messages.c"),
		"-o", program, "-Wl,-rpath,"+lib)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var table []string
	var sentence string
	w.follow(t, []string{"-hosts", "node2,node3", "-n", "2", "--report-hang", "1", "--timeout", "150", program, "two"},
		cause(&table, &sentence))
	if text := strings.Join(table, "\n"); !strings.Contains(text, "MPI_Recv at messages.c:") {
		t.Error(text)
	}
}
