package hosts

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gompi/tests/programs"
)

// TestTop looks at a job of several hosts, each of them reached by way of another one but the first.
func TestTop(t *testing.T) {
	top := filepath.Join(folder, "gompi-top")
	if err := programs.Executable(top, "gompi/cmd/gompi-top"); err != nil {
		t.Fatal(err)
	}
	w := overHosts(t)
	direct := w.run
	w.run = func(t *testing.T) []string { return append(direct(t), "GOMPI_LAUNCH_FANOUT=1") }
	program := compiled(t, "tests/live/testdata/work.c")
	run := w.start(t, "", "-hosts", "node2,node3,node4,node5", "-n", "4", "--timeout", "160", program)
	defer run.cancel()
	var got struct {
		Ranks []struct {
			Host, State, Call string
			Waiting_for       string
			Pid               int
			Processors        float64
			Memory            int
			Rates             *struct{ Messages, Bytes, Waiting float64 }
		}
		Silent_hosts []string
	}
	seen := func() bool {
		pid := strings.Fields(node(t, 1, "pgrep", "-o", "-x", "mpiexec"))
		if len(pid) != 1 || json.Unmarshal([]byte(node(t, 1, top, "--json", pid[0])), &got) != nil ||
			len(got.Ranks) != 4 {
			return false
		}
		a, b, c := &got.Ranks[0], &got.Ranks[1], &got.Ranks[3]
		return a.Rates != nil && b.Rates != nil && c.Rates != nil &&
			a.Rates.Messages > 0 && b.Rates.Bytes > 0 &&
			c.State == "waiting" && c.Call == "MPI_Recv" && c.Rates.Waiting == 1 && c.Waiting_for != "" &&
			c.Memory > 0
	}
	for end := time.Now().Add(patience); !seen(); {
		if time.Now().After(end) {
			t.Fatalf("in vain: %+v", got)
		}
	}
	for i, r := range got.Ranks {
		if r.Host != fmt.Sprintf("node%d", i+2) || r.Pid == 0 {
			t.Errorf("rank %d: %+v", i, r)
		}
	}
	if len(got.Silent_hosts) > 0 {
		t.Errorf("%v have not answered", got.Silent_hosts)
	}
	pid := strings.TrimSpace(node(t, 1, "pgrep", "-o", "-x", "mpiexec"))
	text := node(t, 1, top, "--lines", pid)
	if !receives.MatchString(text) || !strings.Contains(text, "  main in tests-live-testdata-work\n") {
		t.Errorf("--lines prints\n%s", text)
	}
	node(t, 1, "pkill", "-TERM", "-o", "-x", "mpiexec")
	run.wait(t)
	clean(t, 1, 2, 3, 4, 5)
}

// receives is the line of rank 3, which receives, as those before it may.
var receives = regexp.MustCompile(`(?m)\b3 +MPI_Recv$`)

// TestGDB has ranks of several hosts run in debuggers.
func TestGDB(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("there is no gdb")
	}
	program := compiled(t, "tests/hangs/testdata/busy.c")
	each(t, func(t *testing.T, w way) {
		r := w.mpiexec(t, "break main\nrun\nprint 6 * 7\nz 1\nprint 8 * 9\nz\nkill\n",
			"-hosts", w.list(2, 1), "-n", "2", "--gdb", program, "computes")
		r.want(t, 0, "[0-1] $1 = 42\n", r.err)
		r.want(t, 0, "(gdb 1) print 8 * 9\n[1] $2 = 72\n", r.err)
	})
}
