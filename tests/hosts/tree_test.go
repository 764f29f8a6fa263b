package hosts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Hosts that are reached by way of others. They are names for this machine: what leads to them is a shell,
// which leaves a line for each host that it has been asked for, with the process that asked.

// tree is a way to n hosts of which each reaches as many as the width says.
type tree struct {
	way
	log string
}

func newTree(t *testing.T, width int) tree {
	t.Helper()
	dir, err := os.MkdirTemp(folder, "tree")
	if err != nil {
		t.Fatal(err)
	}
	log, shell := filepath.Join(dir, "log"), filepath.Join(dir, "shell")
	// A name with "lost" cannot be reached but by the launcher.
	text := `#!/bin/sh
asker=$(tr '\0' ' ' </proc/$PPID/cmdline)
echo "$1 $PPID $asker" >>` + log + `
case $1/$asker in *lost*/*--gompi-proxy*) echo "no way to $1" >&2; exit 255;; esac
host=$1
shift
sh -c "$1; : $host"
`
	if err := os.WriteFile(shell, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return tree{way{name: "tree", run: func(*testing.T) []string {
		return []string{"env", "HYDRA_LAUNCHER_EXEC=" + shell, noHeartbeat, fmt.Sprintf("GOMPI_LAUNCH_FANOUT=%d", width)}
	}}, log}
}

// names are n hosts.
func names(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("gompi-far%d", i))
	}
	return strings.Join(all, ",")
}

// askers counts, for each process that has asked for hosts, how many those were.
func (w tree) askers(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(w.log)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		count[strings.Fields(line)[1]]++
	}
	return count
}

// Around the width, nobody reaches more hosts than that, and all ranks are there with their values, output,
// input and exit codes.
func TestTree(t *testing.T) {
	for _, c := range []struct{ width, hosts, askers int }{
		{32, 31, 1}, {32, 32, 1}, {32, 33, 2}, {32, 40, 9}, {2, 7, 4}, {1, 4, 4},
	} {
		w := newTree(t, c.width)
		last := fmt.Sprint(c.hosts - 1)
		r := w.mpiexec(t, "text\n", "-hosts", names(c.hosts), "--stdin", last, "sh", "-c",
			"[ $PMI_RANK != "+last+" ] || cat; exec "+rank+" join put=v fence get="+last+" fence finalize")
		r.want(t, 0, "text\n", "")
		if got := lines(r.out)["v"+last]; got != c.hosts {
			t.Errorf("%d hosts: %d have seen the last one's value", c.hosts, got)
		}
		askers := w.askers(t)
		for pid, n := range askers {
			if n > c.width {
				t.Errorf("%d hosts: process %s has reached %d", c.hosts, pid, n)
			}
		}
		if len(askers) != c.askers {
			t.Errorf("%d hosts, width %d: %d processes have reached some, want %d", c.hosts, c.width, len(askers), c.askers)
		}
	}
}

// Much output of a host far behind comes through.
func TestTreeOutput(t *testing.T) {
	r := newTree(t, 1).mpiexec(t, "", "-hosts", names(3), "sh", "-c", "seq 200000 | sed s/^/$PMI_RANK./")
	r.want(t, 0, "2.200000\n", "")
	if n := strings.Count(r.out, "\n"); n != 600000 {
		t.Errorf("%d lines", n)
	}
}

// What one host cannot reach, the launcher reaches itself.
func TestTreeShortcut(t *testing.T) {
	w := newTree(t, 2)
	w.mpiexec(t, "", "-hosts", "gompi-a,gompi-b,gompi-lost,gompi-c,gompi-lost2", "sh", "-c", "echo here").want(t, 0, "here\n", "")
	most := 0
	for _, n := range w.askers(t) {
		most = max(most, n)
	}
	if most != 4 {
		t.Errorf("the launcher has reached %d hosts, want 4", most)
	}
}

// Wherever a rank, or what leads to it, ends, the job ends with one line and with nothing left.
func TestTreeEnds(t *testing.T) {
	pkill := func(pattern string) func() { return func() { exec.Command("pkill", "-KILL", "-f", pattern).Run() } }
	for _, c := range []struct {
		name, want string
		kill       func(mark string)
		code       int
	}{
		{"rank", "was killed by signal 9 (SIGKILL)", func(mark string) { pkill("^mark-of-6-" + mark)() }, 137},
		{"leaf", "host gompi-far6: the connection is lost", func(mark string) { pkill("[:] gompi-far6$")() }, 1},
		{"inner", "host gompi-far0: the connection is lost", func(mark string) { pkill("[:] gompi-far0$")() }, 1},
		{"launcher", "", func(mark string) { pkill("mpiexec -hosts.*" + mark)() }, -1},
		{"user", "", func(mark string) { exec.Command("pkill", "-INT", "-f", "mpiexec -hosts.*"+mark).Run() }, 130},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newTree(t, 2)
			mark := "tree-" + c.name
			ready := filepath.Join(filepath.Dir(w.log), "ready")
			run := w.start(t, "", "-hosts", names(7), "bash", "-c", `echo >`+ready+`.$PMI_RANK; exec -a mark-of-$PMI_RANK-`+mark+` sleep 3000`)
			awaitFiles(t, ready, 7)
			c.kill(mark)
			got := run.wait(t)
			if c.code >= 0 {
				got.want(t, c.code, "", c.want)
			}
			if c.want != "" && strings.Count(got.err, "\n") != 1 {
				t.Errorf("%q", got.err)
			}
			for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
				left, _ := exec.Command("pgrep", "-fa", filepath.Dir(w.log)+"|mark-of-.*"+mark).Output()
				if len(left) == 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("left: %s", left)
				}
			}
		})
	}
}
