package main

import (
	"fmt"

	"gompi/api"
)

// isBuffer reports whether p is a message buffer.
func isBuffer(p api.Param) bool { return p.Kind == "buf" || p.Kind == "cbuf" }

// addBuffers merges (buf, count, datatype) or (buf, buf, count, datatype) at i into one Buffer for each buf.
// It returns the number of parameters merged, 0 when there is no such group at i.
func (e *export) addBuffers(i int) int {
	ps := e.f.Params[i:]
	n := 0
	for n < len(ps) && isBuffer(ps[n]) {
		n++
	}
	if n == 0 || n > 2 || len(ps) < n+2 {
		return 0
	}
	count, dtype := ps[n], ps[n+1]
	if count.Array || dtype.Array || dtype.Kind != "type" || (count.Kind != "count" && count.Kind != "num") {
		return 0
	}
	e.begins = true
	for _, p := range ps[:n+2] {
		e.param(p)
	}
	for _, p := range ps[:n] {
		e.addBuffer(p, count, dtype, n == 1)
	}
	if o := e.operation(); o != "" && n == 2 {
		e.check("if a.Err == nil {\na.Applies(%q, %sObj, %sBuf.Type)\n}", o, o, ps[1].Name)
	}
	return n + 2
}

// addBuffer makes a Buffer of a buffer, which is the only one of its count and datatype if alone.
func (e *export) addBuffer(p, count, dtype api.Param, alone bool) {
	method := "Buffer"
	switch {
	case p.Kind == "cbuf":
		method = "BufferOrInPlace"
	case p.Dir != api.In:
		method = "Target"
	}
	names := fmt.Sprintf("%q", p.Name+" "+count.Name+" "+dtype.Name)
	call := fmt.Sprintf("a.%s(%s, %s, %s, %s)", method, names, p.Name, count.Name, dtype.Name)
	if o := e.operation(); o != "" && alone && p.Dir == api.In {
		call = fmt.Sprintf("a.Operand(%sObj, %s, %s, %s, %s)", o, names, p.Name, count.Name, dtype.Name)
	}
	if e.has("root") && (p.Kind == "cbuf" || p.Dir == api.InOut) {
		method = map[bool]string{true: "InPlaceAtRoot", false: "SourceAtRoot"}[p.Kind == "cbuf"]
		call = fmt.Sprintf("a.%s(rootHere, %s, %s, %s, %s)", method, names, p.Name, count.Name, dtype.Name)
	}
	unused := fmt.Sprintf("a.Unused(%s, %s, %s)", names, count.Name, dtype.Name)
	switch {
	case p.Root && count.Root:
		e.check("%sBuf := mpi.NoBuffer\nif rootHere {\n%sBuf = %s\n}", p.Name, p.Name, call)
	case p.Root:
		e.check("%sBuf := %s\nif rootHere {\n%sBuf = %s\n}", p.Name, unused, p.Name, call)
	case e.degree(p) != "":
		e.check("%sBuf := %s\nif %s > 0 {\n%sBuf = %s\n}", p.Name, unused, e.degree(p), p.Name, call)
	default:
		e.check("%sBuf := %s", p.Name, call)
	}
	e.arg(p.Name + "Buf")
}

// has reports whether the function has a parameter of a kind.
func (e *export) has(kind string) bool {
	for _, p := range e.f.Params {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

// operation is the name of the parameter that is a reduction operation, "" if there is none.
func (e *export) operation() string {
	for _, p := range e.f.Params {
		if p.Kind == "op" && p.Dir == api.In {
			return p.Name
		}
	}
	return ""
}
