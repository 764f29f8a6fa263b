// Command apigen writes everything that follows from the description in api/: include/mpi.h, the bindings of
// Fortran and C++, the C stubs, the Go exports and the version script in capi/, the table of error classes in
// runtime/mpierr, docs/coverage.md, and calls of every function for tests/c and tests/fortran. It knows the
// form of the interface, not what any function does.
//
//	apigen ROOT
//	apigen manual ROOT HELP OUT VERSION DATE
//
// The second form writes the manual below the folder OUT; HELP is a folder with the help of each command.
//
// An operation is implemented when package mpi has a function of its name; see implemented.go.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"gompi/api"
)

func main() {
	if len(os.Args) == 7 && os.Args[1] == "manual" {
		if err := writeManual(os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]); err != nil {
			fmt.Fprintln(os.Stderr, "apigen:", err)
			os.Exit(1)
		}
		return
	}
	root := ".."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	files, err := generate(root)
	if err == nil {
		err = write(root, files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "apigen:", err)
		os.Exit(1)
	}
}

// generate makes the content of every generated file, by path below the root of the tree.
func generate(root string) (map[string]string, error) {
	d, err := api.Load()
	if err != nil {
		return nil, err
	}
	done, err := implemented(d, filepath.Join(root, "mpi"))
	if err != nil {
		return nil, err
	}
	g := generator{Description: d, done: done, files: map[string]string{}}
	if err := g.checkNames(); err != nil {
		return nil, err
	}
	g.header()
	g.versionScript()
	g.classes()
	g.coverage()
	g.settings()
	g.fuzz()
	g.fortran()
	if err := g.cxx(root); err != nil {
		return nil, err
	}
	g.trace()
	if err := g.calls(root); err != nil {
		return nil, err
	}
	if err := g.fortranCalls(root); err != nil {
		return nil, err
	}
	if err := g.addresses(); err != nil {
		return nil, err
	}
	for _, c := range d.Chapters {
		g.stubs(c)
		if err := g.exports(c); err != nil {
			return nil, err
		}
	}
	return g.files, nil
}

// generator collects the files.
type generator struct {
	*api.Description
	done  map[string]bool // operations with a function in package mpi
	files map[string]string
}

// functions are the functions of one chapter.
func (g *generator) functions(c api.Chapter) []api.Function {
	var fs []api.Function
	for _, f := range g.Functions {
		if f.Chapter == c.File {
			fs = append(fs, f)
		}
	}
	return fs
}

// present reports whether f does what the standard says, by itself or as another name.
func (g *generator) present(f api.Function) bool {
	if f.Like != "" {
		return g.done[f.Like]
	}
	return f.Native || g.done[f.Name]
}

// stale are the files that a former description may have left behind.
var stale = []string{"capi/zz_*.c", "capi/zz_*.go", "fortran/zz_*.c", "trace/zz_*.c"}

// write stores what differs, so that the build sees no change where there is none, and removes stale files.
func write(root string, files map[string]string) error {
	for _, pattern := range stale {
		old, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return err
		}
		for _, path := range old {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			if _, ok := files[filepath.ToSlash(rel)]; !ok {
				if err := os.Remove(path); err != nil {
					return err
				}
			}
		}
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if old, err := os.ReadFile(path); err == nil && string(old) == text {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
