//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// keyvalOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func keyvalOf(chunk *Keyval, i uintptr) *Keyval {
	return (*Keyval)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// AddKeyval makes the record of a key with a handle, like one that is in Go alone. Without memory there is
// none: nil.
func (v *Keyvals) AddKeyval(handle uintptr, like *Keyval) *Keyval {
	k, _ := addRecord(&v.Keys, keyvalOf, handle, *like)
	return k
}

// LoneKeyval is the record of a key for which Go has no object; nil when there is none.
func (v *Keyvals) LoneKeyval(handle uintptr) *Keyval {
	k := recordOf(&v.Keys, keyvalOf, handle)
	if k == nil || atomic.LoadUintptr(&k.Handle) != handle || !k.isLone() {
		return nil
	}
	return k
}

// DropKeyval ends the record of the key behind a handle.
func (v *Keyvals) DropKeyval(handle uintptr) {
	if k := recordOf(&v.Keys, keyvalOf, handle); k != nil {
		k.drop(handle)
	}
}

// TakeCopiedUse adds an attribute that a duplicate gets, also of a key that the program has freed.
func (k *Keyval) TakeCopiedUse() { atomic.AddUint32(&k.Uses, 1) }
