package raises

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
)

// Tree is the sources as far as they make errors.
type Tree struct{ l *loader }

// Read reads the packages mpi and runtime of the tree at root. classes are the names of mpi.h by those that
// package mpierr has for them.
func Read(root string, classes map[string]string) (*Tree, error) {
	l := &loader{root: root, fset: token.NewFileSet(), packages: map[string]*types.Package{},
		functions: map[*types.Func]*function{}, classes: classes}
	_, err := l.Import(module + "mpi")
	return &Tree{l}, err
}

// Operation is the errors that a function of package mpi can raise, in itself and in what it calls, in the
// order of their classes. Datatypes that the library makes for itself, in the middle of another operation,
// are right: only what package mpi calls of package datatype counts.
func (t *Tree) Operation(name string) []Error {
	f, _ := t.l.packages[module+"mpi"].Scope().Lookup(name).(*types.Func)
	return t.from(f, func(caller, callee *types.Func) bool {
		return !within(callee, "runtime/datatype") || within(caller, "mpi") || within(caller, "runtime/datatype")
	})
}

// Check is the errors that a check of an argument raises: a method of mpi.Args, with what it calls in package
// mpi. Their texts begin with the name of the parameter.
func (t *Tree) Check(name string) []Error {
	args := t.l.packages[module+"mpi"].Scope().Lookup("Args")
	if args == nil {
		return nil
	}
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(args.Type()), true, args.Pkg(), name)
	f, _ := object.(*types.Func)
	return t.from(f, func(_, callee *types.Func) bool { return within(callee, "mpi") })
}

// within reports whether a function is of a package of the tree.
func within(f *types.Func, folder string) bool {
	return f.Pkg() != nil && f.Pkg().Path() == module+folder
}

// from is the errors made in f and in the functions that calls lead to, as far as follow says.
func (t *Tree) from(f *types.Func, follow func(caller, callee *types.Func) bool) []Error {
	seen := map[*types.Func]bool{}
	var all []Error
	var visit func(f *types.Func)
	visit = func(f *types.Func) {
		body := t.l.functions[f]
		if body == nil || seen[f] {
			return
		}
		seen[f] = true
		all = append(all, body.errors...)
		for _, callee := range body.calls {
			if follow(f, callee) {
				visit(callee)
			}
		}
	}
	visit(f)
	slices.SortFunc(all, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(all)
}
