//fast:go

package fast

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// infoOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func infoOf(chunk *Info, i uintptr) *Info {
	return (*Info)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// infoListAt is the list at an address.
//
//fast:c ((struct fast_info_list *)(%0))
func infoListAt(addr uintptr) *InfoList { return (*InfoList)(at(addr)) }

// pairAt is element i of a list.
//
//fast:c (%0 + %1)
func pairAt(list *InfoEntry, i uint32) *InfoEntry {
	return (*InfoEntry)(unsafe.Add(unsafe.Pointer(list), uintptr(i)*unsafe.Sizeof(*list)))
}

// pointerAt is byte i at an address, to write it.
//
//fast:c ((uint8_t *)(%0) + %1)
func pointerAt(addr uintptr, i uint64) *uint8 { return (*uint8)(at(addr + uintptr(i))) }

// AddInfo makes the record of an info object, which has a handle. Without memory there is none, and package
// mpi deals with the object.
func (o *Objects) AddInfo(handle uintptr, l *InfoList) {
	if grow(&o.Infos, handle&objectMask) != nil {
		return
	}
	r := recordOf(&o.Infos, infoOf, handle)
	r.Lone, r.List = 0, uintptr(unsafe.Pointer(l))
	atomic.StoreUintptr(&r.Handle, handle)
}

// IsLoneInfo reports whether there is an info object for which Go has none.
func (o *Objects) IsLoneInfo(handle uintptr) bool {
	r := o.info(handle)
	return r != nil && r.isLone()
}

// ClaimInfo is Claim for an info object, whose list is l.
func (o *Objects) ClaimInfo(handle uintptr, l *InfoList) bool {
	if !o.Claim(handle) {
		return false
	}
	atomic.StoreUintptr(&o.info(handle).List, uintptr(unsafe.Pointer(l)))
	return true
}

// DropInfo ends the record of an info object.
func (o *Objects) DropInfo(handle uintptr) {
	if r := recordOf(&o.Infos, infoOf, handle); r != nil {
		r.drop(handle)
	}
}

// NewInfoEntry is an entry for C.
func NewInfoEntry(key, value string) InfoEntry {
	return InfoEntry{unsafe.StringData(key), unsafe.StringData(value), uint32(len(key)), uint32(len(value))}
}

// Strings is what NewInfoEntry was given.
func (x *InfoEntry) Strings() (key, value string) {
	return unsafe.String(x.Key, x.KeyLength), unsafe.String(x.Value, x.ValueLength)
}

// Entries is the entries. The list must not be changed.
func (l *InfoList) Entries() []InfoEntry { return unsafe.Slice(l.List, l.Count) }

// Set replaces the list, by one thread at a time. It is the caller's no longer.
func (l *InfoList) Set(list []InfoEntry) {
	atomic.AddUint32(&l.Changes, 1)
	l.List = unsafe.SliceData(list)
	atomic.StoreUint32(&l.Count, uint32(len(list)))
	atomic.AddUint32(&l.Changes, 1)
}

// With is the list with one more entry, in memory of its own.
func (l *InfoList) With(x InfoEntry) []InfoEntry { return append(slices.Clip(l.Entries()), x) }
