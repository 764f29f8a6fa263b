package suite

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Recipe says how a program is built. The support code that every program is linked with (util/, dtpools/) is
// not part of it.
type Recipe struct {
	Sources []string // C files, relative to the folder of the program
	Defines []string // preprocessor options, such as "-DUSE_MTEST_NBC"
	Threads bool     // linked with the suite's thread support
	Dtypes  bool     // linked with util/dtypes.c
}

// makefile is what a Makefile.am says, as far as C programs are concerned.
type makefile struct {
	variables map[string][]string
	threads   bool
}

var (
	assignment = regexp.MustCompile(`^(\w+)\s*(\+?=)\s*(.*)$`)
	notInName  = regexp.MustCompile(`[^A-Za-z0-9_@]`)
)

// parseMakefile reads a Makefile.am. Conditionals are passed over: both branches count, since they only leave
// out programs.
func parseMakefile(r io.Reader) (*makefile, error) {
	m := &makefile{variables: map[string][]string{}}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		text := sc.Text()
		for strings.HasSuffix(text, `\`) {
			text = strings.TrimSuffix(text, `\`)
			if !sc.Scan() {
				break
			}
			text += " " + sc.Text()
		}
		text, _, _ = strings.Cut(text, "#")
		if strings.HasPrefix(text, "include") && strings.Contains(text, "Makefile_threads.mtest") {
			m.threads = true
		}
		a := assignment.FindStringSubmatch(text)
		if a == nil {
			continue
		}
		words := strings.Fields(a[3])
		if a[2] == "+=" {
			words = append(m.variables[a[1]], words...)
		}
		m.variables[a[1]] = words
	}
	return m, sc.Err()
}

// recipe says how the named program is built; a program without sources of its own is built from the C file
// of its name.
func (m *makefile) recipe(program string) Recipe {
	name := notInName.ReplaceAllString(program, "_")
	r := Recipe{Threads: m.threads}
	for _, s := range m.variables[name+"_SOURCES"] {
		if strings.HasSuffix(s, ".c") {
			r.Sources = append(r.Sources, s)
		}
	}
	if len(r.Sources) == 0 {
		r.Sources = []string{program + ".c"}
	}
	for _, variable := range []string{"AM_CPPFLAGS", name + "_CPPFLAGS", name + "_CFLAGS"} {
		for _, w := range m.variables[variable] {
			if strings.HasPrefix(w, "-D") && !slices.Contains(r.Defines, w) {
				r.Defines = append(r.Defines, w)
			}
		}
	}
	r.Dtypes = slices.Contains(m.variables[name+"_LDADD"], "$(LDADDDATA)")
	return r
}
