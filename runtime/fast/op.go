package fast

import "sync/atomic"

// Op is the record of a reduction operation. It is written when the operation gets its handle and does not
// change.
type Op struct {
	Handle   uintptr // by which the program names it; 0 when it is none. Written last
	Commutes uint32  // 1: it is commutative
}

// OpCommutative is MPI_Op_commutative (MPI 5.0, 6.9.7).
func OpCommutative(e *Endpoint, op uintptr, commute *int32) bool {
	chunk := e.Operations[op&objectMask>>ChunkBits]
	if chunk == nil || nowhere(commute) {
		return false
	}
	o := opOf(chunk, op&chunkMask)
	if atomic.LoadUintptr(&o.Handle) != op {
		return false
	}
	*commute = int32(o.Commutes)
	return true
}
