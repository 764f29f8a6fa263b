package launcher

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gompi/tests/programs"
)

func TestRanksFindTerminal(t *testing.T) {
	for _, n := range []string{"1", "2"} {
		s := programs.OnTerminal(t, mpiexec, "-n", n, "sh", "-c", "test -t 1 && stty size <&1 && echo done")
		s.Await("33 77\ndone", 1)
		if code := s.End(); code != 0 {
			t.Errorf("-n %s: exit code %d", n, code)
		}
	}
}

// Lines stay whole on a terminal, also when they come in pieces. The others wait a second for the end of a
// line, so a run in which the machine has kept a rank from writing it for that long tells nothing.
func TestTerminalKeepsLines(t *testing.T) {
	const rank = `a=$(date +%s%N); printf 'half '; sleep 0.4; echo whole; b=$(date +%s%N)
		echo $(((b - a) / 1000000)) ms; sleep 0.4; echo end`
	for {
		s := programs.OnTerminal(t, mpiexec, "-n", "2", "sh", "-c", rank)
		s.Await("end\n", 2)
		if code := s.End(); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		late := false
		for _, took := range regexp.MustCompile(`(\d+) ms\n`).FindAllStringSubmatch(s.Screen(), 2) {
			ms, _ := strconv.Atoi(took[1])
			late = late || ms >= 1000
		}
		if late {
			continue
		}
		if strings.Count(s.Screen(), "half whole\n") != 2 {
			t.Errorf("lines are cut")
		}
		return
	}
}

// Ctrl-C reaches each rank once, whether it has a handler or not.
func TestControlC(t *testing.T) {
	word := mark(t)
	s := programs.OnTerminal(t, mpiexec, "-n", "2", "sh", "-c", "n=0; trap 'n=$((n+1))' INT; echo ready; until [ $n -gt 0 ]; do sleep 0.05; done; sleep 0.5; echo caught $n; : "+word)
	s.Await("ready", 2)
	s.TTY.Write([]byte{3})
	s.Await("caught 1", 2)
	if code := s.End(); code != 0 {
		t.Errorf("ranks that live on end well: exit code %d", code)
	}
	s = programs.OnTerminal(t, mpiexec, "-n", "2", "sh", "-c", "echo ready; sleep 3000; : "+word)
	s.Await("ready", 2)
	s.TTY.Write([]byte{3})
	if code := s.End(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(s.Screen(), "mpiexec:") {
		t.Errorf("it was asked for, and yet: %q", s.Screen())
	}
	gone(t, word)
}

// Typed input reaches rank 0.
func TestTypedInput(t *testing.T) {
	s := programs.OnTerminal(t, mpiexec, "-n", "2", "sh", "-c", "test $PMI_RANK = 0 || exit 0; printf 'name? '; read name; echo hello $name")
	s.Await("name? ", 1)
	s.TTY.Write([]byte("gopher\n"))
	s.Await("hello gopher", 1)
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A terminal that goes away takes the job along.
func TestTerminalCloses(t *testing.T) {
	word := mark(t)
	s := programs.OnTerminal(t, mpiexec, "-n", "2", "sh", "-c", "echo ready; sleep 3000; : "+word)
	s.Await("ready", 2)
	s.TTY.Close()
	if code := s.End(); code == 0 {
		t.Error("exit code 0")
	}
	gone(t, word)
}

// In the background of a terminal the job goes on to its end: nothing is read, which would stop it, and what
// is typed is for the shell.
func TestBackground(t *testing.T) {
	for _, rank := range []string{"echo done", "test $PMI_RANK = 0 && sleep 0.3; echo done"} {
		s := programs.OnTerminal(t, "bash", "-c", "set -m; "+mpiexec+" -n 2 sh -c '"+rank+"' & read line; wait; echo \"the shell has $line, jobs: $(jobs -s)\"")
		s.Await("done", 2)
		s.TTY.Write([]byte("a line\n"))
		s.Await("the shell has a line, jobs: \n", 1)
		if code := s.End(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
}
