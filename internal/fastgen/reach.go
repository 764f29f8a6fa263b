package main

import (
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
)

// cName is a name that the translation gives.
var cName = regexp.MustCompile(`\b` + prefix + `\w+`)

// namesBeside are the names of the translation that the C files in the folder of its header use.
func namesBeside(header string) (map[string]bool, error) {
	names := map[string]bool{}
	for _, pattern := range []string{"*.c", "*.h"} {
		paths, err := filepath.Glob(filepath.Join(filepath.Dir(header), pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if filepath.Base(path) == filepath.Base(header) {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			for _, name := range cName.FindAllString(string(text), -1) {
				names[name] = true
			}
		}
	}
	return names, nil
}

// reach finds the functions that are written: those that roots name, and what they call; all where roots is
// nil.
func (t *translator) reach(roots map[string]bool) {
	t.reached = map[string]bool{}
	bodies := map[string]*ast.FuncDecl{}
	t.eachFunction(func(fn *ast.FuncDecl) { bodies[t.functionName(fn)] = fn })
	var visit func(name string)
	visit = func(name string) {
		if t.reached[name] {
			return
		}
		t.reached[name] = true
		fn := bodies[name]
		if fn == nil {
			return // a function in C, or an expression
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if f, ok := t.info.Uses[id].(*types.Func); ok && f.Pkg() == t.pkg {
					visit(objectName(f.Origin()))
				}
			}
			return true
		})
	}
	for name := range bodies {
		if roots == nil || roots[name] {
			visit(name)
		}
	}
}
