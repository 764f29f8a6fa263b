package mpi

import (
	"errors"
	"sync/atomic"

	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/session"
)

// Error handlers (MPI 5.0, 9.3).

// Errhandler is an error handler of the program's, or a predefined one.
type Errhandler struct {
	handler object.Errhandler
	record  *fast.Errhandler            // nil for a predefined one
	alone   atomic.Pointer[object.Base] // see holder
}

// is refuses an error handler that was made for objects of another kind (MPI 5.0, 9.3).
func (e *Errhandler) is(kind object.Kind) error {
	if e.record != nil && e.kind() != kind {
		names := [...]string{object.Comm: "communicators", object.Win: "windows", object.File: "files", object.Session: "sessions"}
		return mpierr.New(mpierr.ErrErrhandler, "errhandler was made for %s, not for %s", names[e.kind()], names[kind])
	}
	return nil
}

// kind is what an error handler of the program's is for.
func (e *Errhandler) kind() object.Kind { return object.Kind(e.record.Kind) }

// holder is an object that has e and nothing else, in the place of one that could not be made.
func (e *Errhandler) holder() *object.Base {
	if b := e.alone.Load(); b != nil {
		return b
	}
	b := &object.Base{Kind: object.Comm}
	if e.record != nil {
		b.Kind = e.kind()
	}
	b.SetErrhandler(e.handler)
	e.alone.Store(b)
	return b
}

// The kinds of objects have the same numbers in package fast.
var (
	_ = [1]struct{}{}[fast.CommErrhandler-fast.ErrhandlerKind(object.Comm)]
	_ = [1]struct{}{}[fast.SessionErrhandler-fast.ErrhandlerKind(object.Session)]
)

// Predefined error handlers, by handle from MPI_ERRHANDLER_NULL on.
const errhandlerNull = 0x140

var predefinedErrhandlers = [...]*Errhandler{
	1: {handler: object.Errhandler{Mode: object.Fatal}},
	2: {handler: object.Errhandler{Mode: object.Abort}},
	3: {handler: object.Errhandler{Mode: object.Return}},
}

var errhandlers = table[Errhandler]{kind: kindErrhandler}

func lookupErrhandler(h uintptr) *Errhandler {
	if h <= maxPredefined {
		if i := h - errhandlerNull; i > 0 && i < uintptr(len(predefinedErrhandlers)) {
			return predefinedErrhandlers[i]
		}
		return nil
	}
	return errhandlers.get(h)
}

// errCalled is what a successful MPI_..._call_errhandler ends with.
var errCalled = errors.New("the error handler is to be called")

// errhandlerOf is the error handler with a record and a handle.
func errhandlerOf(r *fast.Errhandler, h uintptr) *Errhandler {
	return &Errhandler{record: r,
		handler: object.Errhandler{Mode: object.Call, Handle: h, Function: r.Function}}
}

// newErrhandler makes an error handler and gives the program a reference to it.
func newErrhandler(kind object.Kind, function uintptr) (uintptr, error) {
	errhandlers.prepare()
	h := errhandlers.reserve()
	if h == 0 {
		return errhandlerNull, tooMany("error handlers")
	}
	r := &fast.Errhandler{Kind: fast.ErrhandlerKind(kind), Function: function, Uses: 1}
	if endpoint := recording(); endpoint != nil {
		if record := endpoint.AddErrhandler(h, r); record != nil {
			r = record
		}
	}
	errhandlers.fill(h, errhandlerOf(r, h))
	return h, nil
}

func createErrhandler(kind object.Kind, name string, function uintptr) (uintptr, error) {
	if function == 0 {
		return 0, mpierr.New(mpierr.ErrArg, "%s is NULL", name)
	}
	return newErrhandler(kind, function)
}

func CommCreateErrhandler(function uintptr) (uintptr, error) {
	return createErrhandler(object.Comm, "comm_errhandler_fn", function)
}

func WinCreateErrhandler(function uintptr) (uintptr, error) {
	return createErrhandler(object.Win, "win_errhandler_fn", function)
}

func FileCreateErrhandler(function uintptr) (uintptr, error) {
	return createErrhandler(object.File, "file_errhandler_fn", function)
}

func SessionCreateErrhandler(function uintptr) (uintptr, error) {
	return createErrhandler(object.Session, "session_errhandler_fn", function)
}

func ErrhandlerFree(cell ErrhCell) error {
	h := LoadWord(uintptr(cell))
	e := lookupErrhandler(h)
	if e == nil {
		return badHandle(mpierr.ErrErrhandler, "errhandler", h, "an error handler")
	}
	if e.record != nil && e.record.Drop(true) && e.record.End(h) {
		errhandlers.remove(h) // objects may go on using its function
	}
	StoreWord(uintptr(cell), errhandlerNull)
	return nil
}

// setErrhandler attaches an error handler to an object, which refuses those that were made for objects of
// other kinds.
func setErrhandler(b *object.Base, e *Errhandler) error {
	if err := e.is(b.Kind); err != nil {
		return err
	}
	b.SetErrhandler(e.handler)
	return nil
}

// getErrhandler gives the program a reference to the error handler of an object. To one that the program has
// freed meanwhile it gets a new handle.
func getErrhandler(b *object.Base) (uintptr, error) {
	has := b.Errhandler()
	if has.Mode != object.Call {
		return errhandlerNull + 1 + uintptr(has.Mode), nil
	}
	if e := lookupErrhandler(has.Handle); e != nil && e.record.Use() {
		return has.Handle, nil
	}
	found := uintptr(0)
	errhandlers.each(func(h uintptr, e *Errhandler) {
		if found == 0 && e.kind() == b.Kind && e.handler.Function == has.Function && e.record.Use() {
			found = h
		}
	})
	if found != 0 {
		return found, nil
	}
	return newErrhandler(b.Kind, has.Function)
}

// callErrhandler calls the handler of an object as if the error had happened (MPI 5.0, 9.5.3). name is the
// function by which the program asks for it.
func callErrhandler(name string, b *object.Base, code int) error {
	switch h := b.Errhandler(); h.Mode {
	case object.Return:
	case object.Call:
		host.SetHandler(h.Function, baseHandle(b), int32(code))
		return errCalled
	default:
		die(code, name+": "+textOfCode(code))
	}
	return nil
}

func CommSetErrhandler(c *comm.Comm, e *Errhandler) error { return setErrhandler(&c.Base, e) }

func CommGetErrhandler(c *comm.Comm) (uintptr, error) { return getErrhandler(&c.Base) }

func SessionSetErrhandler(s *session.Session, e *Errhandler) error {
	return setErrhandler(&s.Base, e)
}

func SessionGetErrhandler(s *session.Session) (uintptr, error) { return getErrhandler(&s.Base) }

func SessionCallErrhandler(s *session.Session, code int) error {
	return callErrhandler("MPI_Session_call_errhandler", &s.Base, code)
}

func CommCallErrhandler(c *comm.Comm, code int) error {
	return callErrhandler("MPI_Comm_call_errhandler", &c.Base, code)
}
