// Package trace runs programs under mpiexec --trace and looks at the file: whether the calls of each thread
// lie within each other, every message has its arrow, and gompi-info finds who was late.
package trace

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	built "gompi/tests/programs"
)

// The commands, and the folder of the programs, built once.
var bin, programs string

func TestMain(m *testing.M) {
	os.Exit(built.Run(func(commands, folder string) int {
		bin, programs = commands, folder
		return m.Run()
	}))
}

// limit is how long a command may take; the machine may be busy.
const limit = 3 * time.Minute

// command runs one of gompi's commands and gives its exit code and what it says.
func command(t *testing.T, name string, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	cmd.Dir = programs
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%s %q has not ended\n%s", name, args, out)
	}
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// event is one event of the file.
type event struct {
	Name, Ph, Cat string
	Pid, Tid, ID  int
	Ts, Dur       float64
	Args          struct {
		Name       string
		Bytes, Tag int
		Calls      int
		Unfinished int
		Operation  int
		Why        string
		For        *int
		Waited     int64 `json:"waited_ns"`
	}
}

func (e *event) begin() int64 { return int64(math.Round(e.Ts * 1000)) }
func (e *event) end() int64   { return e.begin() + int64(math.Round(e.Dur*1000)) }

// traced runs a program, and gives its events, the file and what was printed.
func traced(t *testing.T, ranks, code int, words ...string) (events []event, file, said string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "run.json")
	got, said := command(t, "mpiexec", append([]string{"-n", strconv.Itoa(ranks), "--trace", file}, words...)...)
	if got != code {
		t.Fatalf("exit code %d, want %d\n%s", got, code, said)
	}
	return load(t, file), file, said
}

func load(t *testing.T, file string) []event {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ TraceEvents []event }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.TraceEvents
}

// slices of calls, by process and thread, in the order of their begin.
func calls(events []event) map[[2]int][]event {
	by := map[[2]int][]event{}
	for _, e := range events {
		if e.Ph == "X" {
			at := [2]int{e.Pid, e.Tid}
			by[at] = append(by[at], e)
		}
	}
	for _, list := range by {
		slices.SortStableFunc(list, func(a, b event) int {
			if a.begin() != b.begin() {
				return int(min(max(a.begin()-b.begin(), -1), 1))
			}
			return int(min(max(b.end()-a.end(), -1), 1))
		})
	}
	return by
}

// nested fails when a call ends after one within which it began.
func nested(t *testing.T, events []event) {
	t.Helper()
	for at, list := range calls(events) {
		var open []event
		for _, e := range list {
			for len(open) > 0 && open[len(open)-1].end() <= e.begin() {
				open = open[:len(open)-1]
			}
			if len(open) > 0 && e.end() > open[len(open)-1].end() {
				t.Errorf("process and thread %v: %s at %d ends behind %s, within which it began", at, e.Name, e.begin(),
					open[len(open)-1].Name)
			}
			open = append(open, e)
		}
	}
}

// arrows checks that every arrow has two ends that lie in slices, and counts them by the process at their
// end.
func arrows(t *testing.T, events []event) map[int]int {
	t.Helper()
	by := calls(events)
	within := func(e event) bool {
		return slices.ContainsFunc(by[[2]int{e.Pid, e.Tid}], func(c event) bool {
			return c.begin() <= e.begin() && e.begin() <= c.end()
		})
	}
	starts, ends := map[int]event{}, map[int]int{}
	for _, e := range events {
		switch e.Ph {
		case "s":
			starts[e.ID] = e
		case "f":
			ends[e.Pid]++
			if s, ok := starts[e.ID]; !ok || s.begin() > e.begin() {
				t.Errorf("the message %d ends at %v and begins at %v", e.ID, e.Ts, s.Ts)
			}
			delete(starts, e.ID)
		default:
			continue
		}
		if !within(e) {
			t.Errorf("end of an arrow outside of all calls: %+v", e)
		}
	}
	if len(starts) > 0 {
		t.Errorf("%d arrows have no end", len(starts))
	}
	return ends
}

// Messages of all kinds: blocking, nonblocking, from anybody, matched by probes, persistent, on communicators
// whose ranks are in another order.
func TestEveryMessageHasAnArrow(t *testing.T) {
	for _, ranks := range []int{1, 2, 4, 7} {
		t.Run(strconv.Itoa(ranks), func(t *testing.T) {
			events, file, said := traced(t, ranks, 0, "./mix")
			nested(t, events)
			ends := arrows(t, events)
			if want := strings.Count(said, "received 45\n"); want != ranks {
				t.Fatalf("printed\n%s", said)
			}
			for rank := range ranks {
				if ends[rank] != 45 {
					t.Errorf("%d messages end at rank %d, want 45", ends[rank], rank)
				}
			}
			operations := map[int]string{}
			for _, e := range events {
				if n := e.Args.Operation; n > 0 && operations[n] != "" && operations[n] != e.Name {
					t.Errorf("operation %d is %s and %s", n, operations[n], e.Name)
				} else if n > 0 {
					operations[n] = e.Name
				}
			}
			code, text := command(t, "gompi-info", "--trace", file)
			if code != 0 || !strings.Contains(text, fmt.Sprintf("%d messages", 45*ranks)) {
				t.Errorf("exit code %d\n%s", code, text)
			}
		})
	}
}

func TestWhoIsLate(t *testing.T) {
	for _, ranks := range []int{2, 4} {
		_, file, _ := traced(t, ranks, 0, "./late")
		_, text := command(t, "gompi-info", "--trace", file)
		for what, row := range map[string]string{
			"rank 0 is a late sender":  fmt.Sprintf(`Late senders\s+rank .*\n +0 .* %d *\n`, ranks-1),
			"rank 1 has waited for it": `Who waited(?s:.*)\n +1 +0 .* late sender +MPI_Recv *\n`,
			"the last rank enters last": fmt.Sprintf(
				`Imbalance(?s:.*)\n +MPI_Allreduce +1 +\S+ m?s .*rank %d, 1 time *\n`, ranks-1),
		} {
			if !regexp.MustCompile(row).MatchString(text) {
				t.Errorf("not told that %s:\n%s", what, text)
			}
		}
	}
}

// What a killed rank has done is there, and so is the call in which the others were.
func TestKilledRank(t *testing.T) {
	events, file, _ := traced(t, 3, 137, "./late", "kill")
	nested(t, events)
	arrows(t, events)
	open := map[int]string{}
	done := map[int]int{}
	for _, e := range events {
		if e.Ph == "X" {
			done[e.Pid]++
			if e.Args.Unfinished != 0 {
				open[e.Pid] = e.Name
			}
		}
	}
	if open[0] != "MPI_Recv" || open[2] != "MPI_Recv" || open[1] != "" || done[1] < 5 {
		t.Errorf("unfinished calls %v, calls %v", open, done)
	}
	if code, text := command(t, "gompi-info", "--trace", file); code != 0 || !strings.Contains(text, "ended within MPI_Recv") {
		t.Errorf("exit code %d\n%s", code, text)
	}
}

// Polls in vain are one slice, threads have their own, and what is spawned is a process of its own.
func TestThreadsPollsAndChildren(t *testing.T) {
	events, _, said := traced(t, 2, 0, "./threads")
	nested(t, events)
	ends := arrows(t, events)
	if ends[0] != 100 || ends[1] != 100 {
		t.Errorf("messages %v\n%s", ends, said)
	}
	threads, polls, names := map[int]bool{}, 0, []string{}
	for _, e := range events {
		if e.Ph == "X" && e.Pid == 0 {
			threads[e.Tid] = true
		}
		polls = max(polls, e.Args.Calls)
		if e.Name == "process_name" {
			names = append(names, e.Args.Name)
		}
	}
	if len(threads) != 3 || polls < 10 {
		t.Errorf("%d threads, %d polls at most in a slice", len(threads), polls)
	}
	if !slices.Equal(names, []string{"rank 0", "rank 1", "rank 1.0"}) {
		t.Errorf("processes %q", names)
	}
}

func TestRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.json")
	for want, args := range map[string][]string{
		"other hosts":         {"--trace", file, "-hosts", "192.0.2.1:2", "-n", "2", "./late"},
		"there is no --trace": {"--trace-limit", "5", "-n", "1", "./late"},
		"no number of MiB":    {"--trace", file, "--trace-limit", "much", "-n", "1", "./late"},
		"no such file":        {"--trace", "/nowhere/run.json", "-n", "1", "./late"},
	} {
		if code, said := command(t, "mpiexec", args...); code != 1 || !strings.Contains(said, want) {
			t.Errorf("%q: exit code %d, %q", args, code, said)
		}
	}
}

// What finds no room is counted, and the program goes on.
func TestLimit(t *testing.T) {
	events, file, said := traced(t, 2, 0, "--trace-limit", "1", "./threads", "60000")
	nested(t, events)
	if !strings.Contains(said, "calls are missing; --trace-limit") {
		t.Errorf("said %q", said)
	}
	if _, text := command(t, "gompi-info", "--trace", file); !strings.Contains(text, "calls at the beginning are missing") {
		t.Errorf("profile\n%s", text)
	}
}

// Programs that call no MPI, and shells ahead of those that do.
func TestOtherPrograms(t *testing.T) {
	events, _, _ := traced(t, 2, 0, "sh", "-c", "echo here; ./late")
	if n := len(arrows(t, events)); n != 1 {
		t.Errorf("messages end at %d ranks", n)
	}
	if _, _, said := traced(t, 2, 0, "true"); !strings.Contains(said, "nothing was recorded") {
		t.Errorf("said %q", said)
	}
}

// Nothing is left in the folder for temporary files, also of a job that fails.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for code, args := range map[int][]string{0: {"./late"}, 137: {"./late", "kill"}} {
		traced(t, 2, code, args...)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	for _, entry := range left {
		if strings.Contains(entry.Name(), "gompi") || err != nil {
			t.Errorf("left behind: %s, %v", entry.Name(), err)
		}
	}
}
