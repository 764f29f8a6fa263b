package main

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"
	"unicode"
)

// prefix begins all names in C.
const prefix = "fast_"

// keywords are names of C's that Go code may use.
var keywords = map[string]bool{
	"auto": true, "char": true, "default": true, "do": true, "double": true, "enum": true, "extern": true, "float": true,
	"inline": true, "int": true, "long": true, "register": true, "restrict": true, "short": true, "signed": true,
	"sizeof": true, "static": true, "typedef": true, "union": true, "unsigned": true, "void": true, "volatile": true,
	"while": true, "bool": true, "min": true, "max": true,
}

// snake turns a Go name into one of C: putEager and PutEager are put_eager.
func snake(name string) string {
	var b strings.Builder
	var before rune
	for _, r := range name {
		if unicode.IsUpper(r) && before != 0 && !unicode.IsUpper(before) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return b.String()
}

func upper(name string) string { return strings.ToUpper(prefix + snake(name)) }

// local is the C name of a variable, parameter or field.
func local(name string) string {
	c := snake(name)
	if keywords[c] {
		return c + "_"
	}
	return c
}

// functionName is the C name of a function or method that the package declares.
func (t *translator) functionName(fn *ast.FuncDecl) string {
	return objectName(t.info.Defs[fn.Name].(*types.Func))
}

func objectName(f *types.Func) string {
	if r := f.Signature().Recv(); r != nil {
		return prefix + snake(named(r.Type()).Obj().Name()) + "_" + snake(f.Name())
	}
	return prefix + snake(f.Name())
}

// goName is a name of Go's in a comment that is no word: it has a capital behind its first letter.
var goName = regexp.MustCompile(`\b(\w+\.)?[A-Za-z][a-z0-9]*[A-Z]\w*\b`)

// comment is the comment of a function with C's names: its own, and those of what the package declares.
func (t *translator) comment(fn *ast.FuncDecl) string {
	text := fn.Doc.Text()
	if rest, ok := strings.CutPrefix(text, fn.Name.Name+" "); ok {
		text = t.functionName(fn) + " " + rest
	}
	return goName.ReplaceAllStringFunc(text, func(name string) string {
		holder, member, ok := strings.Cut(name, ".")
		if ok {
			if o, ok := t.pkg.Scope().Lookup(holder).(*types.TypeName); ok {
				return prefix + snake(o.Name()) + "." + local(member)
			}
			return name
		}
		return t.inC(holder)
	})
}

// inC is the C name of what the package declares under a name of Go's: an object of the package, a method, or
// a field; the name itself where there is none, or more than one.
func (t *translator) inC(name string) string {
	switch o := t.pkg.Scope().Lookup(name).(type) {
	case *types.Const:
		return upper(name)
	case *types.Func, *types.TypeName:
		return prefix + snake(o.Name())
	}
	found := ""
	for id, o := range t.info.Defs {
		if id.Name != name || o == nil {
			continue
		}
		c := local(name)
		if f, ok := o.(*types.Func); ok {
			c = objectName(f)
		}
		if found != "" && c != found {
			return name
		}
		found = c
	}
	if found == "" {
		return name
	}
	return found
}

// named is the named type behind a type that may be a pointer to it.
func named(t types.Type) *types.Named {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// cType is a type in C, without what follows the name of a variable.
func (t *translator) cType(n ast.Node, typ types.Type) string {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Bool, types.UntypedBool:
			return "bool"
		case types.Int8, types.Int16, types.Int32, types.Int64, types.Uint8, types.Uint16, types.Uint32,
			types.Uint64:
			return u.Name() + "_t"
		case types.Uintptr:
			return "uintptr_t"
		case types.Int:
			return "int64_t"
		case types.Float32:
			return "float"
		case types.Float64:
			return "double"
		}
	case *types.Pointer:
		return t.cType(n, u.Elem()) + " *"
	case *types.Struct:
		if name := named(typ); name != nil {
			return "struct " + prefix + snake(name.Obj().Name())
		}
	case *types.Array:
		return t.cType(n, u.Elem())
	}
	t.fail(n, "type %s has no form in C", typ)
	return ""
}

// declare is the declaration of a variable or field.
func (t *translator) declare(n ast.Node, name string, typ types.Type) string {
	suffix := ""
	for {
		a, ok := typ.Underlying().(*types.Array)
		if !ok {
			break
		}
		suffix += "[" + intText(a.Len()) + "]"
		typ = a.Elem()
	}
	c := t.cType(n, typ)
	if !strings.HasSuffix(c, "*") {
		c += " "
	}
	return c + name + suffix
}
