//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"
)

// recordOf is the record at the index that a handle has, whether or not it names anything; nil where none has
// been made.
func recordOf[T any](chunks *[Chunks]*T, record func(*T, uintptr) *T, handle uintptr) *T {
	chunk := chunks[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	return record(chunk, handle&chunkMask)
}

// addRecord makes the record of an object with a handle, in which the handle is the first word: it is written
// behind all else. An error is a *shm.NoMemory.
func addRecord[T any](chunks *[Chunks]*T, record func(*T, uintptr) *T, handle uintptr, from T) (*T, error) {
	if err := grow(chunks, handle&objectMask); err != nil {
		return nil, err
	}
	head := func(r *T) *uintptr { return (*uintptr)(unsafe.Pointer(r)) }
	r := recordOf(chunks, record, handle)
	*head(&from) = 0
	*r = from
	atomic.StoreUintptr(head(r), handle)
	return r, nil
}

// drop makes a record name nothing, if it is still that of a handle or C has freed it, and reports whether
// that is so.
func (r *Record) drop(handle uintptr) bool {
	return r.end(handle) || atomic.LoadUintptr(&r.Handle) == 0
}

// HasPrepared reports whether C has free records of a kind.
func (o *Objects) HasPrepared(kind uintptr) bool {
	return uint32(atomic.LoadUint64(&o.Prepared[kind])) != 0
}

// Prepare gives C a free record. handle is what the next object there is to have. It reports false when
// there is no memory.
func (o *Objects) Prepare(handle uintptr) bool {
	if o.makeRecord(handle) != nil {
		return false
	}
	kind := handle >> KindShift
	o.giveRecord(kind, o.record(kind, handle), handle)
	return true
}

// makeRecord makes the chunk of records for a handle, unless it is there.
func (o *Objects) makeRecord(handle uintptr) error {
	index := handle & objectMask
	switch handle >> KindShift {
	case KindErrhandler:
		return grow(&o.Handlers, index)
	case KindDatatype:
		return grow(&o.Types, index)
	case KindGroup:
		return grow(&o.Groups, index)
	case KindInfo:
		return grow(&o.Infos, index)
	case KindKeyval:
		return grow(&o.Keys, index)
	}
	return grow(&o.Operations, index)
}

// Claim notes that Go has an object for a record that C has made. It reports false when that has ended, or
// Go has one already.
func (o *Objects) Claim(handle uintptr) bool {
	r := o.record(handle>>KindShift, handle)
	return atomic.LoadUintptr(&r.Handle) == handle && atomic.CompareAndSwapUint32(&r.Lone, 1, 0)
}

// HasRetired reports whether there is anything for EndRetired to do.
func (o *Objects) HasRetired() bool { return atomic.LoadUint64(&o.Retired) != 0 }

// EndRetired calls drop with the handles of all objects that C has freed. It ends their records.
func (o *Objects) EndRetired(drop func(handle uintptr)) {
	for h := uintptr(atomic.SwapUint64(&o.Retired, 0)); h != 0; {
		next := o.record(h>>KindShift, h).Next
		drop(h)
		h = next
	}
}
