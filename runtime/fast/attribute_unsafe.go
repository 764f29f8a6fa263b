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

// Address is where the attributes stand, for a record. They are to be kept by Go as long as that is there.
func (a *Attributes) Address() uintptr { return uintptr(unsafe.Pointer(a)) }

// All is the attributes. It may be used between Begin and End.
func (a *Attributes) All() []Attribute { return unsafe.Slice(a.List, a.Count) }

// Begin begins to use the attributes in Go, by one thread at a time, and keeps C from them until End.
func (a *Attributes) Begin() { await(&a.Changes) }

// End ends what Begin has begun.
func (a *Attributes) End() { release(&a.Changes) }

// Append adds an attribute as the one that was set last, between Begin and End. Lists that C may still read
// are not written again.
func (a *Attributes) Append(x Attribute) {
	list := make([]Attribute, a.Count, a.Count+1)
	copy(list, a.All())
	a.Last++
	x.Order = a.Last
	list = append(list, x)
	a.List = &list[0]
	atomic.StoreUint32(&a.Count, uint32(len(list)))
}

// Replace sets attribute i anew, as the one that was set last, between Begin and End.
func (a *Attributes) Replace(i int, x Attribute) {
	a.Last++
	x.Order = a.Last
	a.All()[i] = x
}

// Remove takes attribute i out, between Begin and End.
func (a *Attributes) Remove(i int) {
	list := a.All()
	copy(list[i:], list[i+1:])
	atomic.StoreUint32(&a.Count, uint32(len(list)-1))
}

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
