package main

import (
	"strings"

	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// args is one call from C while its arguments are checked. Each check does nothing but compare when the
// argument is right; the first one that finds something wrong leaves an error, and later ones do not replace
// it.
type args struct {
	name string       // of the MPI function, without the suffix of a twin
	on   *object.Base // whose error handler hears of an error; nil for that of MPI_COMM_SELF
	err  error

	across bool // the caller is the root of an operation between two groups (MPI_ROOT)
	absent bool // the caller has no part in such an operation (MPI_PROC_NULL)

	later []argument // those whose memory the operation itself finds
	// the argument whose memory is being tried; for a buffer its three names, with spaces between
	tried string

	twin int32 // which of the functions of that name was called, as an index of suffixes

	rooms [2]*blockRoom
}

// suffixes are what the names of twins end with: large counts since MPI 4.0, and before.
var suffixes = [...]string{"", "_c", "_x"}

// called is the name of the MPI function with its suffix, for texts.
func (a *args) called() string { return a.name + suffixes[a.twin] }

// leave is deferred by every export and keeps panics from C.
func (a *args) leave(rc *int32) {
	if p := recover(); p != nil {
		*rc = a.panicked(p)
	}
	if a.rooms[0] != nil {
		a.giveBack()
	}
}

// fail reports an error of the arguments and is the code to return.
func (a *args) fail() int32 {
	if strings.HasPrefix(a.name, "MPI_File_") {
		absent(a)
	}
	return raise(a.called(), a.on, a.err)
}

// done ends a call.
func (a *args) done(err error) int32 {
	if err == nil {
		return 0
	}
	return raise(a.called(), a.on, err)
}

func (a *args) wrong(class mpierr.Class, format string, values ...any) {
	if a.err == nil {
		a.err = mpierr.New(class, format, values...)
	}
}

func (a *args) comm(name string, h uintptr) *comm.Comm {
	c := lookupComm(h)
	if c == nil {
		return a.otherComm(name, h)
	} else if a.on == nil {
		a.on = &c.Base
	}
	return c
}

// otherComm treats a handle that names no communicator: MPI_COMM_NULL has a name, and one that is being made
// has all that takes no communication.
func (a *args) otherComm(name string, h uintptr) *comm.Comm {
	if h == commNull && a.name == "MPI_Comm_get_name" {
		return nullComm
	}
	c := comms.held(h)
	if c == nil || c.Handle != h {
		a.badComm(name, h)
		return nil
	}
	if !whileMade[a.name] {
		a.wrong(mpierr.ErrComm, "%s is still being made: the request of its %s has to be completed first", name, c.Origin)
		return nil
	}
	if a.on == nil {
		a.on = &c.Base
	}
	return c
}

func (a *args) badComm(name string, h uintptr) {
	switch {
	case h == commNull:
		a.wrong(mpierr.ErrComm, "%s is MPI_COMM_NULL", name)
	case h == commWorld || h == commSelf:
		a.wrong(mpierr.ErrComm, "%s is a communicator of the World Model, which exists from MPI_Init to MPI_Finalize", name)
	case a.err == nil:
		a.err = badHandle(mpierr.ErrComm, name, h, "a communicator")
	}
}

func (a *args) datatype(name string, h uintptr) *datatype.Type {
	t := lookupType(h)
	if t == nil && h == typeNull && a.name == "MPI_Type_get_name" {
		return nullType
	}
	if t == nil {
		a.badType(name, h)
	}
	return t
}

func (a *args) badType(name string, h uintptr) {
	if h == typeNull {
		a.wrong(mpierr.ErrType, "%s is MPI_DATATYPE_NULL", name)
	} else if a.err == nil {
		a.err = badHandle(mpierr.ErrType, name, h, "a datatype")
	}
}

func (a *args) op(name string, h uintptr) *op.Op {
	o := lookupOp(h)
	if o == nil && h == opNull {
		a.wrong(mpierr.ErrOp, "%s is MPI_OP_NULL", name)
	} else if o == nil && a.err == nil {
		a.err = badHandle(mpierr.ErrOp, name, h, "a reduction operation")
	}
	return o
}

// applies checks that a reduction operation accepts the datatype.
func (a *args) applies(name string, o *op.Op, t *datatype.Type) {
	switch {
	case a.absent:
	case !o.Collective():
		a.wrong(mpierr.ErrOp, "%s %s is for one-sided accumulates only", name, o.Name())
	case !o.Valid(t):
		a.wrong(mpierr.ErrOp, "%s %s does not accept elements of type %s", name, o.Name(), t.Name())
	}
}

// errh finds an error handler. Where it is that of an object to be made, it hears of errors in making it (MPI
// 5.0, 7.4.2 and 11.3.1).
func (a *args) errh(name string, h uintptr) *errhandler {
	e := lookupErrhandler(h)
	if e == nil && a.err == nil {
		a.err = badHandle(mpierr.ErrErrhandler, name, h, "an error handler")
	}
	if e != nil && a.on == nil && !strings.HasSuffix(a.name, "_set_errhandler") {
		a.on = e.holder()
	}
	return e
}

// request finds a request that may be null.
func (a *args) request(name string, h uintptr) *request.Request {
	if h == requestNull {
		return nil
	}
	r := lookupRequest(h)
	if r == nil && a.err == nil {
		a.err = badHandle(mpierr.ErrRequest, name, h, "a request")
	}
	return r
}

func (a *args) count(name string, v int64) {
	if v < 0 {
		a.negative(name, v)
	}
}

func (a *args) negative(name string, v int64) {
	a.wrong(mpierr.ErrCount, "%s is %d, must not be negative", name, v)
}

func (a *args) dest(name string, v int64, c *comm.Comm) {
	if uint64(v) >= uint64(c.Targets()) && v != p2p.ProcNull {
		a.badRank(name, v, c)
	}
}

func (a *args) source(name string, v int64, c *comm.Comm) {
	switch {
	case uint64(v) < uint64(c.Targets()) || v == p2p.ProcNull:
	case v == p2p.AnySource:
		wildcard(c, v)
	default:
		a.badRank(name, v, c)
	}
}

func (a *args) badRank(name string, v int64, c *comm.Comm) {
	a.wrong(mpierr.ErrRank, "%s: rank %d is not in communicator %q of size %d", name, v, c.Label(), c.Targets())
}

// root checks the root of a collective operation; it tells whether the caller is it.
func (a *args) root(name string, v int64, c *comm.Comm) bool {
	if !c.Inter() {
		if uint64(v) >= uint64(c.Size()) {
			a.wrong(mpierr.ErrRoot, "%s: rank %d is not in communicator %q of size %d", name, v, c.Label(), c.Size())
		}
		return int(v) == c.Rank()
	}
	a.across, a.absent = v == coll.Root, v == p2p.ProcNull
	if !a.across && !a.absent && uint64(v) >= uint64(c.Targets()) {
		a.wrong(mpierr.ErrRoot, "%s: %d is neither MPI_ROOT, MPI_PROC_NULL nor a rank of the remote group of communicator %q, of size %d",
			name, v, c.Label(), c.Targets())
	}
	return a.across
}

func (a *args) tag(name string, v int64) {
	if uint64(v) > p2p.TagUB {
		a.badTag(name, v)
	}
}

func (a *args) anytag(name string, v int64, c *comm.Comm) {
	switch {
	case uint64(v) <= p2p.TagUB:
	case v == p2p.AnyTag:
		wildcard(c, v)
	default:
		a.badTag(name, v)
	}
}

func (a *args) badTag(name string, v int64) {
	a.wrong(mpierr.ErrTag, "%s is %d, must be from 0 to %d (MPI_TAG_UB)", name, v, p2p.TagUB)
}

// isTool tells whether a function is of the tool interface, which has error classes of its own and calls no
// error handler (MPI 5.0, 15.3.9).
func isTool(name string) bool { return strings.HasPrefix(name, "MPI_T_") }

func (a *args) status(name string, addr uintptr) request.Status {
	if addr == 0 {
		a.wrong(mpierr.ErrArg, "%s is MPI_STATUS_IGNORE, but the call reads it", name)
		return request.Status{}
	}
	if a.readable(name, addr); a.err != nil {
		return request.Status{}
	}
	return getStatus(addr)
}

func (a *args) text(name string, addr uintptr) string {
	if addr == 0 {
		a.null(name)
		return ""
	}
	if a.err != nil {
		return ""
	}
	a.tried = name
	text := cString(addr)
	a.tried = ""
	return text
}

// noBuffer stands for a buffer that is significant at the root only.
var noBuffer = datatype.Buffer{Type: datatype.ByHandle(typeByte)}

// buffer checks a message buffer that a call reads. names are those of its three parameters, with spaces
// between.
func (a *args) buffer(names string, addr uintptr, count int64, datatypeHandle uintptr) datatype.Buffer {
	t := lookupType(datatypeHandle)
	b := datatype.Buffer{Addr: addr, Count: count, Type: t}
	if t == nil || count < 0 || addr < lowest || !t.Committed() {
		return a.oddBuffer(names, b, datatypeHandle)
	}
	if b.TooLarge() {
		a.tooLarge(names, b)
	} else if first, size := b.Span(); size > 0 {
		a.readable(names, addr+uintptr(first))
		a.readable(names, addr+uintptr(first+size)-1)
	}
	return b
}

// target checks a message buffer that a call writes to. Only its begin is tried: programs may count more
// elements than there is memory for, as long as no message has so many.
func (a *args) target(names string, addr uintptr, count int64, datatypeHandle uintptr) datatype.Buffer {
	t := lookupType(datatypeHandle)
	b := datatype.Buffer{Addr: addr, Count: count, Type: t}
	if t == nil || count < 0 || addr < lowest || !t.Committed() {
		return a.oddBuffer(names, b, datatypeHandle)
	}
	if b.TooLarge() {
		a.tooLarge(names, b)
	} else if first, size := b.Span(); size > 0 {
		a.writable(names, addr+uintptr(first))
	}
	return b
}

// sourceAtRoot is buffer at the root of a collective operation, and target elsewhere.
func (a *args) sourceAtRoot(root bool, names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if root {
		return a.buffer(names, addr, count, datatypeHandle)
	}
	return a.target(names, addr, count, datatypeHandle)
}

// bufferOrInPlace is buffer where MPI_IN_PLACE is allowed, with which count and datatype are ignored.
func (a *args) bufferOrInPlace(names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if addr == datatype.InPlace {
		b := noBuffer
		b.Addr = datatype.InPlace
		return b
	}
	return a.buffer(names, addr, count, datatypeHandle)
}

// inPlaceAtRoot is bufferOrInPlace at the root of a collective operation, and buffer elsewhere. At the root
// of an operation between two groups it means nothing.
func (a *args) inPlaceAtRoot(root bool, names string, addr uintptr, count int64,
	datatypeHandle uintptr) datatype.Buffer {
	if a.across {
		return noBuffer
	}
	if root {
		return a.bufferOrInPlace(names, addr, count, datatypeHandle)
	}
	return a.buffer(names, addr, count, datatypeHandle)
}

// unused is a buffer whose count and datatype count, but not its address.
func (a *args) unused(names string, count int64, datatypeHandle uintptr) datatype.Buffer {
	b := datatype.Buffer{Count: count, Type: lookupType(datatypeHandle)}
	if b.Type == nil || count < 0 || !b.Type.Committed() || b.TooLarge() {
		a.oddBuffer(names, b, datatypeHandle)
		return noBuffer
	}
	return b
}

func (a *args) tooLarge(names string, b datatype.Buffer) {
	n := strings.Fields(names)
	a.wrong(mpierr.ErrCount, "%s is %d: as many elements of %s, of %d bytes, are more than any memory", n[1], b.Count, b.Type.Name(), max(b.Type.Size(), b.Type.Extent()))
}

// oddBuffer finds what is wrong with a buffer, if anything is. It is for all buffers at addresses below
// lowest, among them the constants of the standard: MPI_BOTTOM, MPI_IN_PLACE.
func (a *args) oddBuffer(names string, b datatype.Buffer, datatypeHandle uintptr) datatype.Buffer {
	if a.absent {
		return noBuffer
	}
	n := strings.Fields(names)
	switch {
	case b.Count < 0:
		a.count(n[1], b.Count)
	case b.Type == nil && b.Count == 0 && datatypeHandle == typeNull:
		return noBuffer // programs do so for messages without data, and MPICH takes it
	case b.Type == nil:
		a.badType(n[2], datatypeHandle)
	case !b.Type.Committed():
		a.wrong(mpierr.ErrType, "%s is %s that has not been committed", n[2], b.Type.Name())
	case b.Addr == datatype.InPlace:
		a.wrong(mpierr.ErrBuffer, "%s is MPI_IN_PLACE, which is not allowed here or not at this rank", n[0])
	case b.TooLarge():
		a.tooLarge(names, b)
	case absolute(b):
		a.readable(names, b.Addr+uintptr(b.Type.TrueLB()))
	case b.Bytes() > 0 && b.Addr == 0:
		a.wrong(mpierr.ErrBuffer, "%s is NULL, but %s is %d", n[0], n[1], b.Count)
	case b.Bytes() > 0:
		a.wrong(mpierr.ErrBuffer, "%s is %#x, which is no buffer", n[0], b.Addr)
	}
	return b
}

// absolute reports whether a buffer below all memory has a type whose displacements are addresses (MPI 5.0,
// 5.1.12).
func absolute(b datatype.Buffer) bool {
	first, size := b.Span()
	return size > 0 && first >= lowest
}
