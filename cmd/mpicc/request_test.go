package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The flags for linking have to be there exactly when the compiler links, and
// those for compiling whenever it has something to do.
func TestWhenFlagsAreAdded(t *testing.T) {
	folder := t.TempDir()
	response := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return "@" + path
	}
	compiling := response("compiling", "-O2 -c 'a b.c'\n")
	linking := response("linking", "a.o\nb.o")
	options := response("options", "-O2 -Wall")
	nested := response("nested", compiling)
	circle := response("circle", "@"+filepath.Join(folder, "circle"))

	const none, compile, link = "", "I", "IL"
	for _, c := range []struct {
		args string
		want string
	}{
		{"", none},
		{"--version", none},
		{"-v", none},
		{"-dumpmachine", none},
		{"-print-file-name=libc.so", none},
		{"-o prog", none},
		{"-x c", none},
		{"-D file.c", none},
		{"-I dir -include head.h", none},

		{"prog.c", link},
		{"-o prog prog.c", link},
		{"prog.c -o prog", link},
		{"-v prog.c", link},
		{"-### prog.c", link},
		{"-MD -MF dep -MT target prog.c", link},
		{"-MMD prog.c", link},
		{"a.o b.o -o prog -lm", link},
		{"-o prog -lm", link},
		{"-o prog -l m", link},
		{"-o prog -Wl,main.o", link},
		{"-o prog -Xlinker main.o", link},
		{"-shared -fPIC -o lib.so a.o", link},
		{"-x c -", link},
		{"-x c head.h", link},
		{"-o -c prog.c", link},
		{"-MF -E prog.c", link},
		{"prog.c head.h", link},
		{"@nosuchfile", link},

		{"-c prog.c", compile},
		{"-c prog.c -lm", compile},
		{"-cprog.c", none}, // an option unknown to anyone, passed on as it is
		{"-S prog.c", compile},
		{"-E prog.c", compile},
		{"-E -x c -", compile},
		{"-M prog.c", compile},
		{"-MM prog.c", compile},
		{"-fsyntax-only prog.c", compile},
		{"prog.c -o prog.o -c", compile},
		{"-r a.o b.o -o both.o", compile},
		{"head.h", compile},
		{"-o head.gch head.hpp", compile},
		{"-x c-header head", compile},
		{"-xc++-header head.txt", compile},

		{compiling, compile},
		{nested, compile},
		{linking, link},
		{linking + " -o prog", link},
		{options, none},
		{options + " prog.c", link},
		{circle, link},
	} {
		r, err := parse(strings.Fields(c.args))
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		got := ""
		if r.compiles() {
			got += "I"
		}
		if r.links() {
			got += "L"
		}
		if got != c.want {
			t.Errorf("%q: added %q, want %q", c.args, got, c.want)
		}
		if !slices.Equal(r.args, strings.Fields(c.args)) {
			t.Errorf("%q: passed on as %q", c.args, r.args)
		}
	}
}

// What is the wrapper's own does not reach the compiler; what only looks like it
// does.
func TestOtherSources(t *testing.T) {
	response := filepath.Join(t.TempDir(), "words")
	if err := os.WriteFile(response, []byte("-O2 part.c"), 0o666); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]bool{
		"":                         false,
		"prog.f90 part.F part.o":   false,
		"-o prog.c prog.f":         false,
		"prog.f90 part.c":          true,
		"-c part.cc":               true,
		"-c part.S":                true,
		"-x c part":                true,
		"-xf95 part.c":             false,
		"-x f77-cpp-input part.c":  false,
		"-x f95 a -x none part.c":  true,
		"-x none prog.f90 -lother": false,
		"prog.f @" + response:      true,
	} {
		r, err := parse(strings.Fields(words))
		if err != nil {
			t.Fatal(err)
		}
		if r.work.others != want {
			t.Errorf("%q: sources of another language: %t", words, r.work.others)
		}
	}
}

func TestOwnOptions(t *testing.T) {
	for _, c := range []struct{ args, passed string }{
		{"-show prog.c", "prog.c"},
		{"--showme prog.c", "prog.c"},
		{"-cc=clang -c prog.c", "-c prog.c"},
		{"-cxx=clang++ --CC=CC prog.c", "prog.c"},
		{"-echo -mpi-abi -mpi_abi --nativelinking -static-mpi -static_mpi prog.c", "prog.c"},
		{"-profile=prof -config=gcc prog.c", "prog.c"},
		{"-v prog.c", "-v prog.c"},
		{"-Xlinker -show prog.c", "-Xlinker -show prog.c"},
		{"-o -help prog.c", "-o -help prog.c"},
		{"--config=clang.cfg prog.c", "--config=clang.cfg prog.c"},
		{"--help", "--help"},
		{"-help", ""},
		{"--help -show", "--help"},
		{"--help=warnings", "--help=warnings"},
		{"-std=c11 -D_X=1 prog.c", "-std=c11 -D_X=1 prog.c"},
	} {
		r, err := parse(strings.Fields(c.args))
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
		} else if got := strings.Join(r.args, " "); got != c.passed {
			t.Errorf("%q: passed on %q, want %q", c.args, got, c.passed)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, arg := range []string{
		"-showfoo", "--showfoo", "-show-foo", "-showme:foo", "-show:compile", "-showme=compile",
		"-cc=", "--cc= ", "-cxx=", "-config=", "-profile=",
	} {
		if _, err := parse([]string{arg, "prog.c"}); err == nil {
			t.Errorf("%s: no error", arg)
		} else if !strings.Contains(err.Error(), strings.TrimSpace(arg)) {
			t.Errorf("%s: the message does not name it: %v", arg, err)
		}
	}
}

func TestLanguageOfName(t *testing.T) {
	for name, want := range map[string]string{
		"mpicc": "C", "mpicc_abi": "C", "mpicc.gompi": "C", "mpigcc": "C", "cc": "C",
		"mpicxx": "C++", "mpic++": "C++", "mpiCC": "C++", "mpicxx_abi": "C++", "mpicxx.gompi": "C++", "mpiCC.gompi": "C++",
	} {
		if got := languageOf(name).name; got != want {
			t.Errorf("%s compiles %s, want %s", name, got, want)
		}
	}
}
