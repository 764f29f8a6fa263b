package fast

import "sync/atomic"

// Op is the record of a reduction operation. It is written when the operation gets its handle and does not
// change.
type Op struct {
	Handle   uintptr // by which the program names it; 0 when it is none. Written last
	Function uintptr // MPI_User_function of the program's; 0 for those of other kinds
	Next     uintptr // in Endpoint.Retired
	Commutes uint32  // 1: it is commutative
	Freeable uint32  // 1: it is one of the program's
}

// operation is the record of a reduction operation; nil when there is none.
func (o *Objects) operation(handle uintptr) *Op {
	chunk := o.Operations[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	record := opOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&record.Handle) != handle {
		return nil
	}
	return record
}

// OpCommutative is MPI_Op_commutative (MPI 5.0, 6.9.7).
func OpCommutative(e *Endpoint, op uintptr, commute *int32) bool {
	o := e.operation(op)
	if o == nil || nowhere(commute) {
		return false
	}
	*commute = int32(o.Commutes)
	return true
}
