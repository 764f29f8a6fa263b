package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"gompi/api"
)

// implemented finds the operations that the library offers: those with a function in package mpi, whose
// folder is dir. The result has the names of the description, such as Comm_dup.
func implemented(d *api.Description, dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	functions := map[string]bool{}
	fset := token.NewFileSet()
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				functions[f.Name.Name] = true
			}
		}
	}
	done := map[string]bool{}
	for _, f := range d.Functions {
		if functions[operation(f.Name)] {
			done[f.Name] = true
		}
	}
	return done, nil
}

// operation is the name in package mpi of the function for an operation: CommDup for Comm_dup.
func operation(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "_") {
		b.WriteString(goKind(word))
	}
	return b.String()
}

// checkNames finds functions of operations that are written in C or are another name of one: they would
// never be called.
func (g *generator) checkNames() error {
	for name := range g.done {
		if f, _ := g.Function(name); f.Native || f.Like != "" {
			return fmt.Errorf("package mpi has %s, but api/ says that MPI_%s is not written in Go", operation(name), name)
		}
	}
	return nil
}
