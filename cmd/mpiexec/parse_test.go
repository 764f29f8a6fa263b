package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gompi/launch/process"
)

func specOf(t *testing.T, line ...string) (*commandLine, []program) {
	t.Helper()
	l, err := parse(line)
	if err != nil {
		t.Fatalf("parse(%q): %v", line, err)
	}
	return l, l.programs
}

func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		line string
		want []program
	}{
		{"-n 4 ./prog -n 5", []program{{ranks: 4, argv: []string{"./prog", "-n", "5"}, touched: true}}},
		{"--np=4 prog", []program{{ranks: 4, argv: []string{"prog"}, touched: true}}},
		{"-NP 2 prog", []program{{ranks: 2, argv: []string{"prog"}, touched: true}}},
		{"-c 2 prog", []program{{ranks: 2, argv: []string{"prog"}, touched: true}}},
		{"prog", []program{{argv: []string{"prog"}}}},
		{"-n 1 a x : -n 3 b y", []program{{ranks: 1, argv: []string{"a", "x"}, touched: true}, {ranks: 3,
			argv: []string{"b", "y"}, touched: true}}},
		{"-wdir / -n 1 a : b", []program{{ranks: 1, dir: "/", argv: []string{"a"}, touched: true}, {argv: []string{"b"}}}},
		{"-n 2 -- -odd", []program{{ranks: 2, argv: []string{"-odd"}, touched: true}}},
		// Options that make no difference, with the right number of arguments.
		{"--oversubscribe --allow-run-as-root --mca btl self,vader -mca a b --bind-to none --map-by=slot -ppn 4 -n 2 p",
			[]program{{ranks: 2, perNode: 4, argv: []string{"p"}, touched: true}}},
		{"-launcher fork -iface lo -bind-to core -rmk user -genvall -envall -n 2 p", []program{{ranks: 2, argv: []string{"p"}, touched: true}}},
		{"-N 2 -H localhost:4 -host localhost,127.0.0.1 -n 2 p", []program{{ranks: 2, perNode: 2,
			hosts: []hostEntry{{name: "localhost", slots: 6}}, argv: []string{"p"}, touched: true}}},
		{"--bind-to-core --report-bindings -v -q --merge-stderr-to-stdout -n 2 p", []program{{ranks: 2, argv: []string{"p"}, touched: true}}},
	} {
		_, got := specOf(t, strings.Fields(c.line)...)
		if len(got) != len(c.want) {
			t.Errorf("%q: %d programs, want %d", c.line, len(got), len(c.want))
			continue
		}
		for i := range got {
			got[i].env = envEdit{}
			if !reflect.DeepEqual(got[i], c.want[i]) {
				t.Errorf("%q: program %d is %+v, want %+v", c.line, i, got[i], c.want[i])
			}
		}
	}
}

func TestEveryOptionTakesItsArguments(t *testing.T) {
	l := &commandLine{tables: tables()}
	seen := map[string]bool{}
	for _, table := range l.tables {
		for _, o := range table {
			for _, name := range o.names {
				if seen[name] {
					t.Errorf("option %s stands twice in the tables", name)
				}
				seen[name] = true
				if o.refuse != "" {
					if _, err := l.option("--"+name, []string{"a"}); err == nil ||
						!strings.Contains(err.Error(), o.refuse) {
						t.Errorf("option %s: %v", name, err)
					}
				} else if o.apply == nil {
					used, err := l.option("--"+name, []string{"a", "b", "c"})
					if err != nil || used != o.args {
						t.Errorf("option %s took %d arguments (%v), want %d", name, used, err, o.args)
					}
				}
			}
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "no program"},
		{"-n 2", "program is missing after the options"},
		{"-n 2 a :", "missing after the last"},
		{": a", "missing ahead of"},
		{"-n 0 a", `"0" is not a number of ranks`},
		{"-n -3 a", `"-3" is not a number of ranks`},
		{"-n x a", `"x" is not a number of ranks`},
		{"-n", "needs an argument"},
		{"-ppn 0 a", `"0" is not a number of ranks`},
		{"--map-by ppr:x:node a", `"x" is not a number of ranks`},
		{"--mca a", "needs 2 arguments"},
		{"-env A", "needs 2 arguments"},
		{"-env =b a", "name of a variable is empty"},
		{"--oversubscribe=1 a", "takes no value"},
		{"-oversubscirbe a", "did you mean -oversubscribe?"},
		{"--timeuot 3 a", "did you mean -timeout?"},
		{"-gevn A B a", "did you mean -genv?"},
		{"--zzzzzzzzz a", "unknown option --zzzzzzzzz; -h"},
		{"-wdir /no/such/dir a", "no directory"},
		{"--timeout soon a", "not a number of seconds"},
		{"--timeout -1 a", "not a number of seconds"},
		{"-host a:x p", `"x" is not a number of slots`},
		{"-host -oProxyCommand=x p", `is no name of a host`},
		{"-hostfile /no/such/file a", "cannot be read"},
		{"-configfile /no/such/file", "cannot be read"},
		{"-outfile-pattern out.%z a", "after % may come"},
		{"-tv a", "option -tv: start the debugger itself"},
		{"--max-restarts 2 a", "a rank that has died is not started again"},
		{"--with-ft lfm a", `"lfm" is neither "ulfm" nor "none"`},
		{"-nolocal a", "hosts are chosen by -hosts"},
		{"--bind-to moon a", `"moon" is none of none, hwthread`},
		{"--bind-to core:x a", `unknown word "x"`},
		{"--map-by moon a", `"moon" is none of slot`},
		{"--map-by ppr:2 a", "not of the form ppr:N:KIND"},
		{"--map-by socket:PE=0 a", "not a number of processors"},
		{"--cpu-list 3-1 a", "no list of processors"},
		{"--cpu-list 0-99999999999 a", "no list of processors"},
		{"--output tags a", `"tags" is none of tag`},
		{"--display maps a", `"maps" is none of map`},
		{"--runtime-options max-restarts=2 a", "a rank that has died is not started again"},
		{"--arch z80 a", `"z80" is not this machine's`},
		{"-soft 3:1 a", "no number of processes"},
		{"-soft x a", "not a set of numbers"},
		{"--stdin all a", `neither a rank nor "none"`},
	} {
		if _, err := parse(strings.Fields(c.line)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.line, err, c.want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	own := []string{"PATH=/bin", "HOME=/root", "A=old"}
	for _, c := range []struct {
		line string
		want []string
	}{
		{"p", own},
		{"-env A new p", []string{"PATH=/bin", "HOME=/root", "A=new"}},
		{"-env A=new p", []string{"PATH=/bin", "HOME=/root", "A=new"}},
		{"-genv B=1=2 p", []string{"PATH=/bin", "HOME=/root", "A=old", "B=1=2"}},
		{"-genv A 1 -env A 2 p", []string{"PATH=/bin", "HOME=/root", "A=2"}},
		{"-env A 2 -genv A 1 p", []string{"PATH=/bin", "HOME=/root", "A=2"}},
		{"-x A p", own},
		{"-x A=3,4 p", []string{"PATH=/bin", "HOME=/root", "A=3,4"}},
		{"-genvnone p", nil},
		{"-envlist PATH,A p", []string{"PATH=/bin", "A=old"}},
		{"-envnone -x HOME -env Z 1 p", []string{"HOME=/root", "Z=1"}},
		{"-genvnone -genvall p", own},
	} {
		l, programs := specOf(t, strings.Fields(c.line)...)
		if got := build(own, l.globalEnv, programs[0].env); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.line, got, c.want)
		}
	}
}

func TestSpec(t *testing.T) {
	t.Setenv("MPIEXEC_TIMEOUT", "7")
	l, _ := specOf(t, "-l", "-usize", "9", "-outfile-pattern", "o.%r.%o.%%", "-n", "3", "p", ":", "-n", "2", "q")
	s, err := l.spec("mpiexec")
	if err != nil {
		t.Fatal(err)
	}
	if s.Size() != 5 || s.UniverseSize != 9 || s.Timeout != 7*time.Second || s.StdinRank != 0 {
		t.Errorf("spec %+v", s)
	}
	for option, want := range map[string]int{"system": max(3, process.UsableCores()), "infinite": -1, "2": 2} {
		l, _ := specOf(t, "-usize", option, "-n", "3", "p")
		if s, err := l.spec("mpiexec"); err != nil || s.UniverseSize != want {
			t.Errorf("-usize %s: %+v, %v", option, s, err)
		}
	}
	l, _ = specOf(t, "-n", "1", "p")
	if s, err := l.spec("mpiexec"); err != nil || s.UniverseSize != process.UsableCores() {
		t.Errorf("universe of one rank: %+v, %v", s, err)
	}
	if got := s.Label("4", "", true); got != "[4] " {
		t.Errorf("label %q", got)
	}
	if got := s.OutputFile("2", "", false); got != "o.2.stdout.%" {
		t.Errorf("file %q", got)
	}
	if got := s.OutputFile("2", "", true); got != "" {
		t.Errorf("file for errors %q", got)
	}
	l, _ = specOf(t, "--timeout", "2.5", "--stdin", "none", "p")
	if s, err = l.spec("mpiexec"); err != nil || s.Timeout != 2500*time.Millisecond || s.StdinRank != -1 ||
		s.Size() < 1 {
		t.Errorf("spec %+v, %v", s, err)
	}
	l, _ = specOf(t, "--stdin", "3", "-n", "2", "p")
	if _, err := l.spec("mpiexec"); err == nil {
		t.Error("standard input for a rank that does not exist")
	}
	l, _ = specOf(t, "-n", "4000", "p", ":", "-n", "4000", "p")
	if _, err := l.spec("mpiexec"); err == nil {
		t.Error("8000 ranks on one machine")
	}
	t.Setenv("MPIEXEC_TIMEOUT", "often")
	l, _ = specOf(t, "p")
	if _, err := l.spec("mpiexec"); err == nil {
		t.Error("a bad MPIEXEC_TIMEOUT is taken")
	}
}

func TestConfigFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "job")
	text := "# a comment\n-n 1 ./a 'one word' \"two \\\" words\" x\\ y # the rest\n\n-n 2 \\\n  ./b ''\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, got := specOf(t, "-configfile", file)
	want := [][]string{{"./a", "one word", `two " words`, "x y"}, {"./b", ""}}
	if len(got) != 2 || !reflect.DeepEqual(got[0].argv, want[0]) ||
		!reflect.DeepEqual(got[1].argv, want[1]) || got[1].ranks != 2 {
		t.Errorf("programs %+v", got)
	}
	if err := os.WriteFile(file, []byte("-n 1 ./a\n-n 2 'open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := parse([]string{"-configfile", file}); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("an open quotation mark: %v", err)
	}
}

func TestHostFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	os.WriteFile(file, []byte("# mine\nlocalhost slots=4\n127.0.0.1:2\n\n"), 0o600)
	specOf(t, "-f", file, "p")
	for text, want := range map[string]int{
		"localhost slots=3\n":                           3,
		"localhost:5 # six\n":                           5,
		"localhost\nlocalhost\n127.0.0.1 max-slots=9\n": 3,
		"localhost slots=4 max_slots=8\n127.0.0.1\n":    5,
		"localhost\n":                                   process.UsableCores(),
		"":                                              process.UsableCores(),
	} {
		os.WriteFile(file, []byte(text), 0o600)
		if l, p := specOf(t, "-machinefile", file, "p"); l.size(&p[0]) != want {
			t.Errorf("%q: %d ranks, want %d", text, l.size(&p[0]), want)
		}
	}
	os.WriteFile(file, []byte("localhost\n10.1.2.3 slots=x\n"), 0o600)
	if _, err := parse([]string{"--hostfile", file, "p"}); err == nil || !strings.Contains(err.Error(), file+":2: \"x\" is not a number of slots") {
		t.Errorf("another host: %v", err)
	}
}

// TestSizeWithoutCount holds how many ranks start when -n does not say it: as under the launchers whose
// options these are.
func TestSizeWithoutCount(t *testing.T) {
	for line, want := range map[string]int{
		"p": process.UsableCores(), "-ppn 4 p": 4, "-N 3 p": 3, "--npernode 5 p": 5, "-pernode p": 1, "-rr p": 1,
		"--map-by ppr:4:node p": 4, "--map-by ppr:6:node:PE=2 p": 6,
		"--map-by node p": process.UsableCores(), "--map-by ppr:1:core p": process.UsableCores(),
		"-host localhost p": 1, "-H localhost,localhost,127.0.0.1 p": 3, "-hosts localhost:4 p": 4, "-host localhost:2,localhost p": 3, "-host ::1 p": 1,
		"-host localhost:8 -npernode 2 p": 2, "-host localhost:8 -n 3 p": 3, "-ppn 7 -np 2 p": 2,
	} {
		if l, got := specOf(t, strings.Fields(line)...); l.size(&got[0]) != want {
			t.Errorf("%q: %d ranks, want %d", line, l.size(&got[0]), want)
		}
	}
	l, got := specOf(t, strings.Fields("-ppn 3 a : b : -pernode c")...)
	if l.size(&got[0]) != 3 || l.size(&got[1]) != process.UsableCores() || l.size(&got[2]) != 1 {
		t.Errorf("the options of one program count for another: %+v", got)
	}
}

func TestHelpNamesEveryWorkingOption(t *testing.T) {
	var out strings.Builder
	printHelp(&out, "mpiexec")
	for _, want := range []string{"-n N", "-wdir", "-genv", "--timeout", "-l ", "--version", "-configfile"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the manual does not mention %s", want)
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if len(line) > 120 {
			t.Errorf("line of %d letters: %q", len(line), line)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add("-n 4 ./prog : -n 2 b")
	f.Add("-env A=b --mca a b -np=3 --")
	f.Add("- -- --=x -=")
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "file") || strings.Contains(line, "app") {
			return // reads files
		}
		l, err := parse(strings.Fields(line))
		if err == nil && !l.help && !l.version && len(l.programs) == 0 {
			t.Fatalf("%q: neither a program nor an error", line)
		}
	})
}

func TestLibraryForPython(t *testing.T) {
	library := filepath.Join(t.TempDir(), "libmpi_abi.so.1")
	own := []string{"PATH=/bin"}
	if got := withLibrary(own, library); !reflect.DeepEqual(got, own) {
		t.Errorf("a library that is not there: %q", got)
	}
	os.WriteFile(library, nil, 0o600)
	if got := withLibrary(own, library); !reflect.DeepEqual(got, []string{"PATH=/bin", "MPI4PY_LIBMPI=" + library}) {
		t.Errorf("environment %q", got)
	}
	for _, chosen := range []string{"MPI4PY_MPIABI=mpich", "MPI4PY_LIBMPI=/other.so"} {
		if got := withLibrary([]string{chosen}, library); !reflect.DeepEqual(got, []string{chosen}) {
			t.Errorf("the user chose %s: %q", chosen, got)
		}
	}
}
