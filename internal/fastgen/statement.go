package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (t *translator) line(format string, args ...any) {
	t.out.WriteString(strings.Repeat("\t", t.indent))
	fmt.Fprintf(&t.out, format, args...)
	t.out.WriteByte('\n')
}

// function writes one function with its comment.
func (t *translator) function(fn *ast.FuncDecl) {
	t.out.WriteByte('\n')
	if fn.Doc != nil {
		text := strings.TrimSpace(strings.ReplaceAll(t.comment(fn), "*/", ""))
		t.line("/* %s */", strings.ReplaceAll(text, "\n", "\n * "))
	}
	t.temps = 0
	t.line("static %s", t.prototype(fn))
	t.line("{")
	t.indent++
	t.statements(fn.Body.List)
	t.indent--
	t.line("}")
}

func (t *translator) statements(list []ast.Stmt) {
	for _, s := range list {
		t.statement(s)
	}
}

func (t *translator) block(b *ast.BlockStmt) {
	t.line("{")
	t.indent++
	t.statements(b.List)
	t.indent--
	t.line("}")
}

func (t *translator) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		t.assign(s)
	case *ast.BlockStmt:
		t.block(s)
	case *ast.BranchStmt:
		if s.Label != nil || s.Tok == token.GOTO || s.Tok == token.FALLTHROUGH {
			t.fail(s, "%s with a label, goto and fallthrough have no translation", s.Tok)
		}
		t.line("%s;", s.Tok)
	case *ast.DeclStmt:
		t.declaration(s)
	case *ast.ExprStmt:
		t.line("%s;", t.expr(s.X))
	case *ast.ForStmt:
		t.forLoop(s)
	case *ast.IfStmt:
		t.ifStatement(s)
	case *ast.IncDecStmt:
		op := "+"
		if s.Tok == token.DEC {
			op = "-"
		}
		x := t.expr(s.X)
		t.line("%s = %s;", x, t.wrap(t.typeOf(s.X), x+" "+op+" 1"))
	case *ast.RangeStmt:
		t.rangeLoop(s)
	case *ast.ReturnStmt:
		t.returns(s)
	case *ast.SwitchStmt:
		t.switches(s)
	default:
		t.fail(s, "%T has no translation", s)
	}
}

func (t *translator) returns(s *ast.ReturnStmt) {
	switch len(s.Results) {
	case 0:
		t.line("return;")
	case 1:
		if _, several := t.typeOf(s.Results[0]).(*types.Tuple); several {
			t.fail(s, "the results of a call are returned without variables for them")
			return
		}
		t.line("return %s;", bare(t.expr(s.Results[0])))
	default:
		fn := t.functionAround(s)
		var values []string
		for _, r := range s.Results {
			values = append(values, t.expr(r))
		}
		t.line("return (struct %s_results){%s};", t.functionName(fn), strings.Join(values, ", "))
	}
}

// functionAround is the function in which a node stands.
func (t *translator) functionAround(n ast.Node) *ast.FuncDecl {
	for _, f := range t.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= n.Pos() && n.Pos() < fn.End() {
				return fn
			}
		}
	}
	panic("fastgen: no function at " + t.fset.Position(n.Pos()).String())
}

func (t *translator) declaration(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok == token.CONST {
		return // constants are written as their values
	}
	if d.Tok != token.VAR {
		t.fail(s, "only variables and constants are declared in functions")
		return
	}
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, name := range v.Names {
			typ := t.info.Defs[name].Type()
			value := zero(typ)
			if i < len(v.Values) {
				value = t.expr(v.Values[i])
			}
			t.line("%s = %s;", t.declare(s, local(name.Name), typ), value)
		}
	}
}

// zero is an initializer that makes everything zero.
func zero(typ types.Type) string {
	switch u := typ.Underlying().(type) {
	case *types.Struct, *types.Array:
		return "{0}"
	case *types.Pointer:
		return "NULL"
	case *types.Basic:
		if u.Kind() == types.Bool {
			return "false"
		}
	}
	return "0"
}

func (t *translator) assign(s *ast.AssignStmt) {
	switch {
	case len(s.Lhs) > 1 && len(s.Rhs) == 1:
		t.assignResults(s)
	case len(s.Lhs) > 1:
		t.assignSeveral(s)
	case s.Tok == token.DEFINE || s.Tok == token.ASSIGN:
		t.assignOne(s.Lhs[0], t.expr(s.Rhs[0]), s.Tok == token.DEFINE)
	default:
		op := strings.TrimSuffix(s.Tok.String(), "=")
		x, y := t.expr(s.Lhs[0]), t.expr(s.Rhs[0])
		if op == "&^" {
			op, y = "&", "~"+y
		}
		t.line("%s = %s;", x, t.wrap(t.typeOf(s.Lhs[0]), x+" "+op+" "+y))
	}
}

// assignOne assigns a value, or declares a variable with it.
func (t *translator) assignOne(left ast.Expr, value string, define bool) {
	id, ok := left.(*ast.Ident)
	switch {
	case ok && id.Name == "_":
		t.line("(void)%s;", value)
	case ok && define && t.info.Defs[id] != nil:
		t.shadows(id)
		t.line("%s = %s;", t.declare(id, local(id.Name), t.info.Defs[id].Type()), bare(value))
	default:
		t.line("%s = %s;", t.expr(left), bare(value))
	}
}

// shadows refuses a variable of the name of another one that is visible where it is declared: C would take
// its initial value from the new one.
func (t *translator) shadows(id *ast.Ident) {
	scope := t.pkg.Scope().Innermost(id.Pos())
	for scope = scope.Parent(); scope != nil && scope != t.pkg.Scope(); scope = scope.Parent() {
		if o := scope.Lookup(id.Name); o != nil && o.Pos() < id.Pos() {
			t.fail(id, "%s shadows another variable", id.Name)
		}
	}
}

// assignResults takes the results of a function apart.
func (t *translator) assignResults(s *ast.AssignStmt) {
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok {
		t.fail(s, "several variables get the results of functions alone")
		return
	}
	t.temps++
	temp := fmt.Sprintf("results%d", t.temps)
	t.line("struct %s_results %s = %s;", objectName(t.callee(call)), temp, t.expr(call))
	for i, left := range s.Lhs {
		if id, ok := left.(*ast.Ident); ok && id.Name == "_" {
			continue
		}
		t.assignOne(left, fmt.Sprintf("%s.r%d", temp, i), s.Tok == token.DEFINE)
	}
}

// assignSeveral declares variables side by side, or assigns values that do not depend on each other.
func (t *translator) assignSeveral(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		for i, left := range s.Lhs {
			t.assignOne(left, t.expr(s.Rhs[i]), true)
		}
		return
	}
	var values []string
	for _, r := range s.Rhs {
		t.temps++
		name := fmt.Sprintf("value%d", t.temps)
		t.line("%s = %s;", t.declare(r, name, t.typeOf(s.Lhs[len(values)])), t.expr(r))
		values = append(values, name)
	}
	for i, left := range s.Lhs {
		t.assignOne(left, values[i], false)
	}
}

func (t *translator) ifStatement(s *ast.IfStmt) {
	if s.Init != nil {
		t.line("{")
		t.indent++
		t.statement(s.Init)
	}
	t.line("if (%s)", bare(t.expr(s.Cond)))
	t.block(s.Body)
	other := s.Else
	for {
		next, ok := other.(*ast.IfStmt)
		if !ok || next.Init != nil {
			break
		}
		t.line("else if (%s)", bare(t.expr(next.Cond)))
		t.block(next.Body)
		other = next.Else
	}
	if body, ok := other.(*ast.BlockStmt); ok {
		t.line("else")
		t.block(body)
	} else if other != nil {
		t.line("else")
		t.block(&ast.BlockStmt{List: []ast.Stmt{other}})
	}
	if s.Init != nil {
		t.indent--
		t.line("}")
	}
}

// simple is a statement as a part of a for's head.
func (t *translator) simple(s ast.Stmt) string {
	if s == nil {
		return ""
	}
	before, indent := t.out.String(), t.indent
	t.out.Reset()
	t.indent = 0
	t.statement(s)
	lines := strings.Split(strings.TrimSpace(t.out.String()), "\n")
	t.out.Reset()
	t.out.WriteString(before)
	t.indent = indent
	return strings.TrimSuffix(strings.ReplaceAll(strings.Join(lines, " "), ";", ","), ",")
}

func (t *translator) forLoop(s *ast.ForStmt) {
	if s.Init != nil {
		t.line("{")
		t.indent++
		t.statement(s.Init)
	}
	cond := ""
	if s.Cond != nil {
		cond = bare(t.expr(s.Cond))
	}
	t.line("for (; %s; %s)", cond, t.simple(s.Post))
	t.block(s.Body)
	if s.Init != nil {
		t.indent--
		t.line("}")
	}
}

// rangeLoop is a loop over the numbers below one.
func (t *translator) rangeLoop(s *ast.RangeStmt) {
	typ, ok := t.typeOf(s.X).Underlying().(*types.Basic)
	if !ok || typ.Info()&types.IsInteger == 0 || s.Value != nil {
		t.fail(s, "range goes over integers alone")
		return
	}
	t.temps++
	name := fmt.Sprintf("i%d", t.temps)
	limit := fmt.Sprintf("limit%d", t.temps)
	var variable types.Type = typ
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		name, variable = local(id.Name), t.info.Defs[id].Type()
	} else if typ.Info()&types.IsUntyped != 0 {
		variable = types.Typ[types.Int]
	}
	t.line("for (%s = 0, %s = %s; %s < %s; %s++)", t.declare(s, name, variable), limit, t.expr(s.X), name, limit, name)
	t.block(s.Body)
}

func (t *translator) switches(s *ast.SwitchStmt) {
	if s.Init != nil {
		t.fail(s, "a switch begins with no statement")
	}
	if s.Tag == nil {
		t.conditions(s)
		return
	}
	t.line("switch (%s) {", t.expr(s.Tag))
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		for _, e := range clause.List {
			if t.info.Types[e].Value == nil {
				t.fail(e, "a case is no constant")
			}
			t.line("case %s:", t.expr(e))
		}
		if clause.List == nil {
			t.line("default:")
		}
		t.indent++
		t.block(&ast.BlockStmt{List: clause.Body})
		t.line("break;")
		t.indent--
	}
	t.line("}")
}

// conditions is a switch without a value: ifs, out of which a break cannot lead.
func (t *translator) conditions(s *ast.SwitchStmt) {
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.BREAK {
				t.fail(n, "break in a switch without a value")
			}
		}
		return true
	})
	word := "if"
	for i, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			if i != len(s.Body.List)-1 {
				t.fail(clause, "default is not the last case")
			}
			t.line("else")
		} else {
			var conds []string
			for _, e := range clause.List {
				conds = append(conds, t.expr(e))
			}
			t.line("%s (%s)", word, bare(strings.Join(conds, " || ")))
		}
		t.block(&ast.BlockStmt{List: clause.Body})
		word = "else if"
	}
}
