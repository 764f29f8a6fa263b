package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// maxMethods bounds the methods of a type in runtime/ and launch/. A type with more is several: parts that
// have their own state and their own file.
const maxMethods = 80

// receiver is the name of the type that a function is a method of; empty for functions.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// methodsOf adds the methods of a file to those of the types of its package.
func methodsOf(f *ast.File, folder string, methods map[string]int) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && receiver(fn) != "" {
			methods[folder+"."+receiver(fn)]++
		}
	}
}

// A type of very many methods is a package without rooms: each of its functions may touch each of its fields.
func TestTypesHaveFewMethods(t *testing.T) {
	methods := map[string]int{}
	sources(t, func(file string) {
		if !strings.HasPrefix(file, "runtime/") && !strings.HasPrefix(file, "launch/") || !strings.HasSuffix(file, ".go") ||
			strings.HasSuffix(file, "_test.go") {
			return
		}
		text := read(t, file)
		if generatedLine.Match(text) {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
		if err != nil {
			t.Error(err)
			return
		}
		methodsOf(f, path.Dir(file), methods)
	})
	for name, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods, and may have %d: make parts of it that have their own state", name, n, maxMethods)
		}
	}
}

// maxFiles bounds the files of a package in these folders, without tests and what is generated.
const maxFiles = 25

var fewFiles = []string{"launch/", "runtime/am/", "runtime/rma/"}

// A package of very many files has several subjects: packages of their own, of which each shows what it
// needs.
func TestPackagesHaveFewFiles(t *testing.T) {
	files := map[string]int{}
	sources(t, func(file string) {
		within := func(folder string) bool { return strings.HasPrefix(file, folder) }
		if slices.ContainsFunc(fewFiles, within) && strings.HasSuffix(file, ".go") &&
			!strings.HasSuffix(file, "_test.go") && !generatedLine.Match(read(t, file)) {
			files[path.Dir(file)]++
		}
	})
	for _, folder := range fewFiles {
		if files[strings.TrimSuffix(folder, "/")] == 0 {
			t.Errorf("no file of %s has been found", folder)
		}
	}
	for folder, n := range files {
		if n > maxFiles {
			t.Errorf("%s has %d files, and may have %d: make packages of its subjects", folder, n, maxFiles)
		}
	}
}

// All forms of a receiver count for their type, and functions for none.
func TestReceivers(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "", `package p
func (a A) one() {}
func (a *A) two() {}
func (*B[T]) three() {}
func (b B[T]) four() {}
func (c *C[S, T]) five() {}
func six() {}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	methods := map[string]int{}
	methodsOf(f, "runtime/p", methods)
	if want := map[string]int{"runtime/p.A": 2, "runtime/p.B": 2, "runtime/p.C": 1}; !maps.Equal(methods, want) {
		t.Errorf("got %v, want %v", methods, want)
	}
}
