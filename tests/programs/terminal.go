package programs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a test waits for what a terminal is to show; the machine may be busy.
const patience = 3 * time.Minute

// A Session is a command on a terminal of its own, which the test reads and types on.
type Session struct {
	Cmd *exec.Cmd
	TTY *os.File // our end of the terminal

	fd   int
	t    *testing.T
	mu   sync.Mutex
	seen bytes.Buffer
}

// OnTerminal starts a command as the foreground job of a new terminal of 33 lines of 77 columns.
func OnTerminal(t *testing.T, argv ...string) *Session {
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
	s := &Session{t: t, fd: fd, Cmd: exec.Command(argv[0], argv[1:]...), TTY: ours}
	s.Resize(33, 77)
	s.Cmd.Stdin, s.Cmd.Stdout, s.Cmd.Stderr = theirs, theirs, theirs
	s.Cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.Cmd.Start(); err != nil {
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
	t.Cleanup(func() { _ = s.Cmd.Process.Kill(); _ = s.Cmd.Wait(); ours.Close() })
	return s
}

// Resize changes the size of the terminal.
func (s *Session) Resize(lines, columns uint16) {
	_ = unix.IoctlSetWinsize(s.fd, unix.TIOCSWINSZ, &unix.Winsize{Row: lines, Col: columns})
}

// Type types some keys.
func (s *Session) Type(keys string) {
	s.t.Helper()
	if _, err := s.TTY.WriteString(keys); err != nil {
		s.t.Fatalf("typing %q: %v", keys, err)
	}
}

// Screen is what the terminal has shown so far, with all that moves its cursor.
func (s *Session) Screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.seen.String(), "\r\n", "\n")
}

// Await waits until the terminal has shown a text so many times.
func (s *Session) Await(text string, times int) {
	s.t.Helper()
	s.Until(fmt.Sprintf("%q on the screen", text), func() bool { return strings.Count(s.Screen(), text) >= times })
}

// Until waits until something holds.
func (s *Session) Until(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("in vain: waiting for %s\nthe screen shows %q", what, s.Screen())
		}
	}
}

// End waits for the command and returns its exit code.
func (s *Session) End() int {
	s.t.Helper()
	late := time.AfterFunc(patience, func() { _ = s.Cmd.Process.Kill() })
	defer late.Stop()
	_ = s.Cmd.Wait()
	time.Sleep(20 * time.Millisecond) // for what is still on its way through the terminal
	return s.Cmd.ProcessState.ExitCode()
}
