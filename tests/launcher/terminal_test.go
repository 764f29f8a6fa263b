package launcher

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// session is mpiexec on a terminal, which the test reads and types on.
type session struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	seen bytes.Buffer
}

// onTerminal starts a command as the foreground job of a new terminal.
func onTerminal(t *testing.T, argv ...string) *session {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	ours := os.NewFile(uintptr(fd), "terminal")
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	unix.IoctlSetWinsize(int(theirs.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 33, Col: 77})
	s := &session{t: t, cmd: exec.Command(argv[0], argv[1:]...), tty: ours}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = theirs, theirs, theirs
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := ours.Read(buf)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.seen.Write(buf[:n])
			s.mu.Unlock()
		}
	}()
	t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait(); ours.Close() })
	return s
}

// screen is what the terminal has shown so far.
func (s *session) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.seen.String(), "\r\n", "\n")
}

func (s *session) awaitScreen(text string, times int) {
	s.t.Helper()
	s.t.Cleanup(func() {
		if s.t.Failed() {
			s.t.Logf("the screen shows %q", s.screen())
		}
	})
	await(s.t, fmt.Sprintf("%q on the screen", text), func() bool { return strings.Count(s.screen(), text) >= times })
}

// end waits for the command and returns its exit code.
func (s *session) end() int {
	s.t.Helper()
	waitFor(s.t, s.cmd)
	time.Sleep(20 * time.Millisecond) // for what is still on its way through the terminal
	return s.cmd.ProcessState.ExitCode()
}

func TestRanksFindTerminal(t *testing.T) {
	for _, n := range []string{"1", "2"} {
		s := onTerminal(t, mpiexec, "-n", n, "sh", "-c", "test -t 1 && stty size <&1 && echo done")
		s.awaitScreen("33 77\ndone", 1)
		if code := s.end(); code != 0 {
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
		s := onTerminal(t, mpiexec, "-n", "2", "sh", "-c", rank)
		s.awaitScreen("end\n", 2)
		if code := s.end(); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		late := false
		for _, took := range regexp.MustCompile(`(\d+) ms\n`).FindAllStringSubmatch(s.screen(), 2) {
			ms, _ := strconv.Atoi(took[1])
			late = late || ms >= 1000
		}
		if late {
			continue
		}
		if strings.Count(s.screen(), "half whole\n") != 2 {
			t.Errorf("lines are cut")
		}
		return
	}
}

// Ctrl-C reaches each rank once, whether it has a handler or not.
func TestControlC(t *testing.T) {
	word := mark(t)
	s := onTerminal(t, mpiexec, "-n", "2", "sh", "-c", "n=0; trap 'n=$((n+1))' INT; echo ready; until [ $n -gt 0 ]; do sleep 0.05; done; sleep 0.5; echo caught $n; : "+word)
	s.awaitScreen("ready", 2)
	s.tty.Write([]byte{3})
	s.awaitScreen("caught 1", 2)
	if code := s.end(); code != 0 {
		t.Errorf("ranks that live on end well: exit code %d", code)
	}
	s = onTerminal(t, mpiexec, "-n", "2", "sh", "-c", "echo ready; sleep 3000; : "+word)
	s.awaitScreen("ready", 2)
	s.tty.Write([]byte{3})
	if code := s.end(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(s.screen(), "mpiexec:") {
		t.Errorf("it was asked for, and yet: %q", s.screen())
	}
	gone(t, word)
}

// Typed input reaches rank 0.
func TestTypedInput(t *testing.T) {
	s := onTerminal(t, mpiexec, "-n", "2", "sh", "-c", "test $PMI_RANK = 0 || exit 0; printf 'name? '; read name; echo hello $name")
	s.awaitScreen("name? ", 1)
	s.tty.Write([]byte("gopher\n"))
	s.awaitScreen("hello gopher", 1)
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A terminal that goes away takes the job along.
func TestTerminalCloses(t *testing.T) {
	word := mark(t)
	s := onTerminal(t, mpiexec, "-n", "2", "sh", "-c", "echo ready; sleep 3000; : "+word)
	s.awaitScreen("ready", 2)
	s.tty.Close()
	if code := s.end(); code == 0 {
		t.Error("exit code 0")
	}
	gone(t, word)
}

// In the background of a terminal the job goes on to its end: nothing is read, which would stop it, and what
// is typed is for the shell.
func TestBackground(t *testing.T) {
	for _, rank := range []string{"echo done", "test $PMI_RANK = 0 && sleep 0.3; echo done"} {
		s := onTerminal(t, "bash", "-c", "set -m; "+mpiexec+" -n 2 sh -c '"+rank+"' & read line; wait; echo \"the shell has $line, jobs: $(jobs -s)\"")
		s.awaitScreen("done", 2)
		s.tty.Write([]byte("a line\n"))
		s.awaitScreen("the shell has a line, jobs: \n", 1)
		if code := s.end(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
}
