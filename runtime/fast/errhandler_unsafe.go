//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// errhandlerOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func errhandlerOf(chunk *Errhandler, i uintptr) *Errhandler {
	return (*Errhandler)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// LoneErrhandler is the record of an error handler for which Go has no object; nil when there is none.
func (v *Errhandlers) LoneErrhandler(handle uintptr) *Errhandler {
	if h := v.errhandler(handle); h != nil && h.isLone() {
		return h
	}
	return nil
}

// AddErrhandler makes the record of an error handler with a handle, like one that is in Go alone. Without
// memory there is none: nil.
func (v *Errhandlers) AddErrhandler(handle uintptr, like *Errhandler) *Errhandler {
	h, _ := addRecord(&v.Handlers, errhandlerOf, handle, *like)
	return h
}

// End follows when the program has ended a reference, and reports whether that was the last one. Nothing has
// the handle then.
func (h *Errhandler) End(handle uintptr) bool {
	if atomic.LoadUint32(&h.Uses) != 0 {
		return false
	}
	h.drop(handle)
	return true
}
