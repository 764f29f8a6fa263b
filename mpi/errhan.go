package mpi

import (
	"errors"
	"sync"

	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/session"
)

// Error handlers (MPI 5.0, 9.3).

// Errhandler is an error handler of the program's, or a predefined one.
type Errhandler struct {
	handler  object.Errhandler
	kind     object.Kind // what it is for; 0 for a predefined one, which is for all
	function uintptr     // of a user's handler: void (*)(handle *, int *, ...)
	handle   uintptr     // 0 when the program has freed all its references
	refs     int         // the program's references
}

// is refuses an error handler that was made for objects of another kind (MPI 5.0, 9.3).
func (e *Errhandler) is(kind object.Kind) error {
	if e.kind != 0 && e.kind != kind {
		names := [...]string{object.Comm: "communicators", object.Win: "windows", object.File: "files", object.Session: "sessions"}
		return mpierr.New(mpierr.ErrErrhandler, "errhandler was made for %s, not for %s", names[e.kind], names[kind])
	}
	return nil
}

// holder is an object that has e and nothing else, in the place of one that could not be made.
func (e *Errhandler) holder() *object.Base {
	b := &object.Base{Kind: max(e.kind, object.Comm)}
	b.SetErrhandler(e.handler)
	return b
}

// Predefined error handlers, by handle from MPI_ERRHANDLER_NULL on.
const errhandlerNull = 0x140

var predefinedErrhandlers = [...]*Errhandler{
	1: {handler: object.Errhandler{Mode: object.Fatal}, handle: errhandlerNull + 1},
	2: {handler: object.Errhandler{Mode: object.Abort}, handle: errhandlerNull + 2},
	3: {handler: object.Errhandler{Mode: object.Return}, handle: errhandlerNull + 3},
}

var errhandlers = struct {
	table table[Errhandler]
	mu    sync.Mutex // guards handle and refs of all error handlers
}{table: table[Errhandler]{kind: kindErrhandler}}

func lookupErrhandler(h uintptr) *Errhandler {
	if h <= maxPredefined {
		if i := h - errhandlerNull; i > 0 && i < uintptr(len(predefinedErrhandlers)) {
			return predefinedErrhandlers[i]
		}
		return nil
	}
	return errhandlers.table.get(h)
}

// call lets the program deal with an error on the object with the given handle, when the call into Go has
// ended.
func (e *Errhandler) call(handle uintptr, code int32) {
	host.SetHandler(e.function, handle, code)
}

// errCalled is what a successful MPI_..._call_errhandler ends with.
var errCalled = errors.New("the error handler is to be called")

// reference gives the program one more reference to e and returns its handle; 0 when there are too many
// handlers.
func (e *Errhandler) reference() uintptr {
	errhandlers.mu.Lock()
	defer errhandlers.mu.Unlock()
	if e.function == 0 {
		return e.handle
	}
	if e.handle == 0 {
		e.handle = errhandlers.table.put(e)
	}
	e.refs++
	return e.handle
}

func createErrhandler(kind object.Kind, name string, function uintptr) (uintptr, error) {
	if function == 0 {
		return 0, mpierr.New(mpierr.ErrArg, "%s is NULL", name)
	}
	e := &Errhandler{kind: kind, function: function}
	e.handler = object.Errhandler{Mode: object.Call, User: e}
	h := e.reference()
	if h == 0 {
		return 0, tooMany("error handlers")
	}
	return h, nil
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
	StoreWord(uintptr(cell), errhandlerNull)
	errhandlers.mu.Lock()
	defer errhandlers.mu.Unlock()
	if e.function != 0 {
		if e.refs--; e.refs == 0 {
			errhandlers.table.remove(h)
			e.handle = 0 // objects may go on using it
		}
	}
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

// getErrhandler gives the program a reference to the error handler of an object.
func getErrhandler(b *object.Base) (uintptr, error) {
	var e *Errhandler
	switch h := b.Errhandler(); h.Mode {
	case object.Call:
		e = h.User.(*Errhandler)
	default:
		e = predefinedErrhandlers[1+h.Mode]
	}
	h := e.reference()
	if h == 0 {
		return errhandlerNull, tooMany("error handlers")
	}
	return h, nil
}

// callErrhandler calls the handler of an object as if the error had happened (MPI 5.0, 9.5.3). name is the
// function by which the program asks for it.
func callErrhandler(name string, b *object.Base, code int) error {
	switch h := b.Errhandler(); h.Mode {
	case object.Return:
	case object.Call:
		h.User.(*Errhandler).call(baseHandle(b), int32(code))
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
