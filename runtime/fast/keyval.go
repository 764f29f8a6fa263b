package fast

import "sync/atomic"

// Keyval is the record of an attribute key of the program's (MPI 5.0, 7.7), whose number is its handle. It is
// written when the key is made and does not change. C makes keys, and frees those that have never had an
// attribute.
type Keyval struct {
	Record
	Kind         KeyKind
	Copy, Delete uintptr // functions
	Extra        uintptr // their extra_state
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
	k.Copy = copyFunction
	k.Delete = deleteFunction
	k.Extra = extra
	*keyval = int32(h)
	atomic.StoreUintptr(&k.Handle, h)
	return true
}

// freeKeyval is MPI_Comm_free_keyval and its kin, of a key for which Go has no object.
func freeKeyval(e *Endpoint, kind KeyKind, keyval *int32) bool {
	if nowhere(keyval) || e == nil {
		return false
	}
	k := e.keyval(kind, *keyval)
	if k == nil || !k.isLone() || !k.end(uintptr(uint32(*keyval))) {
		return false
	}
	e.retire(KindKeyval, &k.Record, uintptr(uint32(*keyval)))
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
