//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// attributesAt is the attributes at an address; nil for 0.
//
//fast:c ((struct fast_attributes *)(%0))
func attributesAt(addr uintptr) *Attributes { return (*Attributes)(at(addr)) }

// attributeAt is element i of a list.
//
//fast:c (%0 + %1)
func attributeAt(list *Attribute, i uint32) *Attribute {
	return (*Attribute)(unsafe.Add(unsafe.Pointer(list), uintptr(i)*unsafe.Sizeof(*list)))
}

// inC reports whether the calling thread's values of attributes are those of C.
//
//fast:c (gompi_thread->callers == NULL)
func inC() bool { return true }

// callDelete calls a delete function of a program in C, and is its error code.
//
//fast:c gompi_delete_value(%0, %1, %2, %3, %4)
func callDelete(function, object uintptr, keyval int32, value, extra uintptr) int32 { return 0 }

// Address is where the attributes stand, for a record. They are to be kept by Go as long as that is there.
func (a *Attributes) Address() uintptr { return uintptr(unsafe.Pointer(a)) }

// All is the attributes. It may be used between Begin and End.
func (a *Attributes) All() []Attribute { return unsafe.Slice(a.List, a.Count) }

// Begin begins to use the attributes in Go, by one thread at a time, and keeps C from them until End.
func (a *Attributes) Begin() { await(&a.Changes) }

// End ends what Begin has begun.
func (a *Attributes) End() { release(&a.Changes) }

// leastRoom is for how many attributes there is room at first.
const leastRoom = 4

// Append adds an attribute as the one that was set last, between Begin and End. copies says that its key has
// a copy function. A list that C may still read is not written again when there is a larger one.
func (a *Attributes) Append(x Attribute, copies bool) {
	n := a.Count
	if n == a.Room {
		list := make([]Attribute, max(2*n, leastRoom))
		copy(list, a.All())
		a.List = &list[0]
		a.Room = uint32(len(list))
	}
	a.Last++
	x.Order = a.Last
	*attributeAt(a.List, n) = x
	atomic.StoreUint32(&a.Count, n+1)
	if copies {
		a.Copies++
	}
}

// Replace sets attribute i anew, as the one that was set last, between Begin and End.
func (a *Attributes) Replace(i int, x Attribute) {
	a.Last++
	x.Order = a.Last
	a.All()[i] = x
}

// Remove takes attribute i out, between Begin and End. copies says that its key has a copy function.
func (a *Attributes) Remove(i int, copies bool) { a.takeOut(attributeAt(a.List, uint32(i)), copies) }

// SetTypeAttributes lets C find the attributes of a datatype that has a record.
func (d *Datatypes) SetTypeAttributes(handle uintptr, a *Attributes) {
	if t := d.datatype(handle); t != nil {
		atomic.StoreUintptr(&t.Attributes, a.Address())
	}
}

// SetAttribute says where the value of a predefined attribute of communicators stands.
func (o *Objects) SetAttribute(keyval int, addr uintptr) {
	atomic.StoreUintptr(&o.Facts.Attributes[keyval-int(keyTagUB)], addr)
}
