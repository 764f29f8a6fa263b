package wrappers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every query, under every name, with one and with two dashes: the exact answer
// on stdout, nothing on stderr, exit code 0.
func TestQueries(t *testing.T) {
	inc, lib, bin := standIn+"/include", standIn+"/lib", standIn+"/bin"
	compile, link := "-I"+inc, "-L"+lib+" -Wl,-rpath,"+lib+" -lmpi_abi"
	for _, names := range [][]string{cNames, cxxNames} {
		for _, name := range names {
			cc, language := "gcc", "C"
			if names[0] == "mpicxx" {
				cc, language = "g++", "C++"
			}
			for query, want := range map[string]string{
				"show":                    cc + " " + compile + " " + link,
				"showme":                  cc + " " + compile + " " + link,
				"show prog.c -o prog":     cc + " " + compile + " prog.c -o prog " + link,
				"showme -c prog.c":        cc + " " + compile + " -c prog.c",
				"show -E prog.c":          cc + " " + compile + " -E prog.c",
				"compile_info":            cc + " " + compile,
				"compile-info":            cc + " " + compile,
				"show-compile-info":       cc + " " + compile,
				"show_compile_info":       cc + " " + compile,
				"compile_info prog.c":     cc + " " + compile + " prog.c",
				"link_info":               cc + " " + compile + " " + link,
				"link-info":               cc + " " + compile + " " + link,
				"show-link-info":          cc + " " + compile + " " + link,
				"showme:compile":          compile,
				"showme:link":             link,
				"showme:command":          cc,
				"showme:incdirs":          inc,
				"showme:incdir":           inc,
				"show-incdir":             inc,
				"showme:libdirs":          lib,
				"showme:libdir":           lib,
				"show-libdir":             lib,
				"showme:rpath":            lib,
				"show-rpath":              lib,
				"showme:bindir":           bin,
				"show-bindir":             bin,
				"showme:libs":             "mpi_abi",
				"show-libs":               "mpi_abi",
				"showme:version":          name + ": gompi 0.1.0 (Language: " + language + ")",
				"show -cc=clang":          "clang " + compile + " " + link,
				"show -profile=prof a.o":  cc + " " + compile + " a.o -L" + lib + " -lprof " + link,
				"showme:link prog.c -lm":  link,
				"mpi-abi -showme:compile": compile,
				"static-mpi -show a.o":    cc + " " + compile + " a.o " + link,
				"nativelinking -show":     cc + " " + compile + " " + link,
				"showme:compile -mpi_abi": compile,
			} {
				for _, dashes := range []string{"-", "--"} {
					command := append([]string{bin + "/" + name}, strings.Fields(dashes+query)...)
					env := []string(nil)
					if strings.Contains(query, "clang") {
						env = append(env, "PATH="+t.TempDir())
						write(t, strings.TrimPrefix(env[0], "PATH="), "clang", "", 0o755)
					}
					r := try(t, ".", env, command...)
					if r.Stdout != want+"\n" || r.Stderr != "" || r.Code != 0 {
						t.Errorf("%s %s%s prints\n%s%swith exit code %d, want\n%s", name, dashes, query, r.Stdout, r.Stderr, r.Code, want)
					}
				}
			}
		}
	}
}

func TestHelp(t *testing.T) {
	for _, query := range []string{"-help", "-showme:help", "--showme:help"} {
		r := try(t, ".", nil, standIn+"/bin/mpicxx", query)
		if r.Code != 0 || r.Stderr != "" || !strings.Contains(r.Stdout, "mpicxx compiles") ||
			!strings.Contains(r.Stdout, "-showme:link") {
			t.Errorf("%s: exit code %d, prints\n%s%s", query, r.Code, r.Stdout, r.Stderr)
		}
		if strings.ContainsAny(r.Stdout, "{}") {
			t.Errorf("%s: a placeholder is left:\n%s", query, r.Stdout)
		}
	}
}

// --help is the compiler's, under every name: PETSc's configure tells the compilers apart by it.
func TestCompilersHelp(t *testing.T) {
	for _, names := range [][]string{cNames, cxxNames, fortran} {
		for _, name := range names {
			cc := must(t, ".", standIn+"/bin/"+name, "-showme:command")
			want := must(t, ".", strings.TrimSpace(cc), "--help")
			if got := must(t, ".", standIn+"/bin/"+name, "--help"); got != want {
				t.Errorf("%s --help prints\n%s, want\n%s", name, got, want)
			}
		}
	}
}

func TestUnknownQueriesFail(t *testing.T) {
	for _, query := range []string{"-showfoo", "--showfoo", "-show-foo", "-showme:foo", "--cray-print-opts=cflags"} {
		r := try(t, ".", nil, standIn+"/bin/mpicc", query)
		if r.Code == 0 || r.Stdout != "" || r.Stderr == "" {
			t.Errorf("%s: exit code %d, prints %q and %q", query, r.Code, r.Stdout, r.Stderr)
		}
	}
}

// -v says who we are in the first line, where Meson looks, then lets the compiler
// do the same.
func TestVersion(t *testing.T) {
	r := try(t, ".", nil, standIn+"/bin/mpicc", "-v")
	if r.Code != 0 || r.Stdout != "mpicc for gompi version 0.1.0\n" || !strings.Contains(r.Stderr, "gcc version") {
		t.Errorf("exit code %d, prints\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	r = try(t, ".", nil, standIn+"/bin/mpicc", "--version")
	if r.Code != 0 || !strings.HasPrefix(r.Stdout, "gcc ") {
		t.Errorf("--version: exit code %d, prints\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	// With work to do stdout belongs to the compiler.
	r = try(t, ".", nil, standIn+"/bin/mpicc", "-v", "-E", "-P", "-x", "c", "/dev/null")
	if r.Code != 0 || strings.TrimSpace(r.Stdout) != "" || !strings.Contains(r.Stderr, "mpicc for gompi version") {
		t.Errorf("-v -E: exit code %d, prints %q on stdout", r.Code, r.Stdout)
	}
}

// The patterns by which Meson's dependency('mpi') reads the answers.
func TestMesonReadsTheAnswers(t *testing.T) {
	for _, name := range []string{"mpicc", "mpicxx"} {
		version := must(t, ".", standIn+"/bin/"+name, "--showme:version")
		if !regexp.MustCompile(`\d+\.\d+\.\d+`).MatchString(version) {
			t.Errorf("no version of three numbers in %q", version)
		}
		for _, query := range []string{"--showme:compile", "-compile_info", "-show-compile-info"} {
			if words := strings.Fields(must(t, ".", standIn+"/bin/"+name,
				query)); words[len(words)-1] != "-I"+standIn+"/include" {
				t.Errorf("%s: no -I at the end of %q", query, words)
			}
		}
		for _, query := range []string{"--showme:link", "-link_info", "-show-link-info"} {
			words := strings.Fields(must(t, ".", standIn+"/bin/"+name, query))
			if words[len(words)-1] != "-lmpi_abi" {
				t.Errorf("%s: no -l at the end of %q", query, words)
			}
		}
	}
}

func TestMeson(t *testing.T) {
	needs(t, "meson")
	folder := t.TempDir()
	for _, file := range []string{"hello.c", "hello.cc", "meson/meson.build"} {
		must(t, ".", "cp", "testdata/"+file, folder)
	}
	bin := filepath.Join(standIn, "bin")
	env := []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"),
		"MPICC=" + bin + "/mpicc", "MPICXX=" + bin + "/mpicxx",
		// Meson asks pkg-config for Open MPI's ompi-c before it looks at any wrapper.
		"PKG_CONFIG_LIBDIR=" + standIn + "/lib/pkgconfig",
	}
	for _, command := range [][]string{{"meson", "setup", "build"}, {"meson", "test", "-C", "build"}} {
		r := try(t, folder, env, command...)
		if r.Code != 0 {
			t.Fatalf("%q: exit code %d\n%s%s", command, r.Code, r.Stdout, r.Stderr)
		}
	}
	out := must(t, folder, "build/hello_cxx")
	if out != "hello on gompi\n" {
		t.Errorf("prints %q", out)
	}
}
