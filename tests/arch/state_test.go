package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// In runtime/ a Process value owns everything; that of the library is held by package mpi, with the tables
// of handles. So a package in runtime/ has no variable that changes: what stands at package level has a value
// from the start, is written nowhere, and holds nothing made to be changed (a lock, an atomic, a pool, a
// channel, a fresh map or a pointer to something new).
func TestRuntimeKeepsNoState(t *testing.T) {
	folders := make(map[string]map[string]string)
	sources(t, func(path string) {
		if !strings.HasPrefix(path, "runtime/") || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		folder := parent(path)
		if folders[folder] == nil {
			folders[folder] = make(map[string]string)
		}
		folders[folder][path] = string(read(t, path))
	})
	if len(folders) == 0 {
		t.Fatal("no package found in runtime/")
	}
	for _, files := range folders {
		for _, complaint := range stateOf(t, files) {
			t.Error(complaint)
		}
	}
}

// stateOf complains about the variables of one package that may change; files
// holds the texts by path.
func stateOf(t *testing.T, files map[string]string) []string {
	t.Helper()
	fset := token.NewFileSet()
	var parsed []*ast.File
	for path, text := range files {
		file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return nil
		}
		parsed = append(parsed, file)
	}
	// Imports are left unresolved: the names of the package's own variables are all
	// that is needed, and they resolve without. Files for other architectures
	// declare the same names again, which does not matter either.
	info := &types.Info{Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object)}
	config := types.Config{Error: func(error) {}, Importer: noImports{}}
	pkg, _ := config.Check("p", fset, parsed, info)

	var complaints []string
	complain := func(at ast.Node, what string) {
		complaints = append(complaints, fset.Position(at.Pos()).String()+": "+what)
	}
	global := func(e ast.Expr) string {
		if id := rootOf(e); id != nil {
			if v, ok := info.Uses[id].(*types.Var); ok && pkg != nil && v.Parent() == pkg.Scope() {
				return id.Name
			}
		}
		return ""
	}
	for _, file := range parsed {
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
				for _, spec := range gen.Specs {
					if why := changeable(spec.(*ast.ValueSpec)); why != "" {
						complain(spec, why)
					}
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var written []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					written = n.Lhs
				}
			case *ast.IncDecStmt:
				written = []ast.Expr{n.X}
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					written = []ast.Expr{n.Key, n.Value}
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 &&
					(id.Name == "delete" || id.Name == "clear" || id.Name == "copy") {
					written = n.Args[:1]
				}
			}
			for _, e := range written {
				if name := global(e); name != "" {
					complain(e, "the package's variable "+name+" is written")
				}
			}
			return true
		})
	}
	return complaints
}

// rootOf returns the variable that a.b[c].d is a part of.
func rootOf(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return rootOf(e.X)
	case *ast.IndexExpr:
		return rootOf(e.X)
	case *ast.SliceExpr:
		return rootOf(e.X)
	case *ast.StarExpr:
		return rootOf(e.X)
	case *ast.ParenExpr:
		return rootOf(e.X)
	}
	return nil
}

// changeable says why a declaration at package level looks like one of a variable
// that changes; "" when it does not.
func changeable(spec *ast.ValueSpec) string {
	if len(spec.Names) == 1 && spec.Names[0].Name == "_" {
		return "" // a check for the compiler
	}
	name := spec.Names[0].Name
	if spec.Type != nil && madeForChange(spec.Type) {
		return "the package's variable " + name + " is made to be changed"
	}
	if len(spec.Values) == 0 {
		return "the package's variable " + name + " has no value from the start"
	}
	for _, value := range spec.Values {
		switch value := value.(type) {
		case *ast.CallExpr:
			if id, ok := value.Fun.(*ast.Ident); ok && (id.Name == "make" || id.Name == "new") {
				return "the package's variable " + name + " is made to be filled"
			}
		case *ast.UnaryExpr:
			if literal, ok := value.X.(*ast.CompositeLit); ok && value.Op == token.AND {
				if len(literal.Elts) == 0 || madeForChange(literal.Type) {
					return "the package's variable " + name + " points to something made to be changed"
				}
			}
		case *ast.CompositeLit:
			if madeForChange(value.Type) {
				return "the package's variable " + name + " is made to be changed"
			}
		}
	}
	return ""
}

// madeForChange reports whether a type is a channel or comes from sync or
// sync/atomic.
func madeForChange(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ChanType:
		return true
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		return ok && (id.Name == "sync" || id.Name == "atomic")
	case *ast.IndexExpr:
		return madeForChange(e.X)
	case *ast.ArrayType:
		return madeForChange(e.Elt)
	case *ast.StarExpr:
		return madeForChange(e.X)
	}
	return false
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	pkg := types.NewPackage(path, name)
	pkg.MarkComplete()
	return pkg, nil
}

func TestStateIsFound(t *testing.T) {
	const head = "package p\nimport (\"errors\"; \"sync\"; \"sync/atomic\")\n"
	for body, bad := range map[string]bool{
		`var errX = errors.New("x")`:                                                    false,
		`var table = [...]int{1, 2}; func f(i int) int { return table[i] }`:             false,
		`var names = map[int]string{1: "a"}`:                                            false,
		`var table = build(); func build() []int { t := []int{1}; t[0] = 2; return t }`: false,
		`var _ error = (*e)(nil); type e struct{}`:                                      false,
		`var x = 1; func f() int { x := 2; x++; return x }`:                             false,
		`type s struct{ n int }; var Max = &s{n: 1}`:                                    false,
		`const n = 1`: false,

		`var count int`:                                                  true,
		`var count = 0; func f() { count++ }`:                            true,
		`var count = 0; func f() { count += 2 }`:                         true,
		`var table = []int{1}; func f() { table[0] = 2 }`:                true,
		`type s struct{ n []int }; var v = s{}; func f() { v.n[0] = 1 }`: true,
		`var cache = map[int]int{}; func f() { cache[1] = 2 }`:           true,
		`var cache = map[int]int{1: 1}; func f() { delete(cache, 1) }`:   true,
		`var cache = make(map[int]int)`:                                  true,
		`var mu sync.Mutex`:                                              true,
		`var mu = sync.Mutex{}`:                                          true,
		`var pool = &sync.Pool{New: nil}`:                                true,
		`var n atomic.Int64`:                                             true,
		`var ps [4]atomic.Pointer[int]`:                                  true,
		`var c chan int = nil`:                                           true,
		`type s struct{}; var v = &s{}`:                                  true,
		`var v = new(int)`:                                               true,
		`var i, x = 0, 0; func f() { for i, x = range []int{1} { } }`:    true,
	} {
		complaints := stateOf(t, map[string]string{"p.go": head + body})
		if (len(complaints) > 0) != bad {
			t.Errorf("%s\njudged: %q", body, complaints)
		}
	}
}
