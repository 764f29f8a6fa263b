package main

import (
	"fmt"
	"strconv"
	"strings"

	"gompi/api"
)

func (e *export) addHandle(p api.Param) {
	switch {
	case p.Array:
		e.nonNull(p)
		e.arg(fmt.Sprintf("mpi.%sArray(%s)", goKind(p.Kind), p.Name))
	case p.Dir == api.In && p.Root && p.Kind == "info":
		e.arg("mpi.RootInfo{Name: " + strconv.Quote(p.Name) + ", Handle: " + p.Name + "}")
	case p.Dir == api.In:
		m := method(p.Kind)
		if p.Root {
			m += "OrNull" // the operation checks it, at the root
		}
		e.object("%sObj := a.%s(%q, %s)", p.Name, m, p.Name, p.Name)
		e.arg(p.Name + "Obj")
	case p.Dir == api.InOut:
		e.nonNull(p)
		e.arg(fmt.Sprintf("mpi.%sCell(%s)", goKind(p.Kind), p.Name))
	default:
		e.nonNull(p)
		e.result(p, "mpi.Put%s(%s, %sOut)", goKind(p.Kind), p.Name, p.Name)
		if p.Kind == "request" {
			e.begins, e.request = true, p.Name
		}
		if p.Kind != "request" && p.Kind != "message" { // these come as objects, not as handles
			e.store("a.Made(%sOut)", p.Name)
		}
		if e.f.Null {
			e.c.always, e.c.stores = append(e.c.always, e.c.stores...), nil
		}
	}
}

func (e *export) result(p api.Param, format string, a ...any) {
	e.c.results = append(e.c.results, p.Name+"Out")
	e.store(format, a...)
}

// nonNull checks the address of a result or array; an array of no elements may be NULL, and so may what is
// optional.
func (e *export) nonNull(p api.Param) {
	orNull := ""
	switch {
	case p.Root || p.Array && p.Optional:
		e.later(p) // the other ranks have no such parameter, or the program wants no values
		return
	case p.Optional || p.LargeOnly: // the other twin has no such parameter
		orNull = "OrNull"
	}
	if !p.Array {
		method := "Result"
		if p.Dir == api.InOut {
			method = "Cell"
		}
		e.check("a.%s%s(%q, %s)", method, orNull, p.Name, p.Name)
		return
	}
	method := "Array"
	if p.Dir == api.Out {
		method = "Results"
	}
	if !e.elements(method, p) {
		e.later(p)
	}
}

// elements checks the address of an array if another parameter says its length, and reports whether one does.
func (e *export) elements(method string, p api.Param) bool {
	for _, q := range e.f.Params {
		switch {
		case q.Name != p.Len:
		case q.Dir == api.In && method == "Array":
			e.check("a.Array(%q, %s, %s, %s)", p.Name, p.Name, q.Name, e.elementSize(p))
			return true
		case q.Dir == api.In:
			e.check("a.%s(%q, %s, %s)", method, p.Name, p.Name, q.Name)
			return true
		case q.Dir == api.InOut:
			e.check("a.Room(%q, %s, %q, %s)", p.Name, p.Name, q.Name, q.Name)
			return true
		}
	}
	return false
}

// elementSize is the text of the size in bytes of an element of an array.
func (e *export) elementSize(p api.Param) string {
	switch k := api.Kinds[p.Kind]; {
	case p.Kind == "range":
		return "12"
	case api.Handles[p.Kind] || k.Small != "int" && k.Small != "Fint":
		return "8"
	case k.Poly() && e.f.Large:
		return "mpi.IntSize(wide != 0)"
	}
	return "4"
}

// later notes an address that the operation interprets.
func (e *export) later(p api.Param) {
	if p.Kind == "ptr" {
		return // it is stored, or given to a callback
	}
	class := "mpierr.ErrArg"
	if isBuffer(p) || p.Kind == "mem" {
		class = "mpierr.ErrBuffer"
	}
	e.c.later = append(e.c.later, fmt.Sprintf("{Name: %q, Addr: %s, Class: %s}", p.Name, p.Name, class))
}

func (e *export) addStatus(p api.Param) {
	switch {
	case p.Array:
		if !e.elements("Statuses", p) {
			e.later(p)
		}
		e.arg("mpi.StatusArray(" + p.Name + ")")
	case p.Dir == api.In:
		e.check("%sIn := a.Status(%q, %s)", p.Name, p.Name, p.Name)
		e.arg(p.Name + "In")
	case p.Dir == api.InOut:
		e.nonNull(p)
		e.arg("mpi.StatusCell(" + p.Name + ")")
	default:
		e.check("a.ResultOrNull(%q, %s)", p.Name, p.Name)
		e.c.locals = append(e.c.locals, fmt.Sprintf("var %sOut mpi.CallStatus", p.Name))
		e.arg("&" + p.Name + "Out")
		put := fmt.Sprintf("mpi.PutStatus(%s, &%sOut)", p.Name, p.Name)
		if e.reports("flag") { // a status is left alone where there is nothing to tell
			put = fmt.Sprintf("if flagOut {\n%s\n}", put)
		}
		e.c.always = append(e.c.always, put)
	}
}

func (e *export) addArray(p api.Param) {
	e.nonNull(p)
	wide := ""
	switch k := api.Kinds[p.Kind]; {
	case k.Small != "int" && k.Small != "Fint":
		wide = ", Wide: true"
	case k.Poly() && e.f.Large:
		wide = ", Wide: wide != 0"
	}
	e.arg(fmt.Sprintf("mpi.IntArray{Addr: %s%s}", p.Name, wide))
}

// addValue checks a number by its kind.
func (e *export) addValue(p api.Param) {
	long := p.Name
	if api.Kinds[p.Kind].Large == "int" {
		long = "int(" + p.Name + ")"
	}
	if p.Root {
		e.arg(long) // the operation checks it, at the root
		return
	}
	switch p.Kind {
	case "count", "bytes", "len":
		e.check("a.Count(%q, %s)", p.Name, p.Name)
	case "dest", "source", "anytag":
		e.check("a.%s(%q, %s, %sObj)", goKind(p.Kind), p.Name, p.Name, e.comm())
	case "root":
		e.c.checks = append([]string{fmt.Sprintf("%sHere := a.Root(%q, %s, %sObj)", p.Name, p.Name, p.Name, e.comm())}, e.c.checks...)
		if !e.rootMatters() {
			e.c.checks[0] = "_ = " + strings.SplitN(e.c.checks[0], " := ", 2)[1]
		}
	case "tag":
		e.check("a.Tag(%q, %s)", p.Name, p.Name)
	case "flag":
		long = p.Name + " != 0"
	}
	e.arg(long)
}

// addResult treats a number or address that the operation returns.
func (e *export) addResult(p api.Param) {
	put := "Int64"
	switch k := api.Kinds[p.Kind]; {
	case p.Kind == "flag":
		put = "Flag"
	case k.Large == "int" || k.Large == "T_source_order":
		put = "Int"
	case k.Large == "void" || api.ToolHandles[p.Kind]:
		put = "Address"
	}
	e.nonNull(p)
	wide := "true"
	if widened(p) && e.f.Large {
		put, wide = "Count", "wide != 0"
	}
	switch {
	case p.Dir == api.InOut && (put == "Int64" || put == "Count"):
		e.arg("mpi.CountCell{Addr: " + p.Name + ", Wide: " + wide + "}")
		return
	case p.Dir == api.InOut:
		e.arg("mpi." + put + "Cell(" + p.Name + ")")
		return
	case put == "Count":
		e.result(p, "mpi.PutCount(%s, %sOut, %s)", p.Name, p.Name, wide)
		return
	}
	e.result(p, "mpi.Put%s(%s, %sOut)", put, p.Name, p.Name)
	if p.Kind == "keyval" {
		e.store("a.Made(uintptr(%sOut))", p.Name)
	}
}

// addString treats a string result of bounded length and the length that follows it.
func (e *export) addString(i int) int {
	p := e.f.Params[i]
	e.param(p)
	e.check("a.Result(%q, %s)", p.Name, p.Name)
	length, n := "0", 1
	if i+1 < len(e.f.Params) && e.f.Params[i+1].Name == "resultlen" {
		e.param(e.f.Params[i+1])
		e.nonNull(e.f.Params[i+1])
		length, n = "resultlen", 2
	}
	e.result(p, "mpi.PutText(%s, mpi.Max%s, %s, %sOut)", p.Name, camel(p.Len), length, p.Name)
	return n
}
