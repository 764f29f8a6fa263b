//fast:go

package fast

import "sync/atomic"

// recordOf is the record at the index that a handle has, whether or not it names anything; nil where none has
// been made.
func recordOf[T any](chunks *[Chunks]*T, record func(*T, uintptr) *T, handle uintptr) *T {
	chunk := chunks[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	return record(chunk, handle&chunkMask)
}

// end makes a record name nothing, if it is still that of a handle or C has freed it, and reports whether
// that is so.
func end(at *uintptr, handle uintptr) bool {
	return atomic.CompareAndSwapUintptr(at, handle, 0) || atomic.LoadUintptr(at) == 0
}

// HasRetired reports whether there is anything for EndRetired to do.
func (o *Objects) HasRetired() bool { return atomic.LoadUint64(&o.Retired) != 0 }

// EndRetired calls drop with the handles of all objects that C has freed. It ends their records.
func (o *Objects) EndRetired(drop func(handle uintptr)) {
	for h := uintptr(atomic.SwapUint64(&o.Retired, 0)); h != 0; {
		next := *o.link(h)
		drop(h)
		h = next
	}
}

// link is where the record of a retired object says what the next one in the list is.
func (o *Objects) link(handle uintptr) *uintptr {
	switch handle >> KindShift {
	case KindDatatype:
		return &recordOf(&o.Types, typeOf, handle).Next
	case KindGroup:
		return &recordOf(&o.Groups, groupOf, handle).Next
	case KindInfo:
		return &recordOf(&o.Infos, infoOf, handle).Next
	}
	return &recordOf(&o.Operations, opOf, handle).Next
}
