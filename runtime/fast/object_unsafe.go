//fast:go

package fast

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// objectAt is the object at an address, which is not 0.
//
//fast:c ((struct fast_object *)(%0))
func objectAt(addr uintptr) *Object { return (*Object)(at(addr)) }

// nameAt is the name at an address; nil for 0.
//
//fast:c ((struct fast_name *)(%0))
func nameAt(addr uintptr) *Name { return (*Name)(at(addr)) }

// byteAt is byte i at an address.
//
//fast:c ((const uint8_t *)(%0))[%1]
func byteAt(addr uintptr, i uint64) uint8 { return *(*uint8)(at(addr + uintptr(i))) }

// Address is where the object stands, for a record. It is to be kept by Go as long as that is there.
func (o *Object) Address() uintptr { return uintptr(unsafe.Pointer(o)) }

// Address is Object.Address for a name.
func (n *Name) Address() uintptr { return uintptr(unsafe.Pointer(n)) }

// Handler is the handle of the object's error handler, that of a predefined one less that of
// MPI_ERRORS_ARE_FATAL, and its function if it is the program's.
func (o *Object) Handler() (handle, function uintptr) {
	for {
		before := atomic.LoadUint32(&o.Changes)
		handle, function = uintptr(atomic.LoadUint32(&o.Errhandler)), atomic.LoadUintptr(&o.Function)
		if unchanged(&o.Changes, before) {
			return handle, function
		}
		runtime.Gosched()
	}
}

// StartHandler is SetHandler for an object that nobody else knows yet.
func (o *Object) StartHandler(from *Object) {
	handle, function := from.Handler()
	o.Errhandler, o.Function = uint32(handle), function
}

// SetHandler changes the error handler.
func (o *Object) SetHandler(handle, function uintptr) {
	await(&o.Changes)
	defer release(&o.Changes)
	atomic.StoreUintptr(&o.Function, function)
	atomic.StoreUint32(&o.Errhandler, uint32(handle))
}

// String is the name.
func (n *Name) String() string {
	await(&n.Changes)
	defer release(&n.Changes)
	return string(n.Text[:n.Length])
}

// Set changes the name. What does not fit is cut off.
func (n *Name) Set(text string) {
	await(&n.Changes)
	defer release(&n.Changes)
	n.Length = uint32(copy(n.Text[:MaxName-1], text))
	n.Text[n.Length] = 0
}

// SetTypeName lets C find the name of a datatype that has a record.
func (d *Datatypes) SetTypeName(handle uintptr, n *Name) {
	if t := d.datatype(handle); t != nil {
		atomic.StoreUintptr(&t.Name, n.Address())
	}
}
