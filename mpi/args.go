package mpi

import (
	"strings"

	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/op"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Args is one call from C while its arguments are checked. Each check does nothing but compare when the
// argument is right; the first one that finds something wrong leaves an error, and later ones do not replace
// it.
type Args struct {
	Name string       // of the MPI function, without the suffix of a twin
	on   *object.Base // whose error handler hears of an error; nil for that of MPI_COMM_SELF
	Err  error

	across bool // the caller is the root of an operation between two groups (MPI_ROOT)
	absent bool // the caller has no part in such an operation (MPI_PROC_NULL)

	Later []Argument // those whose memory the operation itself finds
	// the argument whose memory is being tried; for a buffer its three names, with spaces between
	tried string

	Twin int32 // which of the functions of that name was called, as an index of suffixes

	rooms [2]*blockRoom
	noted *noted // for GOMPI_CHECK; nil when nothing is looked for
}

// suffixes are what the names of twins end with: large counts since MPI 4.0, and before.
var suffixes = [...]string{"", "_c", "_x"}

// called is the name of the MPI function with its suffix, for texts.
func (a *Args) called() string { return a.Name + suffixes[a.Twin] }

// Leave is deferred by every export and keeps panics from C.
func (a *Args) Leave(rc *int32) {
	if p := recover(); p != nil {
		*rc = a.panicked(p)
	}
	if a.rooms[0] != nil {
		a.giveBack()
	}
	if a.noted != nil {
		a.noted.leave(*rc)
	}
}

// Fail reports an error of the arguments and is the code to return.
func (a *Args) Fail() int32 {
	if strings.HasPrefix(a.Name, "MPI_File_") {
		absent(a)
	}
	return raise(a.called(), a.on, a.Err)
}

// Done ends a call.
func (a *Args) Done(err error) int32 {
	if err == nil {
		return 0
	}
	return raise(a.called(), a.on, err)
}

func (a *Args) wrong(class mpierr.Class, format string, values ...any) {
	if a.Err == nil {
		a.Err = mpierr.New(class, format, values...)
	}
}

func (a *Args) Comm(name string, h uintptr) *comm.Comm {
	c := lookupComm(h)
	if c == nil {
		return a.otherComm(name, h)
	} else if a.on == nil {
		a.on = &c.Base
	}
	if a.noted != nil {
		a.noted.comm = c
	}
	return c
}

// otherComm treats a handle that names no communicator: MPI_COMM_NULL has a name, and one that is being made
// has all that takes no communication.
func (a *Args) otherComm(name string, h uintptr) *comm.Comm {
	if h == commNull && a.Name == "MPI_Comm_get_name" {
		return nullComm
	}
	c := comms.held(h)
	if c == nil || c.Handle != h {
		a.badComm(name, h)
		return nil
	}
	if !whileMade[a.Name] {
		a.wrong(mpierr.ErrComm, "%s is still being made: the request of its %s has to be completed first", name, c.Origin)
		return nil
	}
	if a.on == nil {
		a.on = &c.Base
	}
	return c
}

func (a *Args) badComm(name string, h uintptr) {
	switch {
	case h == commNull:
		a.wrong(mpierr.ErrComm, "%s is MPI_COMM_NULL", name)
	case h == commWorld || h == commSelf:
		a.wrong(mpierr.ErrComm, "%s is a communicator of the World Model, which exists from MPI_Init to MPI_Finalize", name)
	case a.Err == nil:
		a.Err = badHandle(mpierr.ErrComm, name, h, "a communicator")
	}
}

func (a *Args) Datatype(name string, h uintptr) *datatype.Type {
	t := lookupType(h)
	if t == nil && h == TypeNull && a.Name == "MPI_Type_get_name" {
		return nullType
	}
	if t == nil {
		a.badType(name, h)
	}
	return t
}

func (a *Args) badType(name string, h uintptr) {
	if h == TypeNull {
		a.wrong(mpierr.ErrType, "%s is MPI_DATATYPE_NULL", name)
	} else if a.Err == nil {
		a.Err = badHandle(mpierr.ErrType, name, h, "a datatype")
	}
}

func (a *Args) Op(name string, h uintptr) *op.Op {
	o := lookupOp(h)
	if a.noted != nil {
		a.noted.reduction = o
	}
	if o == nil && h == opNull {
		a.wrong(mpierr.ErrOp, "%s is MPI_OP_NULL", name)
	} else if o == nil && a.Err == nil {
		a.Err = badHandle(mpierr.ErrOp, name, h, "a reduction operation")
	}
	return o
}

// Applies checks that a reduction operation accepts the datatype.
func (a *Args) Applies(name string, o *op.Op, t *datatype.Type) {
	switch {
	case a.absent:
	case !o.Collective():
		a.wrong(mpierr.ErrOp, "%s %s is for one-sided accumulates only", name, o.Name())
	case !o.Valid(t):
		a.wrong(mpierr.ErrOp, "%s %s", name, o.Misfit(t))
	}
}

// Errh finds an error handler. Where it is that of an object to be made, it hears of errors in making it (MPI
// 5.0, 7.4.2 and 11.3.1).
func (a *Args) Errh(name string, h uintptr) *Errhandler {
	e := lookupErrhandler(h)
	if e == nil && a.Err == nil {
		a.Err = badHandle(mpierr.ErrErrhandler, name, h, "an error handler")
	}
	if e != nil && a.on == nil && !strings.HasSuffix(a.Name, "_set_errhandler") {
		a.on = e.holder()
	}
	return e
}

// Request finds a request that may be null.
func (a *Args) Request(name string, h uintptr) *request.Request {
	if h == requestNull {
		return nil
	}
	r := lookupRequest(h)
	if r == nil && a.Err == nil {
		a.Err = badHandle(mpierr.ErrRequest, name, h, "a request")
	}
	return r
}

func (a *Args) Count(name string, v int64) {
	if v < 0 {
		a.negative(name, v)
	}
}

func (a *Args) negative(name string, v int64) {
	a.wrong(mpierr.ErrCount, "%s is %d, must not be negative", name, v)
}

func (a *Args) Dest(name string, v int64, c *comm.Comm) {
	if uint64(v) >= uint64(c.Targets()) && v != p2p.ProcNull {
		a.badRank(name, v, c)
	}
	if a.noted != nil {
		a.noted.peer("to", v)
	}
}

func (a *Args) Source(name string, v int64, c *comm.Comm) {
	if a.noted != nil {
		a.noted.peer("from", v)
	}
	switch {
	case uint64(v) < uint64(c.Targets()) || v == p2p.ProcNull:
	case v == p2p.AnySource:
		wildcard(c, v)
	default:
		a.badRank(name, v, c)
	}
}

func (a *Args) badRank(name string, v int64, c *comm.Comm) {
	a.wrong(mpierr.ErrRank, "%s: rank %d is not in communicator %q of size %d", name, v, c.Label(), c.Targets())
}

// Root checks the root of a collective operation; it reports whether the caller is it.
func (a *Args) Root(name string, v int64, c *comm.Comm) bool {
	if a.noted != nil {
		a.noted.root, a.noted.rooted = int(v), true
	}
	if !c.Inter() {
		if uint64(v) >= uint64(c.Size()) {
			a.wrong(mpierr.ErrRoot, "%s: rank %d is not in communicator %q of size %d", name, v, c.Label(), c.Size())
		}
		return int(v) == c.Rank()
	}
	a.across, a.absent = v == schedule.Root, v == p2p.ProcNull
	if !a.across && !a.absent && uint64(v) >= uint64(c.Targets()) {
		a.wrong(mpierr.ErrRoot, "%s: %d is neither MPI_ROOT, MPI_PROC_NULL nor a rank of the remote group of communicator %q, of size %d",
			name, v, c.Label(), c.Targets())
	}
	return a.across
}

func (a *Args) Tag(name string, v int64) {
	if uint64(v) > p2p.TagUB {
		a.badTag(name, v)
	}
	if a.noted != nil {
		a.noted.tags = append(a.noted.tags, v)
	}
}

func (a *Args) Anytag(name string, v int64, c *comm.Comm) {
	if a.noted != nil {
		a.noted.tags = append(a.noted.tags, v)
	}
	switch {
	case uint64(v) <= p2p.TagUB:
	case v == p2p.AnyTag:
		wildcard(c, v)
	default:
		a.badTag(name, v)
	}
}

func (a *Args) badTag(name string, v int64) {
	a.wrong(mpierr.ErrTag, "%s is %d, must be from 0 to %d (MPI_TAG_UB)", name, v, p2p.TagUB)
}

// isTool reports whether a function is of the tool interface, which has error classes of its own and calls no
// error handler (MPI 5.0, 15.3.9).
func isTool(name string) bool { return strings.HasPrefix(name, "MPI_T_") }

func (a *Args) Status(name string, addr uintptr) request.Status {
	if addr == 0 {
		a.wrong(mpierr.ErrArg, "%s is MPI_STATUS_IGNORE, but the call reads it", name)
		return request.Status{}
	}
	if a.readable(name, addr); a.Err != nil {
		return request.Status{}
	}
	return getStatus(addr)
}

func (a *Args) Text(name string, addr uintptr) string {
	if addr == 0 {
		a.null(name)
		return ""
	}
	if a.Err != nil {
		return ""
	}
	a.tried = name
	text := cString(addr)
	a.tried = ""
	return text
}
