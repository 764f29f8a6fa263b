package fast

import "sync/atomic"

// Op is the record of a reduction operation. It is written when the operation gets its handle and does not
// change.
type Op struct {
	Record
	Function uintptr // MPI_User_function of the program's; 0 for those of other kinds
	Large    uintptr // MPI_User_function_c of the program's; 0 for those of other kinds
	Commutes uint32  // 1: it is commutative
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

// opAt is the record of an operation that there was, which lasts as long as something names it.
func (o *Objects) opAt(handle uintptr) *Op {
	return opOf(o.Operations[handle&objectMask>>ChunkBits], handle&chunkMask)
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

// OpCreate is MPI_Op_create (MPI 5.0, 6.9.5).
func OpCreate(e *Endpoint, function uintptr, commute int32, op uintptr) bool {
	return e.createOp(function, 0, commute, op)
}

// OpCreateC is MPI_Op_create_c.
func OpCreateC(e *Endpoint, function uintptr, commute int32, op uintptr) bool {
	return e.createOp(0, function, commute, op)
}

// createOp makes an operation of a function of either kind.
func (o *Objects) createOp(function, large uintptr, commute int32, op uintptr) bool {
	if function|large == 0 || op < Lowest {
		return false
	}
	h := o.takeRecord(KindOp)
	if h == 0 {
		return false
	}
	r := opOf(o.Operations[h&objectMask>>ChunkBits], h&chunkMask)
	r.Function = function
	r.Large = large
	r.Commutes = 0
	if commute != 0 {
		r.Commutes = 1
	}
	r.publish(h, op)
	return true
}

// OpFree is MPI_Op_free (MPI 5.0, 6.9.5). A collective operation that names its record goes on in Go before
// that ends.
func OpFree(e *Endpoint, op uintptr) bool {
	if op < Lowest {
		return false
	}
	h := *wordAt(op)
	o := e.operation(h)
	if o == nil || o.Function|o.Large == 0 || o.isLone() && atomic.LoadUint32(&e.Collectives) != 0 ||
		!o.end(h) {
		return false
	}
	e.retire(KindOp, &o.Record, h)
	*wordAt(op) = opNull
	return true
}
