package fast

import "sync/atomic"

// Keyval is the record of an attribute key of the program's (MPI 5.0, 7.7), whose number is its handle. But
// for its uses it is written when the key is made and does not change. C makes keys, and frees them.
type Keyval struct {
	Record
	Kind         KeyKind
	InC          uint32  // 1: the delete function is one of a program in C, or none
	Uses         uint32  // one of the program, one of each attribute, and KeyFreed
	Copy, Delete uintptr // functions
	Extra        uintptr // their extra_state
}

// KeyFreed in Keyval.Uses says that the program has freed the key, under which it can set nothing any more.
const KeyFreed uint32 = 1 << 31

// IsFreed reports whether the program has freed the key.
func (k *Keyval) IsFreed() bool { return atomic.LoadUint32(&k.Uses)&KeyFreed != 0 }

// TakeUse adds an attribute of the program's, and is false where the program has freed the key.
func (k *Keyval) TakeUse() bool {
	for {
		uses := atomic.LoadUint32(&k.Uses)
		if uses&KeyFreed != 0 {
			return false
		}
		if atomic.CompareAndSwapUint32(&k.Uses, uses, uses+1) {
			return true
		}
	}
}

// EndUse ends a use, and reports whether it was the last one of a key that the program has freed.
func (k *Keyval) EndUse() bool { return atomic.AddUint32(&k.Uses, ^uint32(0)) == KeyFreed }

// MarkFreed notes that the program frees the key; false if it has before. The program's use ends then.
func (k *Keyval) MarkFreed() bool {
	for {
		uses := atomic.LoadUint32(&k.Uses)
		if uses&KeyFreed != 0 {
			return false
		}
		if atomic.CompareAndSwapUint32(&k.Uses, uses, uses|KeyFreed) {
			return true
		}
	}
}

// endUse ends a use of a key, and the key with the last one.
func (o *Objects) endUse(k *Keyval, handle uintptr) {
	if k.EndUse() && k.end(handle) {
		o.retire(KindKeyval, &k.Record, handle)
	}
}

// KeyKind says for which kind of objects a key is.
type KeyKind uint32

// The kinds of objects that have attributes (attr.Kind).
const (
	CommKeys KeyKind = iota
	TypeKeys
	WinKeys
)

// Keyvals is the records of attribute keys.
type Keyvals struct {
	Keys [Chunks]*Keyval
}

// keyval is the record of a key of a kind; nil when there is none.
func (v *Keyvals) keyval(kind KeyKind, number int32) *Keyval {
	handle := uintptr(uint32(number))
	chunk := v.Keys[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	k := keyvalOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&k.Handle) != handle || k.Kind != kind {
		return nil
	}
	return k
}

// createKeyval is MPI_Comm_create_keyval and its kin.
func createKeyval(e *Endpoint, kind KeyKind, copyFunction, deleteFunction uintptr, keyval *int32,
	extra uintptr) bool {
	if nowhere(keyval) || e == nil || !inC() {
		return false
	}
	h := e.takeRecord(KindKeyval)
	if h == 0 {
		return false
	}
	k := keyvalOf(e.Keys[h&objectMask>>ChunkBits], h&chunkMask)
	k.Kind = kind
	k.InC = 1
	k.Copy = copyFunction
	k.Delete = deleteFunction
	k.Extra = extra
	atomic.StoreUint32(&k.Uses, 1)
	*keyval = int32(h)
	atomic.StoreUintptr(&k.Handle, h)
	return true
}

// freeKeyval is MPI_Comm_free_keyval and its kin. Doing so again, while attributes hang on the key, changes
// nothing.
func freeKeyval(e *Endpoint, kind KeyKind, keyval *int32) bool {
	if nowhere(keyval) || e == nil {
		return false
	}
	handle := uintptr(uint32(*keyval))
	k := e.keyval(kind, *keyval)
	if k == nil {
		return false
	}
	if k.MarkFreed() {
		e.endUse(k, handle)
	}
	*keyval = 0 // MPI_KEYVAL_INVALID
	return true
}

// CommCreateKeyval is MPI_Comm_create_keyval (MPI 5.0, 7.7.2).
func CommCreateKeyval(e *Endpoint, copyFunction, deleteFunction uintptr, keyval *int32, extra uintptr) bool {
	return createKeyval(e, CommKeys, copyFunction, deleteFunction, keyval, extra)
}

// CommFreeKeyval is MPI_Comm_free_keyval.
func CommFreeKeyval(e *Endpoint, keyval *int32) bool { return freeKeyval(e, CommKeys, keyval) }

// TypeCreateKeyval is MPI_Type_create_keyval (MPI 5.0, 7.7.4).
func TypeCreateKeyval(e *Endpoint, copyFunction, deleteFunction uintptr, keyval *int32, extra uintptr) bool {
	return createKeyval(e, TypeKeys, copyFunction, deleteFunction, keyval, extra)
}

// TypeFreeKeyval is MPI_Type_free_keyval.
func TypeFreeKeyval(e *Endpoint, keyval *int32) bool { return freeKeyval(e, TypeKeys, keyval) }

// WinCreateKeyval is MPI_Win_create_keyval (MPI 5.0, 7.7.3).
func WinCreateKeyval(e *Endpoint, copyFunction, deleteFunction uintptr, keyval *int32, extra uintptr) bool {
	return createKeyval(e, WinKeys, copyFunction, deleteFunction, keyval, extra)
}

// WinFreeKeyval is MPI_Win_free_keyval.
func WinFreeKeyval(e *Endpoint, keyval *int32) bool { return freeKeyval(e, WinKeys, keyval) }
