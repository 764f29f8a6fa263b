package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

func (t *translator) typeOf(e ast.Expr) types.Type {
	if tv, ok := t.info.Types[e]; ok {
		return tv.Type
	}
	return t.info.ObjectOf(e.(*ast.Ident)).Type()
}

// wrap makes arithmetic of less than 32 bits end as in Go: C computes it with more.
func (t *translator) wrap(typ types.Type, text string) string {
	if b, ok := typ.Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Int8, types.Int16, types.Uint8, types.Uint16:
			return "(" + b.Name() + "_t)(" + text + ")"
		}
	}
	return text
}

// bare takes off parentheses around all of an expression.
func bare(text string) string {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	depth := 0
	for i, c := range text {
		if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth == 0 && i < len(text)-1 {
				return text
			}
		}
	}
	return text[1 : len(text)-1]
}

// expr is an expression in C; compound ones stand in parentheses.
func (t *translator) expr(e ast.Expr) string {
	if tv := t.info.Types[e]; tv.Value != nil {
		return t.constant(e, tv)
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return t.binary(e)
	case *ast.CallExpr:
		return t.call(e)
	case *ast.CompositeLit:
		return t.composite(e)
	case *ast.Ident:
		if e.Name == "nil" {
			return "NULL"
		}
		if o := t.info.ObjectOf(e); o.Parent() == t.pkg.Scope() {
			t.fail(e, "%s is a variable of the package", e.Name)
		}
		return local(e.Name)
	case *ast.IndexExpr:
		if _, ok := t.typeOf(e.X).Underlying().(*types.Array); ok {
			return t.expr(e.X) + "[" + t.expr(e.Index) + "]"
		}
		if p, ok := t.typeOf(e.X).Underlying().(*types.Pointer); ok {
			if _, ok := p.Elem().Underlying().(*types.Array); ok {
				return t.expr(e.X) + "[" + t.expr(e.Index) + "]"
			}
		}
		t.fail(e, "only arrays have elements")
	case *ast.ParenExpr:
		return t.expr(e.X)
	case *ast.SelectorExpr:
		return t.selector(e)
	case *ast.StarExpr:
		return "(*" + t.expr(e.X) + ")"
	case *ast.UnaryExpr:
		return t.unary(e)
	default:
		t.fail(e, "%T has no translation", e)
	}
	return ""
}

func (t *translator) constant(e ast.Expr, tv types.TypeAndValue) string {
	if id, ok := e.(*ast.Ident); ok {
		if c, ok := t.info.Uses[id].(*types.Const); ok && c.Pkg() == t.pkg && c.Parent() == t.pkg.Scope() &&
			c.Val().Kind() == constant.Int && t.translated(c) {
			if types.Identical(c.Type(), tv.Type) {
				return upper(id.Name)
			}
			return "((" + t.cType(e, types.Default(tv.Type)) + ")" + upper(id.Name) + ")"
		}
	}
	switch tv.Value.Kind() {
	case constant.Bool:
		return tv.Value.String()
	case constant.Int:
		return literal(tv.Value, tv.Type)
	}
	t.fail(e, "a constant that is no integer")
	return ""
}

func (t *translator) binary(e *ast.BinaryExpr) string {
	t.oneCall(e, e.X, e.Y)
	x, y, op := t.expr(e.X), t.expr(e.Y), e.Op.String()
	switch e.Op {
	case token.AND_NOT:
		op, y = "&", "~"+y
	case token.SHL, token.SHR:
		if t.info.Types[e.Y].Value == nil {
			t.fail(e, "shifts by variables differ between the languages")
		}
	}
	return "(" + t.wrap(t.info.Types[e].Type, x+" "+op+" "+y) + ")"
}

func (t *translator) unary(e *ast.UnaryExpr) string {
	x := t.expr(e.X)
	switch e.Op {
	case token.AND:
		if _, ok := e.X.(*ast.CompositeLit); ok {
			t.fail(e, "memory is not allocated here")
		}
		return "(&" + x + ")"
	case token.NOT:
		return "(!" + x + ")"
	case token.SUB:
		return "(" + t.wrap(t.typeOf(e), "-"+x) + ")"
	case token.XOR:
		return "(" + t.wrap(t.typeOf(e), "~"+x) + ")"
	}
	t.fail(e, "%s has no translation", e.Op)
	return ""
}

func (t *translator) selector(e *ast.SelectorExpr) string {
	s := t.info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		t.fail(e, "%s is no field of a struct", e.Sel.Name)
		return ""
	}
	x, _ := t.member(e.X, s.Index())
	return x
}

// member is a member of a struct, or of one that x points to, behind that path of fields, and its type.
func (t *translator) member(x ast.Expr, path []int) (string, types.Type) {
	text, typ := t.expr(x), t.typeOf(x)
	for _, i := range path {
		dot := "."
		if p, ok := typ.Underlying().(*types.Pointer); ok {
			dot, typ = "->", p.Elem()
		}
		f := typ.Underlying().(*types.Struct).Field(i)
		text, typ = text+dot+local(f.Name()), f.Type()
	}
	return text, typ
}

func (t *translator) composite(e *ast.CompositeLit) string {
	typ := t.typeOf(e)
	if _, ok := typ.Underlying().(*types.Struct); !ok {
		t.fail(e, "only structs are written in place")
		return ""
	}
	var fields []string
	for _, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			fields = append(fields, "."+local(kv.Key.(*ast.Ident).Name)+" = "+t.expr(kv.Value))
		} else {
			fields = append(fields, t.expr(el))
		}
	}
	if fields == nil {
		fields = []string{"0"}
	}
	return "(" + t.cType(e, typ) + "){" + strings.Join(fields, ", ") + "}"
}

// callee is the function that is called; nil for conversions, builtins and values.
func (t *translator) callee(e *ast.CallExpr) *types.Func {
	fun := ast.Unparen(e.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		f, _ := t.info.Uses[fun].(*types.Func)
		return f
	case *ast.SelectorExpr:
		f, _ := t.info.Uses[fun.Sel].(*types.Func)
		return f
	}
	return nil
}

// oneCall refuses expressions of which more than one calls a function that may change something: C leaves
// open which comes first.
func (t *translator) oneCall(n ast.Node, exprs ...ast.Expr) {
	if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return
	}
	calls := 0
	for _, e := range exprs {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if f := t.callee(c); f != nil && f.Pkg() == t.pkg &&
					t.directives[objectName(f.Origin())].template == "" {
					found = true
				}
			}
			return !found
		})
		if found {
			calls++
		}
	}
	if calls > 1 {
		t.fail(n, "two calls in one expression, whose order C leaves open")
	}
}

// atomics are functions of packages sync/atomic, math and shm, in C.
var atomics = map[string]string{
	"LoadInt32": "__atomic_load_n(%0, __ATOMIC_ACQUIRE)", "LoadUint32": "__atomic_load_n(%0, __ATOMIC_ACQUIRE)", "LoadUint64": "__atomic_load_n(%0, __ATOMIC_ACQUIRE)",
	"LoadUintptr":  "__atomic_load_n(%0, __ATOMIC_ACQUIRE)",
	"StoreUintptr": "__atomic_store_n(%0, %1, __ATOMIC_SEQ_CST)",
	"StoreUint32":  "__atomic_store_n(%0, %1, __ATOMIC_SEQ_CST)", "StoreUint64": "__atomic_store_n(%0, %1, __ATOMIC_SEQ_CST)",
	"AddUint32": "__atomic_add_fetch(%0, %1, __ATOMIC_SEQ_CST)", "AddUint64": "__atomic_add_fetch(%0, %1, __ATOMIC_SEQ_CST)",
	"SwapUint32": "__atomic_exchange_n(%0, %1, __ATOMIC_SEQ_CST)", "SwapUint64": "__atomic_exchange_n(%0, %1, __ATOMIC_SEQ_CST)",
	"OrUint64":             "__atomic_fetch_or(%0, %1, __ATOMIC_SEQ_CST)",
	"CompareAndSwapUint32": "fast_cas32(%0, %1, %2)", "CompareAndSwapUintptr": "fast_cas64(%0, %1, %2)", "CompareAndSwapUint64": "fast_cas64(%0, %1, %2)",
	"Float32bits": "fast_float_bits(%0)", "Float32frombits": "fast_float(%0)",
	"Float64bits": "fast_double_bits(%0)", "Float64frombits": "fast_double(%0)",
	"Word32": "((uint32_t *)(%0))", "Word64": "((uint64_t *)(%0))", "Next32": "(%0 + %1)",
	"StoreRel32": "__atomic_store_n(%0, %1, __ATOMIC_RELEASE)", "StoreRel64": "__atomic_store_n(%0, %1, __ATOMIC_RELEASE)",
}

func (t *translator) call(e *ast.CallExpr) string {
	if tv := t.info.Types[e.Fun]; tv.IsType() {
		return "((" + t.cType(e, tv.Type) + ")" + t.expr(e.Args[0]) + ")"
	}
	t.oneCall(e, e.Args...)
	var args []string
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && t.info.Selections[sel] != nil {
		s := t.info.Selections[sel]
		x, typ := t.member(sel.X, s.Index()[:len(s.Index())-1])
		_, pointer := typ.Underlying().(*types.Pointer)
		receiver := s.Obj().(*types.Func).Signature().Recv()
		_, wanted := receiver.Type().Underlying().(*types.Pointer)
		switch {
		case wanted && !pointer:
			x = "(&" + x + ")"
		case !wanted && pointer:
			x = "*" + x
		}
		args = append(args, x)
	}
	for _, a := range e.Args {
		args = append(args, t.expr(a))
	}
	if id, ok := e.Fun.(*ast.Ident); ok {
		if _, ok := t.info.Uses[id].(*types.Builtin); ok {
			return t.builtin(e, id.Name, args)
		}
	}
	f := t.callee(e)
	if f == nil {
		t.fail(e, "a call of something that is no function")
		return ""
	}
	template := t.directives[objectName(f.Origin())].template
	if f.Pkg() != t.pkg {
		template = atomics[f.Name()]
		if template == "" {
			t.fail(e, "%s has no translation", f.FullName())
		}
	}
	if template == "" {
		return objectName(f) + "(" + strings.Join(args, ", ") + ")"
	}
	for i, a := range args {
		template = strings.ReplaceAll(template, "%"+strconv.Itoa(i), a)
	}
	return template
}

func (t *translator) builtin(e *ast.CallExpr, name string, args []string) string {
	op := map[string]string{"min": "<", "max": ">"}[name]
	if op == "" || len(args) != 2 {
		t.fail(e, "%s has no translation", name)
		return ""
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c != e && t.callee(c) != nil {
			t.fail(e, "%s of a call, which C would make twice", name)
		}
		return true
	})
	return fmt.Sprintf("(%s %s %s ? %s : %s)", args[0], op, args[1], args[0], args[1])
}
