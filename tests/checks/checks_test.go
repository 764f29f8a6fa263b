// Package checks starts programs that are wrong, each in another way, and compares what GOMPI_CHECK=all says
// of them; and their twins that are right, of which it must say nothing.
package checks

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	built "gompi/tests/programs"
)

// The launcher, the folder of the programs, built once, and the lines of their sources that carry a mark, by
// file and mark.
var (
	mpiexec, programs string
	marks             = map[string]int{}
)

func TestMain(m *testing.M) {
	os.Exit(built.Run(func(bin, folder string) int {
		mpiexec, programs = filepath.Join(bin, "mpiexec"), folder
		sources, _ := filepath.Glob("testdata/*.c")
		for _, source := range sources {
			if err := readMarks(source); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
		flag.Parse()
		return m.Run()
	}, "-g", "-I../hangs/testdata"))
}

// mark is what a line of a source is called: "/* @name */" at its end.
var mark = regexp.MustCompile(`/\* (@[a-z-]+) \*/`)

func readMarks(source string) error {
	text, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(text), "\n") {
		if m := mark.FindStringSubmatch(line); m != nil {
			marks[filepath.Base(source)+":"+m[1]] = i + 1
		}
	}
	return nil
}

// marked is a mark in the text that is wanted: "ring.c:@wait".
var marked = regexp.MustCompile(`[a-z]+\.c:@[a-z-]+`)

// lines are the lines that are wanted with the numbers of the source.
func lines(t *testing.T, want []string) []string {
	t.Helper()
	var all []string
	for _, line := range want {
		all = append(all, marked.ReplaceAllStringFunc(line, func(m string) string {
			n, ok := marks[m]
			if !ok {
				t.Fatalf("no line is called %s", m)
			}
			file, _, _ := strings.Cut(m, "@")
			return file + strconv.Itoa(n)
		}))
	}
	return all
}

// changing is what differs from run to run.
var changing = regexp.MustCompile(` \(pid [0-9]+\)|0x[0-9a-f]{6,}|\bthread [0-9]+`)

// said runs a case, "program case", and is what the library has said of it: lines without what they begin
// with, in order.
func said(t *testing.T, ranks int, what, checks string, options ...string) (all []string, err error) {
	t.Helper()
	words := strings.Fields(what)
	args := append([]string{"-n", strconv.Itoa(ranks), "--timeout", "60"}, options...)
	cmd := exec.Command(mpiexec, append(append(args, filepath.Join(programs, words[0])), words[1:]...)...)
	cmd.Dir = t.TempDir() // cases run side by side, and those of a program open the same file
	cmd.Env = append(os.Environ(), "GOMPI_CHECK="+checks)
	out, err := cmd.CombinedOutput()
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		line = changing.ReplaceAllString(line, "")
		if line = strings.TrimPrefix(line, "gompi: "); line != "" {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all, err
}

// wrong is a program that is not right, and all that has to be said of it. Where several ranks end the job,
// what one of them says may come too late.
type wrong struct {
	ranks int
	what  string
	want  []string
}

// fatal reports whether a line is that of an error that ends the job.
func fatal(line string) bool { return !strings.Contains(line, "GOMPI_CHECK=") }

// find runs programs with all checks and compares the lines.
func find(t *testing.T, cases []wrong) {
	t.Helper()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.what, " ", "/"), func(t *testing.T) {
			t.Parallel()
			want := lines(t, c.want)
			slices.Sort(want)
			got, _ := said(t, c.ranks, c.what, "all")
			if slices.ContainsFunc(got, fatal) {
				want = slices.DeleteFunc(want, func(line string) bool { return !slices.Contains(got, line) })
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
			}
		})
	}
}

// pass runs programs that are right: nothing may be said of them.
func pass(t *testing.T, ranks int, what ...string) {
	t.Helper()
	for _, w := range what {
		t.Run(strings.ReplaceAll(w, " ", "/"), func(t *testing.T) {
			t.Parallel()
			if got, err := said(t, ranks, w, "all"); err != nil || len(got) > 0 {
				t.Errorf("%v\n\t%s", err, strings.Join(got, "\n\t"))
			}
		})
	}
}
