// Package examples compiles and runs the programs that docs/examples.md shows.
package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gompi/tests/programs"
)

// languages are those of the page, with the wrapper and the options under which a user may compile.
var languages = map[string][]string{
	"c":       {"mpicc", "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-x", "c"},
	"c++":     {"mpicxx", "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-x", "c++"},
	"fortran": {"mpifort", "-std=f2018", "-Wall", "-Werror", "-fcheck=all", "-ffree-form", "-x", "f95"},
}

// example is a section of the page.
type example struct {
	title  string
	ranks  string
	output string
	source map[string]string // by language
}

var (
	block = regexp.MustCompile("(?ms)^```(\\S+)\n(.*?)^```$")
	shown = regexp.MustCompile("(?m)^With `mpiexec -n (\\d+)`:\n\n((?:    .*\n)+)")
)

func read(t *testing.T) []example {
	t.Helper()
	page, err := os.ReadFile("../../docs/examples.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		e := example{title: title, source: map[string]string{}}
		for _, b := range block.FindAllStringSubmatch(text, -1) {
			e.source[b[1]] = b[2]
		}
		if m := shown.FindStringSubmatch(text + "\n"); m != nil {
			e.ranks = m[1]
			e.output = strings.ReplaceAll("\n"+m[2], "\n    ", "\n")[1:]
		}
		all = append(all, e)
	}
	return all
}

func TestExamples(t *testing.T) {
	bin, _ := filepath.Abs("../../build/bin")
	if _, err := os.Stat(filepath.Join(bin, "mpicc")); err != nil {
		t.Skip("no library is built: run make")
	}
	all := read(t)
	if len(all) < 5 {
		t.Fatalf("found %d examples only", len(all))
	}
	env := []string{"XDG_CACHE_HOME=" + t.TempDir()}
	for _, e := range all {
		if len(e.source) != len(languages) || e.ranks == "" {
			t.Errorf("%s: has %d languages and ranks %q", e.title, len(e.source), e.ranks)
		}
		for language, source := range e.source {
			t.Run(e.title+"/"+language, func(t *testing.T) {
				command, known := languages[language]
				if !known {
					t.Fatal("no language of the page")
				}
				if _, err := exec.LookPath("gfortran"); language == "fortran" && err != nil {
					t.Skip("no gfortran")
				}
				folder := t.TempDir()
				if err := os.WriteFile(filepath.Join(folder, "source"), []byte(source), 0o666); err != nil {
					t.Fatal(err)
				}
				wrapper := []string{filepath.Join(bin, command[0])}
				programs.Must(t, folder, env, slices.Concat(wrapper, command[1:], []string{"-o", "prog", "source"})...)
				got := programs.Must(t, folder, nil, filepath.Join(bin, "mpiexec"), "-n", e.ranks, "./prog")
				if got != e.output {
					t.Errorf("prints\n%sand not\n%s", got, e.output)
				}
			})
		}
	}
}
