package suite

import (
	"bufio"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Recipe says how a program is built. The support code that every program is linked with (util/, dtpools/) is
// not part of it.
type Recipe struct {
	Sources []string // relative to the folder of the program, or generated there
	Defines []string // preprocessor options, such as "-DUSE_MTEST_NBC"
	Threads bool     // linked with the suite's thread support
	Dtypes  bool     // linked with util/dtypes.c
	Driver  bool     // has no main, but a function that util/run_mpitests.c calls
}

// makefile is what a Makefile.am says, as far as programs are concerned.
type makefile struct {
	variables map[string][]string
	copies    map[string]string // what a source is a copy of, relative to the folder
	threads   bool
}

var (
	assignment = regexp.MustCompile(`^(\w+)\s*(\+?=)\s*(.*)$`)
	copied     = regexp.MustCompile(`^(\w+\.c):\s*\$\(srcdir\)/(\S+\.c)\s*$`)
	notInName  = regexp.MustCompile(`[^A-Za-z0-9_@]`)
)

// parseMakefile reads a Makefile.am. Conditionals are passed over: both branches count, since they only leave
// out programs.
func parseMakefile(r io.Reader) (*makefile, error) {
	m := &makefile{variables: map[string][]string{}, copies: map[string]string{}}
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
		if c := copied.FindStringSubmatch(text); c != nil {
			m.copies[c[1]] = c[2]
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

// sourceEndings are those of files that are compiled.
var sourceEndings = []string{".c", ".f", ".f90", ".cxx"}

// recipe says how the named program is built; a program without sources of its own is built from the file of
// its name.
func (m *makefile) recipe(program string) Recipe {
	name := notInName.ReplaceAllString(program, "_")
	r := Recipe{Threads: m.threads}
	for _, variable := range []string{name + "_SOURCES", "nodist_" + name + "_SOURCES"} { // the second is generated
		for _, s := range m.variables[variable] {
			if slices.Contains(sourceEndings, path.Ext(s)) {
				r.Sources = append(r.Sources, s)
			}
		}
	}
	if len(r.Sources) == 0 {
		ending := ".c"
		if stated := m.variables["AM_DEFAULT_SOURCE_EXT"]; len(stated) > 0 {
			ending = stated[0]
		}
		r.Sources = []string{program + ending}
	}
	for i, s := range r.Sources {
		if from, ok := m.copies[s]; ok {
			r.Sources[i] = from
		}
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
