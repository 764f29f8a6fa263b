package main

import (
	"fmt"

	"gompi/api"
)

// addBlocks merges (buf, counts, displs, datatype) or (buf, counts, displs, datatypes) at i, and (buf, buf,
// counts, datatype) of a reduction, into what the operations take. It returns the number of parameters
// merged, 0 when there is no such group at i.
func (e *export) addBlocks(i int) int {
	ps := e.f.Params[i:]
	switch {
	case len(ps) >= 4 && isBuffer(ps[0]) && isCounts(ps[1]) && ps[2].Array && ps[3].Kind == "type":
		e.blocks(ps[0], ps[1], ps[2], ps[3])
	case len(ps) >= 4 && isBuffer(ps[0]) && isBuffer(ps[1]) && isCounts(ps[2]) && ps[3].Kind == "type":
		e.shares(ps[0], ps[1], ps[2], ps[3])
	default:
		return 0
	}
	e.begins = true
	return 4
}

func isCounts(p api.Param) bool { return p.Array && p.Kind == "count" }

// numbers is the text of an array of counts or displacements.
func (e *export) numbers(p api.Param) string {
	switch k := api.Kinds[p.Kind]; {
	case k.Small != "int":
		return fmt.Sprintf("mpi.IntArray{Addr: %s, Wide: true}", p.Name)
	case e.f.Large:
		return fmt.Sprintf("mpi.IntArray{Addr: %s, Wide: wide != 0}", p.Name)
	}
	return fmt.Sprintf("mpi.IntArray{Addr: %s}", p.Name)
}

// degree is the text of the number of neighbors that a buffer is for; "" where it is for all ranks.
func (e *export) degree(buf api.Param) string {
	switch {
	case e.f.Chapter != "topo":
		return ""
	case buf.Dir == api.In:
		return fmt.Sprintf("a.Outdegree(%sObj)", e.comm())
	}
	return fmt.Sprintf("a.Indegree(%sObj)", e.comm())
}

func (e *export) blocks(buf, counts, displs, dtype api.Param) {
	for _, p := range []api.Param{buf, counts, displs, dtype} {
		e.param(p)
	}
	method, types := "Blocks", dtype.Name
	if dtype.Array {
		method, types = "TypedBlocks", "mpi.TypeArray("+dtype.Name+")"
	}
	e.check("%sBlocks := mpi.NoBlocks", buf.Name)
	n := e.degree(buf)
	if n == "" {
		n = e.comm() + "Obj.Targets()"
	}
	call := fmt.Sprintf("%sBlocks = a.%s(%q, %s, %s, %s, %s, %s, %v)", buf.Name, method,
		buf.Name+" "+counts.Name+" "+displs.Name+" "+dtype.Name, buf.Name, e.numbers(counts),
		e.numbers(displs), types, n, buf.Dir != api.In)
	switch {
	case buf.Root:
		e.check("if rootHere {\n%s\n}", call)
	case buf.Kind == "cbuf":
		e.check("if %s == mpi.InPlace {\n%sBlocks = a.InPlaceBlocks()\n} else {\n%s\n}", buf.Name, buf.Name, call)
	default:
		e.check("%s", call)
	}
	e.arg("&" + buf.Name + "Blocks")
}

func (e *export) shares(send, recv, counts, dtype api.Param) {
	for _, p := range []api.Param{send, recv, counts, dtype} {
		e.param(p)
	}
	names := " " + counts.Name + " " + dtype.Name
	e.check("%sAll := a.RecvCounts(%q, %s, %sObj.Size())\nall, own := mpi.Shares(%sAll, %s, %sObj)",
		counts.Name, counts.Name, e.numbers(counts), e.comm(), counts.Name, send.Name, e.comm())
	e.check("%sBuf := a.BufferOrInPlace(%q, %s, all, %s)", send.Name, send.Name+names, send.Name, dtype.Name)
	e.check("%sBuf := a.Target(%q, %s, own, %s)", recv.Name, recv.Name+names, recv.Name, dtype.Name)
	o := e.operation()
	e.check("if a.Err == nil {\na.Applies(%q, %sObj, %sBuf.Type)\n}", o, o, recv.Name)
	e.arg(send.Name + "Buf")
	e.arg(recv.Name + "Buf")
	e.arg(counts.Name + "All")
}
