package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// implemented finds the operations that capi offers: the hand-written functions named mpi<Name>, such as
// mpiSend.
func implemented(dir string) (map[string]bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	fset := token.NewFileSet()
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "zz_") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				if op, ok := operation(f.Name.Name); ok {
					done[op] = true
				}
			}
		}
	}
	return done, nil
}

// operation is the part of a Go name behind mpi, when it begins with a capital.
func operation(name string) (string, bool) {
	op, ok := strings.CutPrefix(name, "mpi")
	return op, ok && op != "" && op[0] >= 'A' && op[0] <= 'Z'
}

// checkNames finds hand-written operations that the description does not know: a misspelled one would count
// as missing and never be called.
func (g *generator) checkNames() error {
	for name := range g.done {
		if f, ok := g.Function(name); !ok || f.Native || f.Like != "" {
			return fmt.Errorf("capi has mpi%s, but api/ knows no operation of that name to be written in Go", name)
		}
	}
	return nil
}
