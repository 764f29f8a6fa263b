package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// bounded are the fields of a struct that hold a number of objects which only a constant other than that of
// chunks bounds: arrays of pointers, or of structs with a handle.
func bounded(s *ast.StructType, handles map[string]bool) (fields []string) {
	for _, f := range s.Fields.List {
		a, ok := f.Type.(*ast.ArrayType)
		if !ok {
			continue
		}
		pointer, isPointer := a.Elt.(*ast.StarExpr)
		elem, _ := a.Elt.(*ast.Ident)
		if isPointer {
			elem, _ = pointer.X.(*ast.Ident)
		}
		length, _ := a.Len.(*ast.Ident)
		if elem != nil && handles[elem.Name] && !(isPointer && length != nil && length.Name == "Chunks") {
			fields = append(fields, fmt.Sprint(f.Names))
		}
	}
	return fields
}

// structsOf are the structs that a file declares.
func structsOf(f *ast.File) map[string]*ast.StructType {
	all := map[string]*ast.StructType{}
	ast.Inspect(f, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok {
			if s, ok := t.Type.(*ast.StructType); ok {
				all[t.Name.Name] = s
			}
		}
		return true
	})
	return all
}

// isRecord reports whether a struct has a handle, or what records with handles begin with.
func isRecord(s *ast.StructType) bool { return hasField(s, "Handle") || hasField(s, "Record") }

// hasField reports whether a struct has a field of that name, which may be that of a struct of its package.
func hasField(s *ast.StructType, name string) bool {
	for _, f := range s.Fields.List {
		if within, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 && within.Name == name {
			return true
		}
		for _, n := range f.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}

// TestRecordsAreNotBounded holds that the endpoint finds records by chunks, of which there are as many as a
// handle's index can name: no constant bounds how many objects of a kind the fast engine knows.
func TestRecordsAreNotBounded(t *testing.T) {
	paths, err := filepath.Glob("../../runtime/fast/*.go")
	if err != nil {
		t.Fatal(err)
	}
	structs, handles := map[string]*ast.StructType{}, map[string]bool{}
	for _, path := range paths {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range structsOf(f) {
			structs[name] = s
			handles[name] = handles[name] || isRecord(s)
		}
	}
	for _, record := range []string{"Comm", "Group", "Op", "Type", "Win", "File"} {
		if !handles[record] {
			t.Errorf("no record %s with a handle", record)
		}
	}
	for _, field := range bounded(structs["Endpoint"], handles) {
		t.Errorf("field %s of Endpoint bounds the number of objects", field)
	}
}

func TestBoundsAreFound(t *testing.T) {
	const text = `package p
type Comm struct { Handle uintptr }
type Endpoint struct {
	Comms [Chunks]*Comm
	Slots [16]*Comm
	Records [Chunks]Comm
	Sizes [256]uint8
}`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := bounded(structsOf(f)["Endpoint"], map[string]bool{"Comm": true})
	if fmt.Sprint(got) != "[[Slots] [Records]]" {
		t.Errorf("bounded fields: %v", got)
	}
}
