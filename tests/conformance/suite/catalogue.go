package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Folders are the top folders that hold tests of the standard, in the order of a run.
var Folders = []string{
	"attr", "basic", "coll", "comm", "datatype", "errhan", "errors", "ft", "group", "info", "init", "io", "mpi_t", "part", "perf", "pt2pt",
	"rma", "session", "spawn", "threads", "topo", "f77", "f90", "f08", "cxx",
}

// Catalogue is the suite: its tests in the order of a run, and the recipes of their programs.
type Catalogue struct {
	Tests    []Test
	Excluded []Test            // that Exclude has taken out of Tests
	recipes  map[string]Recipe // by Test.Name
}

// Recipe says how the program of a test is built.
func (c *Catalogue) Recipe(t Test) Recipe { return c.recipes[t.Name()] }

// Read reads the suite that stands in root (the folder test/mpi of MPICH's source). The testlist additions,
// whose lines begin with "folder/program", names tests that the suite has no testlist for; it may be nil.
//
// Lines that differ only in variables of MPICH's inside become one test; the one that sets none is taken
// where there is one.
func Read(root fs.FS, additions io.Reader) (*Catalogue, error) {
	lines, err := readLists(root, additions)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{recipes: map[string]Recipe{}}
	at := map[string]int{} // index in c.Tests by ID
	tuned := map[string]bool{}
	for _, l := range lines {
		id := l.ID()
		i, seen := at[id]
		switch {
		case !seen:
			at[id] = len(c.Tests)
			c.Tests = append(c.Tests, l.Test)
			tuned[id] = l.tuned
		case tuned[id] && !l.tuned:
			c.Tests[i] = l.Test
			tuned[id] = false
		}
	}
	slices.SortStableFunc(c.Tests, func(a, b Test) int {
		return cmp.Or(cmp.Compare(LanguageOf(a.Folder).part(), LanguageOf(b.Folder).part()),
			folderOrder(a.Folder)-folderOrder(b.Folder))
	})
	return c, c.readRecipes(root)
}

// folderOrder gives the place of a folder's top folder in Folders.
func folderOrder(folder string) int {
	top, _, _ := strings.Cut(folder, "/")
	return slices.Index(Folders, top)
}

// readLists gathers the lines of all testlists, written and generated.
func readLists(root fs.FS, additions io.Reader) ([]line, error) {
	var lines []line
	for _, top := range Folders {
		more, err := readFolder(root, top)
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	generated := []struct {
		name  string
		parse func(io.Reader) ([]line, error)
	}{{"maint/dtp-test-config.txt", datatypeLists}, {"maint/coll_cvars.txt", algorithmLists}}
	for _, g := range generated {
		more, err := parseFile(root, g.name, g.parse)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		lines = append(lines, more...)
	}
	if additions != nil {
		more, err := parseTestlist(additions, "", func(string) bool { return false })
		if err != nil {
			return nil, fmt.Errorf("additions: %w", err)
		}
		for i := range more {
			folder, program := path.Split(more[i].Program)
			more[i].Folder, more[i].Program = path.Clean(folder), program
		}
		lines = append(lines, more...)
	}
	return slices.DeleteFunc(lines, func(l line) bool { return folderOrder(l.Folder) < 0 }), nil
}

// readFolder reads the testlists of a folder and of all below it.
func readFolder(root fs.FS, folder string) ([]line, error) {
	entries, err := fs.ReadDir(root, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var lines []line
	for _, name := range []string{"testlist.in", "testlist"} { // the first is the source of the second
		more, err := parseFile(root, path.Join(folder, name), func(r io.Reader) ([]line, error) {
			return parseTestlist(r, folder, func(name string) bool {
				info, err := fs.Stat(root, path.Join(folder, name))
				return err == nil && info.IsDir()
			})
		})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		lines = more
		break
	}
	for _, e := range entries {
		if e.IsDir() {
			more, err := readFolder(root, path.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			lines = append(lines, more...)
		}
	}
	return lines, nil
}

// readRecipes reads the Makefile.am of every folder that has tests.
func (c *Catalogue) readRecipes(root fs.FS) error {
	driven, err := parseFile(root, "maint/all_mpitests.txt", drivenPrograms)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	makefiles := map[string]*makefile{}
	for _, t := range c.Tests {
		m, ok := makefiles[t.Folder]
		if !ok {
			var err error
			if m, err = parseFile(root, path.Join(t.Folder, "Makefile.am"), parseMakefile); err != nil {
				return err
			}
			makefiles[t.Folder] = m
		}
		r := m.recipe(t.Program)
		r.Driver = driven[t.Name()]
		c.recipes[t.Name()] = r
	}
	return nil
}

// parseFile opens a file, has it parsed, and puts its name in front of an error.
func parseFile[T any](root fs.FS, name string, parse func(io.Reader) (T, error)) (T, error) {
	f, err := root.Open(name)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	v, err := parse(f)
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}
