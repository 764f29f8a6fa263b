package fast

import "sync/atomic"

// Errhandler is the record of an error handler of the program's (MPI 5.0, 9.3). But for the references it is
// written when that is made and does not change. C makes error handlers, and frees those for which Go has no
// object.
//
// An object keeps the function of its error handler, so it does not count as a reference.
type Errhandler struct {
	Record
	Kind     ErrhandlerKind
	Uses     uint32 // references that the program has; the last one's end is the error handler's
	Function uintptr
}

// ErrhandlerKind says for which kind of objects an error handler is.
type ErrhandlerKind uint32

// The kinds of objects that have error handlers (object.Kind).
const (
	CommErrhandler ErrhandlerKind = 1 + iota
	WinErrhandler
	FileErrhandler
	SessionErrhandler
)

// PredefinedErrhandlers is how many error handlers are MPI's own.
const PredefinedErrhandlers = 3

// Handles of predefined error handlers (MPI 5.0, 20.3).
const (
	errhandlerNull  uintptr = 0x140
	firstErrhandler uintptr = 0x141
	lastErrhandler  uintptr = 0x143
)

// Errhandlers is the records of error handlers.
type Errhandlers struct {
	Handlers [Chunks]*Errhandler
}

// errhandler is the record of an error handler; nil when there is none.
func (v *Errhandlers) errhandler(handle uintptr) *Errhandler {
	if handle>>KindShift != KindErrhandler {
		return nil
	}
	chunk := v.Handlers[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	h := errhandlerOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&h.Handle) != handle {
		return nil
	}
	return h
}

// Use adds a reference, unless the last one has ended.
func (h *Errhandler) Use() bool {
	for {
		uses := atomic.LoadUint32(&h.Uses)
		if uses == 0 {
			return false
		}
		if atomic.CompareAndSwapUint32(&h.Uses, uses, uses+1) {
			return true
		}
	}
}

// Drop ends a reference, and reports whether there was one. The last one ends here only where it may.
func (h *Errhandler) Drop(last bool) bool {
	for {
		uses := atomic.LoadUint32(&h.Uses)
		if uses == 0 || uses == 1 && !last {
			return false
		}
		if atomic.CompareAndSwapUint32(&h.Uses, uses, uses-1) {
			return true
		}
	}
}

// createErrhandler is MPI_Comm_create_errhandler and its kin.
func createErrhandler(e *Endpoint, kind ErrhandlerKind, function, errhandler uintptr) bool {
	if errhandler < Lowest || function == 0 || e == nil || !inC() {
		return false
	}
	handle := e.takeRecord(KindErrhandler)
	if handle == 0 {
		return false
	}
	h := errhandlerOf(e.Handlers[handle&objectMask>>ChunkBits], handle&chunkMask)
	h.Kind = kind
	h.Function = function
	atomic.StoreUint32(&h.Uses, 1)
	h.publish(handle, errhandler)
	return true
}

// ErrhandlerFree is MPI_Errhandler_free (MPI 5.0, 9.3.4).
func ErrhandlerFree(e *Endpoint, errhandler uintptr) bool {
	if e == nil || errhandler < Lowest {
		return false
	}
	handle := *wordAt(errhandler)
	if handle < firstErrhandler || handle > lastErrhandler {
		h := e.errhandler(handle)
		if h == nil || !h.Drop(h.isLone()) {
			return false
		}
		if atomic.LoadUint32(&h.Uses) == 0 && h.end(handle) {
			e.retire(KindErrhandler, &h.Record, handle)
		}
	}
	*wordAt(errhandler) = errhandlerNull
	return true
}

// getErrhandler is MPI_Comm_get_errhandler and its kin.
func (v *Errhandlers) getErrhandler(o *Object, errhandler uintptr) bool {
	if o == nil || errhandler < Lowest {
		return false
	}
	handle := uintptr(atomic.LoadUint32(&o.Errhandler))
	if handle < PredefinedErrhandlers {
		handle += firstErrhandler
	} else {
		h := v.errhandler(handle)
		if h == nil || !h.Use() {
			return false
		}
	}
	*wordAt(errhandler) = handle
	return true
}

// setErrhandler is MPI_Comm_set_errhandler and its kin.
func (v *Errhandlers) setErrhandler(o *Object, kind ErrhandlerKind, errhandler uintptr) bool {
	if o == nil {
		return false
	}
	function := uintptr(0)
	handle := errhandler - firstErrhandler
	if handle >= PredefinedErrhandlers {
		handle = errhandler
		h := v.errhandler(handle)
		if h == nil || h.Kind != kind {
			return false
		}
		function = h.Function
	}
	if !seize(&o.Changes) {
		return false
	}
	o.Function = function
	atomic.StoreUint32(&o.Errhandler, uint32(handle))
	release(&o.Changes)
	return true
}

// CommCreateErrhandler is MPI_Comm_create_errhandler (MPI 5.0, 9.3.1).
func CommCreateErrhandler(e *Endpoint, function, errhandler uintptr) bool {
	return createErrhandler(e, CommErrhandler, function, errhandler)
}

// CommGetErrhandler is MPI_Comm_get_errhandler (MPI 5.0, 9.3.1).
func CommGetErrhandler(e *Endpoint, comm, errhandler uintptr) bool {
	return e.getErrhandler(e.object(comm), errhandler)
}

// CommSetErrhandler is MPI_Comm_set_errhandler (MPI 5.0, 9.3.1).
func CommSetErrhandler(e *Endpoint, comm, errhandler uintptr) bool {
	return e.setErrhandler(e.object(comm), CommErrhandler, errhandler)
}

// WinCreateErrhandler is MPI_Win_create_errhandler (MPI 5.0, 9.3.2).
func WinCreateErrhandler(e *Endpoint, function, errhandler uintptr) bool {
	return createErrhandler(e, WinErrhandler, function, errhandler)
}

// WinGetErrhandler is MPI_Win_get_errhandler (MPI 5.0, 9.3.2).
func WinGetErrhandler(e *Endpoint, win, errhandler uintptr) bool {
	return e.getErrhandler(e.winObject(win), errhandler)
}

// WinSetErrhandler is MPI_Win_set_errhandler (MPI 5.0, 9.3.2).
func WinSetErrhandler(e *Endpoint, win, errhandler uintptr) bool {
	return e.setErrhandler(e.winObject(win), WinErrhandler, errhandler)
}

// FileCreateErrhandler is MPI_File_create_errhandler (MPI 5.0, 9.3.3).
func FileCreateErrhandler(e *Endpoint, function, errhandler uintptr) bool {
	return createErrhandler(e, FileErrhandler, function, errhandler)
}

// SessionCreateErrhandler is MPI_Session_create_errhandler (MPI 5.0, 9.3.5).
func SessionCreateErrhandler(e *Endpoint, function, errhandler uintptr) bool {
	return createErrhandler(e, SessionErrhandler, function, errhandler)
}
