//fast:go

package fast

import (
	"slices"
	"strings"
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

// pairOf is the entry at an address.
//
//fast:c ((struct fast_info_entry *)(%0))
func pairOf(addr uintptr) *InfoEntry { return (*InfoEntry)(at(addr)) }

var (
	_ = [1]struct{}{}[unsafe.Sizeof(InfoList{})-infoListSize]
	_ = [1]struct{}{}[unsafe.Sizeof(InfoEntry{})-infoEntrySize]
)

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
	_, _ = addRecord(&o.Infos, infoOf, handle, Info{List: uintptr(unsafe.Pointer(l))})
}

// IsLoneInfo reports whether there is an info object for which Go has none.
func (o *Objects) IsLoneInfo(handle uintptr) bool {
	r := o.info(handle)
	return r != nil && r.isLone()
}

// ClaimInfo is Claim for an info object, whose list becomes l.
func (o *Objects) ClaimInfo(handle uintptr, l *InfoList) bool {
	r := o.info(handle)
	if r == nil || !r.isLone() {
		return false
	}
	if atomic.CompareAndSwapUintptr(&r.List, 0, uintptr(unsafe.Pointer(l))) {
		return o.Claim(handle)
	}
	was := atomic.LoadUintptr(&r.List)
	infoListAt(was).Lock() // for good: C leaves it to Go until the record has the other list
	if !o.Claim(handle) {
		return false
	}
	l.Set(infoListAt(was).Copy())
	atomic.StoreUintptr(&r.List, uintptr(unsafe.Pointer(l)))
	o.arena.putPiece(was, infoPiece)
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
	return InfoEntry{Key: unsafe.StringData(key), KeyLength: uint32(len(key)),
		Value: unsafe.StringData(value), ValueLength: uint32(len(value))}
}

// InfoEntryWithRoom is an entry with memory of its own for its value: that may become another one.
func InfoEntryWithRoom(key, value string) InfoEntry {
	x := NewInfoEntry(key, value)
	x.Room = (uint64(len(value)) + infoRoom) &^ (infoRoom - 1)
	x.keep(make([]byte, x.Room), value)
	return x
}

// keep puts the value into memory.
func (x *InfoEntry) keep(room []byte, value string) {
	x.Value, x.ValueLength = unsafe.SliceData(room), uint32(copy(room, value))
}

// Replace gives the entry another value, and reports false where there is no room for it. The list is locked.
func (x *InfoEntry) Replace(value string) bool {
	if x.Room == 0 || uint64(len(value)) > x.Room {
		return false
	}
	x.keep(unsafe.Slice(x.Value, x.Room), value)
	return true
}

// Strings is what NewInfoEntry was given, or what the value is by now. That must not be kept.
func (x *InfoEntry) Strings() (key, value string) {
	return unsafe.String(x.Key, x.KeyLength), unsafe.String(x.Value, x.ValueLength)
}

// Lock keeps C and other threads from the list. It waits for them.
func (l *InfoList) Lock() { await(&l.Changes) }

// Unlock ends Lock.
func (l *InfoList) Unlock() { release(&l.Changes) }

// Entries is the entries. The list is locked.
func (l *InfoList) Entries() []InfoEntry { return unsafe.Slice(l.List, l.Count) }

// Set replaces the entries, which are the caller's no longer. The list is locked.
func (l *InfoList) Set(list []InfoEntry) {
	l.List = unsafe.SliceData(list)
	atomic.StoreUint32(&l.Count, uint32(len(list)))
}

// With is the entries and one more. The list is locked.
func (l *InfoList) With(x InfoEntry) []InfoEntry { return append(slices.Clip(l.Entries()), x) }

// Copy is the entries, each with memory of its own where the value may become another one. The list is
// locked.
func (l *InfoList) Copy() []InfoEntry {
	all := slices.Clone(l.Entries())
	for i := range all {
		if key, value := all[i].Strings(); all[i].Room > 0 {
			all[i] = InfoEntryWithRoom(strings.Clone(key), value)
		}
	}
	return all
}
