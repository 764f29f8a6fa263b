// Package raises finds which errors an operation of MPI can raise, by reading the sources of packages mpi and
// runtime: where an error is made, its class and its text stand as constants.
package raises

import (
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// module is the path that the imports of this tree begin with.
const module = "gompi/"

// Error is one error as the sources make it.
type Error struct {
	Class string // its name in mpi.h, such as MPI_ERR_TAG
	Text  string // a format of package fmt, "" where the text is made elsewhere
}

// function is what one function does as far as it matters here.
type function struct {
	errors []Error
	calls  []*types.Func
}

// loader type-checks the packages of the tree. Those of Go's library are empty to it: what it finds of them
// decides nothing here, but for the pointers of sync/atomic.
type loader struct {
	root      string
	fset      *token.FileSet
	packages  map[string]*types.Package
	functions map[*types.Func]*function
	classes   map[string]string // names of mpi.h by those of package mpierr
}

// Import is what types.Importer wants.
func (l *loader) Import(path string) (*types.Package, error) {
	if p := l.packages[path]; p != nil {
		return p, nil
	}
	var files []*ast.File
	name := path[strings.LastIndexByte(path, '/')+1:]
	below, own := strings.CutPrefix(path, module)
	switch {
	case own:
		info, err := build.ImportDir(filepath.Join(l.root, below), 0)
		if err != nil {
			return nil, err
		}
		for _, file := range append(info.GoFiles, info.CgoFiles...) {
			name := filepath.Join(l.root, below, file)
			parsed, err := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			files = append(files, parsed)
		}
	case path == "sync/atomic":
		parsed, err := parser.ParseFile(l.fset, "atomic.go", atomicPointer, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, parsed)
	default:
		p := types.NewPackage(path, name)
		p.MarkComplete()
		l.packages[path] = p
		return p, nil
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}}
	config := types.Config{Importer: l, FakeImportC: true, Error: func(error) {}}
	p, _ := config.Check(path, l.fset, files, info) // what is missing of Go's library is an error
	l.packages[path] = p
	if own {
		for _, file := range files {
			l.read(file, info)
		}
	}
	return p, nil
}

// atomicPointer is as much of sync/atomic as leads from one type of the tree to another.
const atomicPointer = `package atomic
type Pointer[T any] struct{}
func (*Pointer[T]) Load() *T { return nil }
func (*Pointer[T]) Swap(*T) *T { return nil }
`

// read notes what the functions of a file do.
func (l *loader) read(file *ast.File, info *types.Info) {
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		object, ok := info.Defs[d.Name].(*types.Func)
		if !ok {
			continue
		}
		f := &function{}
		l.functions[object] = f
		ast.Inspect(d.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if callee := called(call, info); callee != nil {
				f.calls = append(f.calls, callee)
			}
			f.errors = append(f.errors, l.made(call, info)...)
			return true
		})
	}
}

// called is the function that a call names, nil for a value.
func called(call *ast.CallExpr, info *types.Info) *types.Func {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		callee, _ := info.Uses[f].(*types.Func)
		return origin(callee)
	case *ast.SelectorExpr:
		callee, _ := info.Uses[f.Sel].(*types.Func)
		return origin(callee)
	}
	return nil
}

// origin is the function that an instance of a generic one was made of.
func origin(f *types.Func) *types.Func {
	if f == nil {
		return nil
	}
	return f.Origin()
}

// made is the errors that a call makes: those of which it passes the class.
func (l *loader) made(call *ast.CallExpr, info *types.Info) (all []Error) {
	for i, arg := range call.Args {
		t := info.Types[arg]
		if t.Value == nil || !isClass(t.Type) {
			continue
		}
		e := Error{Class: l.className(arg)}
		if i+1 < len(call.Args) {
			if text := info.Types[call.Args[i+1]].Value; text != nil && text.Kind() == constant.String {
				e.Text = constant.StringVal(text)
			}
		}
		if e.Class != "" {
			all = append(all, e)
		}
	}
	return all
}

func isClass(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "Class" && named.Obj().Pkg().Path() == module+"runtime/mpierr"
}

// className is the name in mpi.h of the class that an argument names, "" for another expression.
func (l *loader) className(arg ast.Expr) string {
	switch a := arg.(type) {
	case *ast.Ident:
		return l.classes[a.Name]
	case *ast.SelectorExpr:
		return l.classes[a.Sel.Name]
	}
	return ""
}
