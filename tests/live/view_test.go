package live

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"gompi/tests/programs"
)

// shows waits until the terminal shows a text, written anew as a whole: what changes on it is written in
// pieces.
func shows(t *testing.T, s *programs.Session, text string) {
	t.Helper()
	seen, wide := len(s.Screen()), false
	var next time.Time
	s.Until(fmt.Sprintf("%q on the screen", text), func() bool {
		if strings.Contains(s.Screen()[seen:], text) {
			return true
		}
		if time.Now().After(next) { // a new size has all be written anew
			wide, next = !wide, time.Now().Add(500*time.Millisecond)
			s.Resize(40, map[bool]uint16{false: 130, true: 131}[wide])
		}
		return false
	})
}

// TestView presses the keys of gompi-top.
func TestView(t *testing.T) {
	pid := begin(t, "-n", "5", "./work")
	until(t, func() string { return "no job" }, func() bool { return len(seen(t, pid, "-d", "0.1").Ranks) == 5 })
	s := programs.OnTerminal(t, top, "-d", "0.2", pid)
	shows(t, s, "MPI_Recv at work.c:40 for ")
	shows(t, s, "by rank")
	s.Type("s")
	shows(t, s, "longest wait first")
	s.Type("l")
	shows(t, s, "burn at work.c:1")
	s.Type("h")
	shows(t, s, "rank 3 waits in MPI_Recv for a message from rank 2, tag 9")
	s.Type("t")
	shows(t, s, "computing")
	s.Type("p")
	shows(t, s, "paused")
	s.Type("q")
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if len(seen(t, pid, "-d", "0.1").Ranks) != 5 {
		t.Error("the job has gone with the view")
	}
}

// TestViewOfEnd has the job end while it is looked at.
func TestViewOfEnd(t *testing.T) {
	cmd := exec.Command(mpiexec, "-n", "1", "./work")
	cmd.Dir = folder
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := fmt.Sprint(cmd.Process.Pid)
	until(t, func() string { return "no job" }, func() bool { return len(seen(t, pid, "-d", "0.1").Ranks) == 1 })
	s := programs.OnTerminal(t, top, "-d", "0.2", pid)
	shows(t, s, "1 rank: ")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	s.Await("the job has ended", 1)
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestWatch has the table stand below the output of a job.
func TestWatch(t *testing.T) {
	const count = 150
	s := programs.OnTerminal(t, mpiexec, "--watch", "-n", "3", folder+"/work", "lines", fmt.Sprint(count))
	shows(t, s, "3 ranks: ")
	if code := s.End(); code != 3 {
		t.Errorf("exit code %d, of the job 3", code)
	}
	text := s.Screen()
	last := -1
	for i := range count {
		at := strings.Index(text, fmt.Sprintf("line %d.", i))
		if at <= last {
			t.Fatalf("line %d is not behind the one before it: %q", i, text)
		}
		last = at
	}
	if !strings.Contains(text, "exited with code 3") {
		t.Errorf("not all has been shown: %q", text)
	}
}

// TestWatchLeft leaves the table, and interrupts the job.
func TestWatchLeft(t *testing.T) {
	s := programs.OnTerminal(t, mpiexec, "--watch", "-n", "2", folder+"/work", "lines", "200")
	shows(t, s, "2 ranks: ")
	s.Type("q")
	if code := s.End(); code != 3 || !strings.Contains(s.Screen(), "line 199.") {
		t.Errorf("exit code %d, of the job 3: %q", code, s.Screen())
	}
	s = programs.OnTerminal(t, mpiexec, "--watch", "-n", "2", folder+"/work")
	shows(t, s, "2 ranks: ")
	s.Type("\x03")
	if code := s.End(); code != 130 {
		t.Errorf("exit code %d after Ctrl-C", code)
	}
}

// TestWatchWithoutTerminal has the output of the job be what it is without.
func TestWatchWithoutTerminal(t *testing.T) {
	r := programs.Try(t, folder, nil, mpiexec, "--watch", "-n", "2", "./work", "lines", "3")
	if r.Code != 3 || r.Stdout != "line 0.\nline 1.\nline 2.\n" {
		t.Errorf("%+v", r)
	}
	r = programs.Try(t, folder, nil, mpiexec, "--watch", "-n", "2", "./work", "lines", "1100")
	if !regexp.MustCompile(`(?m)^mpiexec: 2 ranks: .* processors, memory `).MatchString(r.Stderr) {
		t.Errorf("no line in 22 s: %+v", r)
	}
}
