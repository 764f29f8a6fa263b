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

// loadsBefore keeps loads that stand before it from being carried out after those behind it.
//
//fast:c __atomic_thread_fence(__ATOMIC_ACQUIRE)
func loadsBefore() {}

// byteAt is byte i at an address.
//
//fast:c ((const uint8_t *)(%0))[%1]
func byteAt(addr uintptr, i uint64) uint8 { return *(*uint8)(at(addr + uintptr(i))) }

// Address is where the object stands, for a record. It is to be kept by Go as long as that is there.
func (o *Object) Address() uintptr { return uintptr(unsafe.Pointer(o)) }

// Address is Object.Address for a name.
func (n *Name) Address() uintptr { return uintptr(unsafe.Pointer(n)) }

// lock keeps C and other threads from the name until unlock.
func (n *Name) lock() {
	for ; ; runtime.Gosched() {
		before := atomic.LoadUint32(&n.Changes)
		if before%2 == 0 && atomic.CompareAndSwapUint32(&n.Changes, before, before+1) {
			return
		}
	}
}

func (n *Name) unlock() { atomic.AddUint32(&n.Changes, 1) }

// String is the name.
func (n *Name) String() string {
	n.lock()
	defer n.unlock()
	return string(n.Text[:n.Length])
}

// Set changes the name. What does not fit is cut off.
func (n *Name) Set(text string) {
	n.lock()
	defer n.unlock()
	n.Length = uint32(copy(n.Text[:MaxName-1], text))
	n.Text[n.Length] = 0
}

// SetTypeName lets C find the name of a datatype that has a record.
func (e *Endpoint) SetTypeName(handle uintptr, n *Name) {
	if t := e.datatype(handle); t != nil {
		atomic.StoreUintptr(&t.Name, n.Address())
	}
}
