package console

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// script is a console whose debuggers the test plays.
type script struct {
	Console
	shown strings.Builder
	sent  []string // what was given to which rank: "0 bt"
	now   time.Time
}

func newScript(ranks ...int) *script {
	s := &script{now: time.Unix(1000, 0)}
	s.Show = func(text string) { s.shown.WriteString(text) }
	s.Send = func(rank int, line string) { s.sent = append(s.sent, fmt.Sprint(rank, " ", line)) }
	s.Interrupt = func(rank int) { s.sent = append(s.sent, fmt.Sprint(rank, " ^C")) }
	s.Quit = func() { s.sent = append(s.sent, "quit") }
	s.Start(ranks)
	s.shown.Reset()
	return s
}

// say has a rank's debugger write lines.
func (s *script) say(rank int, lines ...string) {
	s.Add(rank, []byte(strings.Join(lines, "\n")+"\n"), s.now)
}

// want fails the test unless this has been sent and shown since the last time.
func (s *script) want(t *testing.T, sent, shown string) {
	t.Helper()
	if got := strings.Join(s.sent, ", "); got != sent || s.shown.String() != shown {
		t.Errorf("sent %q, want %q; shown %q, want %q", got, sent, s.shown.String(), shown)
	}
	s.sent = nil
	s.shown.Reset()
}

func TestLinesWaitForRanks(t *testing.T) {
	s := newScript(0, 1)
	for _, line := range []string{"run", "z 1", "print x"} {
		s.Line(line, s.now)
	}
	s.say(0, "(gdb) ")
	s.want(t, "", "")
	s.say(1, "=thread-group-added,id=\"i1\"", "(gdb) ")
	s.want(t, "0 run, 1 run", "(gdb 0-1) run\n")
	s.say(0, `&"run\n"`, "^running", `*running,thread-id="all"`, "(gdb) ")
	s.want(t, "", "")
	s.say(1, "^running", "(gdb) ") // both run: other ranks may be chosen, and have to wait for commands
	s.want(t, "", "(gdb 0-1) z 1\n[1] running\n")
	s.say(1, `~"\nBreakpoint 1, main () at a.c:3\n"`, `~"3\tint x = \"\\\303\244\";\n"`, `*stopped,reason="breakpoint-hit"`, "(gdb) ")
	s.want(t, "1 print x", "[1] Breakpoint 1, main () at a.c:3\n[1] 3\tint x = \"\\ä\";\n(gdb 1) print x\n")
}

func TestSameAnswersAreShownOnce(t *testing.T) {
	s := newScript(0, 1, 2, 4)
	for r, text := range map[int]string{0: "a", 1: "b", 2: "a", 4: "a"} {
		s.say(r, fmt.Sprintf(`~"first\nthis is %s\n"`, text), "^done", "(gdb) ")
	}
	s.want(t, "", "[0-2,4] first\n[0,2,4] this is a\n[1] this is b\n")
}

func TestSlowAnswersAreShownLate(t *testing.T) {
	s := newScript(0, 1)
	s.say(0, `~"here\n"`, "(gdb) ")
	s.want(t, "", "")
	if due := s.Due(); due != s.now.Add(patience) {
		t.Errorf("due at %v", due)
	}
	s.Tick(s.now.Add(patience - 1))
	s.want(t, "", "")
	s.Tick(s.now.Add(patience))
	s.want(t, "", "[0] here\n")
	if !s.Due().IsZero() {
		t.Error("something is due still")
	}
}

func TestBlocksAreNotWaitedFor(t *testing.T) {
	s := newScript(0)
	for _, line := range []string{"commands 1", "if x", "print x", "end", "end", "next"} {
		s.Line(line, s.now)
	}
	s.say(0, "(gdb) ")
	s.want(t, "0 commands 1, 0 if x, 0 print x, 0 end, 0 end",
		"(gdb 0) commands 1\n(gdb 0) if x\n(gdb 0) print x\n(gdb 0) end\n(gdb 0) end\n")
	s.say(0, `&"commands 1\n"`, `~">"`, `&"if x\n"`, `~">"`, "^done", "(gdb) ")
	s.want(t, "0 next", "(gdb 0) next\n")
	s.say(0, `&"The program is not being run.\n"`, `^error,msg="The program is not being run."`, "(gdb) ")
	s.want(t, "", "[0] The program is not being run.\n")
}

func TestEnds(t *testing.T) {
	s := newScript(0, 1)
	s.say(0, "(gdb) ")
	s.say(1, "(gdb) ")
	s.Line("z 1", s.now)
	s.Line("quit", s.now) // of one rank
	s.want(t, "1 quit", "(gdb 0-1) z 1\n(gdb 1) quit\n")
	s.say(1, "^exit")
	s.Gone(1, s.now)
	s.Line("z", s.now)
	s.want(t, "", "(gdb 1) z\n[1] ended\n")
	s.Line("bt", s.now)
	s.want(t, "0 bt", "(gdb 0-1) bt\n")
	s.End(s.now)
	s.want(t, "", "")
	s.say(0, "^done", "(gdb) ")
	s.want(t, "quit", "")
	s.say(0, "(gdb) ")
	s.want(t, "", "")
}

func TestStopsThoseThatRun(t *testing.T) {
	s := newScript(0, 1, 2)
	s.say(0, "^running", "(gdb) ")
	s.say(1, "(gdb) ")
	s.say(2, "^running", "(gdb) ")
	s.Stop()
	s.want(t, "0 ^C, 2 ^C", "")
	s.Line("z 1,2", s.now)
	s.Stop()
	s.want(t, "2 ^C", "(gdb 0-2) z 1,2\n[2] running\n")
	s.Line("z 1,3", s.now)
	s.want(t, "", "(gdb 1-2) z 1,3\nrank 3 runs in no debugger; 0-2 do\n")
}

// On a terminal the line stands there already, and an empty one stands for some commands.
func TestTerminal(t *testing.T) {
	s := newScript(0)
	s.Terminal = true
	s.say(0, "(gdb) ")
	s.want(t, "", "(gdb 0) ")
	s.Line("", s.now)
	s.want(t, "", "(gdb 0) ")
	s.Line("next", s.now)
	s.want(t, "0 next", "")
	s.say(0, "^done", "(gdb) ")
	s.want(t, "", "(gdb 0) ")
	s.Line("", s.now)
	s.want(t, "0 next", "")
	s.say(0, `~"7\n"`, "(gdb) ")
	s.want(t, "", "[0] 7\n(gdb 0) ")
}

func TestRanks(t *testing.T) {
	for text, want := range map[string][]int{"0": {0}, "3,1-2, 2": {1, 2, 3}} {
		if got, err := ParseRanks(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "2-1", "-1", "1,", "0-9999999"} {
		if got, err := ParseRanks(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := FormatRanks([]int{0, 1, 2, 5, 7, 8}); got != "0-2,5,7-8" {
		t.Error(got)
	}
}

func FuzzRecords(f *testing.F) {
	f.Add("~\"a\\3", "(gdb)\n^done\n&\"x\\n\"\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := newScript(0)
		s.Add(0, []byte(a), s.now)
		s.Add(0, []byte(b+"\n(gdb) \n"), s.now)
		s.Line("bt", s.now)
	})
}
