// Command fastgen translates package runtime/fast, which is written in a restricted Go, to C:
// capi/zz_fast.h. So the C stubs of the library and its Go engine run the same source.
//
// The restricted Go has integers, floating-point values (no constants of them), bools, structs, arrays,
// pointers, functions and methods, if, for, switch and return. It has no slices, maps, strings, interfaces,
// closures, goroutines, defer, append, labels or multiple assignment of values that depend on each other.
// What is outside of it is an error of the generator, with its position, so the two languages cannot come
// to mean different things. Files that begin with the directive fast:go, and tests, are not translated;
// functions in them that translated code calls say in a directive what stands for them in C:
//
//	//fast:c TEMPLATE   the expression, with %0, %1, ... for the arguments, the receiver first
//	//fast:extern       a function of that name written in C
//
// Translated functions may say how often they run:
//
//	//fast:hot          inlined into every caller
//	//fast:cold         never inlined
package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: fastgen PACKAGE-FOLDER HEADER")
		os.Exit(2)
	}
	text := ""
	roots, err := namesBeside(os.Args[2])
	if err == nil {
		text, err = translate(os.Args[1], roots)
	}
	if err == nil {
		err = os.WriteFile(os.Args[2], []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fastgen:", err)
		os.Exit(1)
	}
}

// directive is what stands in C for a function that is not translated.
type directive struct {
	template string // of the call; "" for a function written in C
	extern   bool
	how      string // of a translated function
}

// translator holds a package that has been read, and writes C.
type translator struct {
	fset       *token.FileSet
	info       *types.Info
	pkg        *types.Package
	sizes      types.Sizes
	files      []*ast.File // those that are translated
	directives map[string]directive
	out        strings.Builder
	indent     int
	temps      int
	names      map[string]bool // of functions in C
	reached    map[string]bool // of those that are written
	err        error
}

// translate is the C of the package in a folder: of those functions that roots name, by their names in C, and
// of what they need; of all where roots is nil.
func translate(folder string, roots map[string]bool) (string, error) {
	t, err := load(folder)
	if err != nil {
		return "", err
	}
	t.reach(roots)
	return t.file()
}

func load(folder string) (*translator, error) {
	t := &translator{
		fset: token.NewFileSet(), sizes: types.SizesFor("gc", "amd64"), directives: map[string]directive{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}},
		names: map[string]bool{},
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "_arm64") || strings.Contains(path, "race_on") {
			continue
		}
		f, err := parser.ParseFile(t.fset, path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
		if len(f.Comments) == 0 || f.Comments[0].List[0].Text != "//fast:go" {
			t.files = append(t.files, f)
		}
	}
	config := types.Config{Importer: importer.ForCompiler(t.fset, "source", nil), Sizes: t.sizes}
	if t.pkg, err = config.Check(folder, t.fset, all, t.info); err != nil {
		return nil, err
	}
	for _, f := range all {
		t.readDirectives(f)
	}
	return t, nil
}

// readDirectives notes the functions of a file that are not translated.
func (t *translator) readDirectives(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if name := t.functionName(fn); t.names[name] {
			t.fail(fn, "%s has the name of another function in C", fn.Name.Name)
		} else {
			t.names[name] = true
		}
		if fn.Doc == nil {
			continue
		}
		for _, c := range fn.Doc.List {
			if text, ok := strings.CutPrefix(c.Text, "//fast:c "); ok {
				t.directives[t.functionName(fn)] = directive{template: strings.TrimSpace(text)}
			} else if c.Text == "//fast:extern" {
				t.directives[t.functionName(fn)] = directive{extern: true}
			} else if c.Text == "//fast:hot" {
				t.directives[t.functionName(fn)] = directive{how: "inline __attribute__((always_inline)) "}
			} else if c.Text == "//fast:cold" {
				t.directives[t.functionName(fn)] = directive{how: "__attribute__((noinline)) "}
			}
		}
	}
}

// fail notes the first thing that cannot be translated.
func (t *translator) fail(n ast.Node, format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("%s: %s", t.fset.Position(n.Pos()), fmt.Sprintf(format, args...))
	}
}
