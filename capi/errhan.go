package main

// #include <stdint.h>
// #include "life.h"
import "C"

import (
	"sync"

	"gompi/runtime/comm"
	"gompi/runtime/mpierr"
)

// Error handlers (MPI 5.0, 9.3).

// errhandler is an error handler of the program's, or a predefined one.
type errhandler struct {
	handler  comm.Errhandler
	object   objectKind // what it is for
	function uintptr    // of a user's handler: void (*)(handle *, int *, ...)
	handle   uintptr    // 0 when the program has freed all its references
	refs     int        // the program's references
}

// objectKind is the kind of object that an error handler is for.
type objectKind uint8

// The kinds; a predefined handler is for all of them.
const (
	ofAll objectKind = iota
	ofComm
	ofWin
	ofFile
	ofSession
)

// is refuses an error handler that was made for objects of another kind (MPI 5.0, 9.3).
func (e *errhandler) is(kind objectKind) error {
	if e.object != ofAll && e.object != kind {
		names := [...]string{ofComm: "communicators", ofWin: "windows", ofFile: "files", ofSession: "sessions"}
		return mpierr.New(mpierr.ErrErrhandler, "errhandler was made for %s, not for %s", names[e.object], names[kind])
	}
	return nil
}

// Predefined error handlers, by handle from MPI_ERRHANDLER_NULL on.
const errhandlerNull = 0x140

var predefinedErrhandlers = [...]*errhandler{
	1: {handler: comm.Errhandler{Mode: comm.Fatal}, handle: errhandlerNull + 1},
	2: {handler: comm.Errhandler{Mode: comm.Abort}, handle: errhandlerNull + 2},
	3: {handler: comm.Errhandler{Mode: comm.Return}, handle: errhandlerNull + 3},
}

var errhandlers = struct {
	table table[errhandler]
	mu    sync.Mutex // guards handle and refs of all error handlers
}{table: table[errhandler]{kind: kindErrhandler}}

func lookupErrhandler(h uintptr) *errhandler {
	if h <= maxPredefined {
		if i := h - errhandlerNull; i > 0 && i < uintptr(len(predefinedErrhandlers)) {
			return predefinedErrhandlers[i]
		}
		return nil
	}
	return errhandlers.table.get(h)
}

// call lets the program deal with an error on the object with the given handle.
func (e *errhandler) call(handle uintptr, code int32) {
	C.gompi_call_handler(C.uintptr_t(e.function), C.uintptr_t(handle), C.int(code))
}

// reference gives the program one more reference to e and returns its handle; 0 when there are too many handlers.
func (e *errhandler) reference() uintptr {
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

func createErrhandler(kind objectKind, name string, function uintptr) (uintptr, error) {
	if function == 0 {
		return 0, mpierr.New(mpierr.ErrArg, "%s is NULL", name)
	}
	e := &errhandler{object: kind, function: function}
	e.handler = comm.Errhandler{Mode: comm.Call, User: e}
	h := e.reference()
	if h == 0 {
		return 0, tooMany("error handlers")
	}
	return h, nil
}

func mpiComm_create_errhandler(function uintptr) (uintptr, error) {
	return createErrhandler(ofComm, "comm_errhandler_fn", function)
}

func mpiWin_create_errhandler(function uintptr) (uintptr, error) {
	return createErrhandler(ofWin, "win_errhandler_fn", function)
}

func mpiFile_create_errhandler(function uintptr) (uintptr, error) {
	return createErrhandler(ofFile, "file_errhandler_fn", function)
}

func mpiSession_create_errhandler(function uintptr) (uintptr, error) {
	return createErrhandler(ofSession, "session_errhandler_fn", function)
}

func mpiErrhandler_free(cell errhCell) error {
	h := loadWord(uintptr(cell))
	e := lookupErrhandler(h)
	if e == nil {
		return badHandle(mpierr.ErrErrhandler, "errhandler", h, "an error handler")
	}
	storeWord(uintptr(cell), errhandlerNull)
	errhandlers.mu.Lock()
	defer errhandlers.mu.Unlock()
	if e.function != 0 {
		if e.refs--; e.refs == 0 {
			errhandlers.table.remove(h)
			e.handle = 0 // communicators may go on using it
		}
	}
	return nil
}

func mpiComm_set_errhandler(c *comm.Comm, e *errhandler) error {
	if err := e.is(ofComm); err != nil {
		return err
	}
	c.SetErrhandler(e.handler)
	return nil
}

func mpiComm_get_errhandler(c *comm.Comm) (uintptr, error) {
	var e *errhandler
	switch h := c.Errhandler(); h.Mode {
	case comm.Call:
		e = h.User.(*errhandler)
	default:
		e = predefinedErrhandlers[1+h.Mode]
	}
	return e.reference(), nil
}

// mpiComm_call_errhandler calls the handler as if the error had happened (MPI 5.0, 9.5.3).
func mpiComm_call_errhandler(c *comm.Comm, code int) error {
	switch h := c.Errhandler(); h.Mode {
	case comm.Return:
	case comm.Call:
		h.User.(*errhandler).call(commHandle(c), int32(code))
	default:
		die(code, "MPI_Comm_call_errhandler: "+textOfCode(code))
	}
	return nil
}
