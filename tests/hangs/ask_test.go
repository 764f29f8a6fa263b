package hangs

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// text is output that is read while it is written.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (x *text) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.b.Write(p)
}

func (x *text) String() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.b.String()
}

// begin starts a case that runs until the test ends, and gives its standard error.
func begin(t *testing.T, ranks int, what string, options ...string) (*exec.Cmd, *text) {
	t.Helper()
	words := strings.Fields(what)
	args := append([]string{"-n", strconv.Itoa(ranks)}, options...)
	cmd := exec.Command(mpiexec, append(append(args, filepath.Join(programs, words[0])), words[1:]...)...)
	out := new(text)
	cmd.Stderr, cmd.Dir = out, programs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, out
}

// until waits until f is true.
func until(t *testing.T, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !f(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing happened")
		}
	}
}

// reported is a part of the report for programs.
type reported struct {
	Hung  bool
	Cause string
	Ranks []struct {
		Rank, Pid int
		Phase     string
		Waits     []struct {
			Call    string
			Seconds float64
			For     []struct {
				Kind         string
				Communicator struct{ Name string }
				Ranks        []struct{ World, Rank int }
				Tag          *int
				Count        int
				Type         string
			}
		}
		Unexpected []struct{ Tag, Bytes int }
	}
}

// check compares it with what messages/tag is known to wait for.
func (r *reported) check(t *testing.T) {
	t.Helper()
	if !r.Hung || r.Cause != "rank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7" || len(r.Ranks) != 2 {
		t.Fatalf("%+v", r)
	}
	one := r.Ranks[1]
	if one.Rank != 1 || one.Phase != "waits in MPI" || len(one.Waits) != 1 || len(one.Unexpected) != 1 ||
		one.Unexpected[0].Tag != 7 || one.Unexpected[0].Bytes != 4 {
		t.Fatalf("%+v", one)
	}
	w := one.Waits[0]
	if w.Call != "MPI_Recv" || len(w.For) != 1 || w.For[0].Kind != "receive" || *w.For[0].Tag != 8 ||
		w.For[0].Communicator.Name != "MPI_COMM_WORLD" || len(w.For[0].Ranks) != 1 || w.For[0].Ranks[0].Rank != 0 ||
		w.For[0].Count != 1 || w.For[0].Type != "MPI_INT" {
		t.Errorf("%+v", w)
	}
}

// TestAsked asks a launcher from another process, in all forms.
func TestAsked(t *testing.T) {
	t.Parallel()
	cmd, _ := begin(t, 2, "messages tag", "--report-hang", "0")
	pid := strconv.Itoa(cmd.Process.Pid)
	info := filepath.Join(filepath.Dir(mpiexec), "gompi-info")
	var got reported
	until(t, func() bool {
		out, err := exec.Command(mpiexec, "--attach", pid, "--report-format", "json").Output()
		return err == nil && json.Unmarshal(out, &got) == nil && got.Hung && len(got.Ranks[1].Unexpected) > 0
	})
	got.check(t)
	for _, argv := range [][]string{{mpiexec, "--attach", pid}, {info, "--job", pid}} {
		out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "\nrank 1 in MPI_Recv waits for tag 8, but rank 0 has sent tag 7\n") ||
			!strings.Contains(string(out), "a message from rank 0, tag 8, 1 MPI_INT, on MPI_COMM_WORLD\n") {
			t.Errorf("%q: %v\n%s", argv, err, out)
		}
	}
	out, err := exec.Command(info, "--json", "--job", pid).Output()
	if got = (reported{}); err != nil || json.Unmarshal(out, &got) != nil {
		t.Fatalf("%v, %s", err, out)
	}
	got.check(t)
}

// TestNobodyThere asks processes that are no launchers.
func TestNobodyThere(t *testing.T) {
	t.Parallel()
	for _, argv := range [][]string{{"--attach", "1"}, {"--attach", "999999999"}, {"--attach", "none"},
		{"--attach", "1", "program"}, {"--report-format", "xml", "program"}} {
		out, err := exec.Command(mpiexec, argv...).CombinedOutput()
		if err == nil || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%q: %v\n%s", argv, err, out)
		}
	}
}

// TestReportForPrograms has the report come by itself, in JSON.
func TestReportForPrograms(t *testing.T) {
	t.Parallel()
	_, out := begin(t, 2, "messages tag", "--report-hang", "1", "--report-format", "json")
	until(t, func() bool { return strings.Contains(out.String(), "\n") })
	var got reported
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	got.check(t)
}

// TestOutside has jobs that wait for processes of others: nothing may be said, but when somebody asks.
func TestOutside(t *testing.T) {
	for name, want := range map[string]string{
		"port":       `rank 0 waits in MPI_Comm_accept for a group that connects to port "gompi`,
		"connecting": `rank 1 waits in MPI_Comm_connect for a group that accepts at port "gompi`,
		"joining":    "rank 0 waits in MPI_Comm_join for the process at the other end, which has not called the same function\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, out := begin(t, 2, "threads "+name, "--report-hang", "1")
			time.Sleep(4 * time.Second)
			if out.String() != "" {
				t.Error(out.String())
			}
			var text []byte
			until(t, func() bool {
				text, _ = exec.Command(mpiexec, "--attach", strconv.Itoa(cmd.Process.Pid)).CombinedOutput()
				return strings.Contains(string(text), "\n"+want)
			})
		})
	}
}

// TestSignal asks by SIGUSR1, which must not end ranks that do not expect it.
func TestSignal(t *testing.T) {
	t.Parallel()
	cmd, out := begin(t, 3, "busy computes-on", "--report-hang", "0")
	until(t, func() bool { // before, the signal might find a launcher that does not expect it yet
		text, _ := exec.Command(mpiexec, "--attach", strconv.Itoa(cmd.Process.Pid)).Output()
		return strings.Contains(string(text), "MPI_Barrier")
	})
	_ = cmd.Process.Signal(syscall.SIGUSR1)
	until(t, func() bool { return strings.Contains(out.String(), "MPI_Barrier") })
	text := out.String()
	if !strings.Contains(text, "mpiexec: what the ranks wait for:\n") || !strings.Contains(text, "does not wait in MPI: it uses its processor\n") {
		t.Error(text)
	}
	told := filepath.Join(programs, "told."+strconv.Itoa(cmd.Process.Pid))
	if err := os.WriteFile(told, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
}

// TestQuit has the job end by SIGQUIT, after the report.
func TestQuit(t *testing.T) {
	t.Parallel()
	cmd, out := begin(t, 2, "messages two", "--report-hang", "0")
	until(t, func() bool {
		text, _ := exec.Command(mpiexec, "--attach", strconv.Itoa(cmd.Process.Pid)).Output()
		return strings.Contains(string(text), "\nranks 0, 1 wait for each other: ")
	})
	_ = cmd.Process.Signal(syscall.SIGQUIT)
	_ = cmd.Wait()
	text := out.String()
	if strings.Count(text, "mpiexec: what the ranks wait for:\n") != 1 || cmd.ProcessState.ExitCode() != 128+int(syscall.SIGQUIT) ||
		strings.Count(text, "mpiexec: ranks 0, 1 wait for each other: ") != 1 {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), text)
	}
}

// atTimeLimit has a time limit end a case, and gives what is said then, which has to hold a text. Ranks of a
// busy machine may not be so far at the first limit, and get a longer one.
func atTimeLimit(t *testing.T, ranks int, what, want string, options ...string) (said string) {
	t.Helper()
	for seconds := 2; seconds < 120; seconds *= 2 {
		cmd, out := begin(t, ranks, what, append(options, "--timeout", strconv.Itoa(seconds))...)
		_ = cmd.Wait()
		said = out.String()
		if cmd.ProcessState.ExitCode() != 124 || !strings.HasPrefix(said, "mpiexec: what the ranks wait for at the time limit:\n") {
			t.Fatalf("exit code %d: %s", cmd.ProcessState.ExitCode(), said)
		}
		if strings.Contains(said, want) {
			return said
		}
	}
	t.Errorf("want %s\n%s", want, said)
	return said
}

// TestTimeLimit has the time limit come before the report.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	atTimeLimit(t, 2, "messages two", "mpiexec: ranks 0, 1 wait for each other: ")
}
