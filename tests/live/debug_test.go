package live

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// needGDB skips a test where there is no gdb.
func needGDB(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("there is no gdb")
	}
}

// commands runs the debugger with commands that do not come from a terminal.
func commands(t *testing.T, lines []string, args ...string) programs.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// A file is read as a whole at once; a pipe as it comes.
	line := fmt.Sprintf("%s %s <%s", mpiexec, strings.Join(args, " "), file)
	piped := fmt.Sprintf("cat %s | %s %s", file, mpiexec, strings.Join(args, " "))
	r := programs.Try(t, folder, nil, "sh", "-c", line)
	other := programs.Try(t, folder, nil, "sh", "-c", piped)
	if r.Code != 0 || other.Code != 0 {
		t.Errorf("exit codes %d and %d\n%s%s\n%s%s", r.Code, other.Code, r.Stdout, r.Stderr, other.Stdout, other.Stderr)
	}
	return r
}

// has fails the test unless each pattern matches, in this order.
func has(t *testing.T, text string, patterns ...string) {
	t.Helper()
	rest := text
	for _, p := range patterns {
		at := regexp.MustCompile(`(?m)` + p).FindStringIndex(rest)
		if at == nil {
			t.Fatalf("%q is not there, or not in that order:\n%s", p, text)
		}
		rest = rest[at[1]:]
	}
}

// TestGDB has commands go to all ranks and to some, and what they answer alike be shown once.
func TestGDB(t *testing.T) {
	needGDB(t)
	r := commands(t, []string{"break step", "run", "bt", "z 1", "next", "print x", "z 0,2", "print rank * 7", "z 5", "z",
		"delete", "continue", "print 1 +", "info breakpoints"}, "--gdb", "-n", "3", "./debug")
	has(t, r.Stdout, `^gdb of 3 ranks: `, `^\(gdb 0-2\) break step$`, `^\[0-2\] Breakpoint 1 at .*: file testdata/debug.c, line 8\.$`,
		`^\(gdb 0-2\) run$`, `^\(gdb 0-2\) bt$`, `^\[0\] #0  step \(rank=0, i=0\) at testdata/debug.c:8$`,
		`^\[2\] #0  step \(rank=2, i=0\) at testdata/debug.c:8$`, `^\[0-2\] #1 .* in main `,
		`^\(gdb 0-2\) z 1$`, `^\(gdb 1\) next$`, `^\[1\] 10\t`, `^\(gdb 1\) print x$`, `^\[1\] \$1 = 10$`,
		`^\(gdb 1\) z 0,2$`, `^\(gdb 0,2\) print rank \* 7$`, `^\[0\] \$1 = 0$`, `^\[2\] \$1 = 14$`,
		`^rank 5 runs in no debugger; 0-2 do$`,
		`^\(gdb 0-2\) print 1 \+$`, `^\[0-2\] A syntax error`, `^\[0-2\] No breakpoints or watchpoints\.$`)
	for rank := range 3 {
		has(t, r.Stdout, fmt.Sprintf(`^\[%d\] rank %d has 108$`, rank, rank))
	}
}

// TestDebugSome has one rank run in a debugger, and commands of several lines.
func TestDebugSome(t *testing.T) {
	needGDB(t)
	r := commands(t, []string{"break step", "commands", "silent", "print i + 40", "continue", "end", "run"},
		"--debug", "1", "-n", "3", "./debug")
	has(t, r.Stdout, `^gdb of 1 rank: `, `^\(gdb 1\) run$`, `^\[1\] \$1 = 40$`, `^\[1\] \$2 = 41$`, `^\[1\] \$3 = 42$`)
	has(t, r.Stdout, `^\[0\] rank 0 has 108$`)
	if strings.Contains(r.Stdout, "[0-2]") || strings.Contains(r.Stdout, "[1] silent") || strings.Contains(r.Stdout, "] >") {
		t.Errorf("more than was to be seen:\n%s", r.Stdout)
	}
}

// TestGDBTerminal types on a terminal, and stops ranks that run.
func TestGDBTerminal(t *testing.T) {
	needGDB(t)
	s := programs.OnTerminal(t, mpiexec, "--gdb", "-n", "2", folder+"/debug", "on")
	s.Await("(gdb 0-1) ", 1)
	s.Type("run\n")
	s.Await("has 42", 2)
	s.Type("\x03")
	s.Await("SIGINT", 1)
	s.Await("(gdb 0-1) ", 2)
	s.Type("z 1\n")
	s.Await("(gdb 1) ", 1)
	s.Type("continue\n")
	s.Await("Continuing.", 1)
	s.Type("z 0\n")
	s.Await("(gdb 0) ", 1)
	s.Type("up 100\n") // to main
	s.Type("print rank + 70\n")
	s.Await("[0] $1 = 70", 1)
	s.Type("z\n")
	s.Await("[1] running", 1)
	s.Type("\x03")
	s.Await("(gdb 0-1) ", 3)
	s.Type("quit\n")
	if code := s.End(); code != 0 {
		t.Errorf("exit code %d: %q", code, s.Screen())
	}
}

// TestGDBRefused has options that do not go together.
func TestGDBRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--debug", "3", "-n", "3"}, "mpiexec: option --debug: there is no rank 3 among 3\n"},
		{[]string{"--debug", "x", "-n", "3"}, `mpiexec: option --debug: "x" is no list of ranks such as 0,2-5` + "\n"},
		{[]string{"--gdb", "--trace", "x"}, "mpiexec: option --gdb: a debugger is no rank that can be recorded; leave out --trace\n"},
		{[]string{"--gdb", "--watch"}, "mpiexec: option --gdb: the terminal is the debugger's; gompi-top shows the job on another one\n"},
	} {
		r := programs.Try(t, folder, nil, append(append([]string{mpiexec}, c.args...), "./debug")...)
		if r.Code != 1 || r.Stderr != c.want {
			t.Errorf("%q: %+v", c.args, r)
		}
	}
	r := programs.Try(t, folder, []string{"PATH=" + t.TempDir()}, mpiexec, "--gdb", "-n", "1", "./debug")
	if r.Code != 127 || !strings.Contains(r.Stderr, `program "gdb" is neither in PATH nor`) {
		t.Errorf("without gdb: %+v", r)
	}
}

// TestMPIR is a parallel debugger: it stops mpiexec when the ranks are there, and finds them in its memory.
func TestMPIR(t *testing.T) {
	needGDB(t)
	script := filepath.Join(t.TempDir(), "script")
	text := `set language c
set startup-with-shell off
handle SIGURG nostop noprint pass
break main.main
run
set var *(int *)&MPIR_being_debugged = 1
break MPIR_Breakpoint
continue
printf "state %d, %d ranks\n", *(int *)&MPIR_debug_state, *(int *)&MPIR_proctable_size
set $table = *(char **)&MPIR_proctable
printf "%s %s %d.\n", *(char **)$table, *(char **)($table + 8), *(int *)($table + 16)
printf "%s %s %d.\n", *(char **)($table + 24), *(char **)($table + 32), *(int *)($table + 40)
printf "starter %d, partial %d\n", *(int *)&MPIR_i_am_starter, *(int *)&MPIR_partial_attach_ok
eval "shell tr '\\0' ' ' </proc/%d/cmdline; echo", *(int *)($table + 40)
continue
`
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := programs.Try(t, folder, nil, "gdb", "-nx", "-batch", "-x", script, "--args", mpiexec, "-n", "2", "./debug")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	one := regexp.QuoteMeta(host+" "+folder+"/debug") + ` \d+\.$`
	has(t, r.Stdout, `^state 1, 2 ranks$`, `^`+one, `^`+one, `^starter 1, partial 1$`, `^\./debug $`,
		`^rank [01] has 42$`, `^rank [01] has 42$`, `exited normally`)
	if strings.Contains(r.Stdout, "has 42\n") && strings.Index(r.Stdout, "has 42\n") < strings.Index(r.Stdout, "starter 1") {
		t.Errorf("ranks went on before the debugger did:\n%s", r.Stdout)
	}
}
