package fast

import "sync/atomic"

// Kinds of objects, in a handle from bit KindShift on (mpi/handle.go).
const (
	KindShift = 25

	KindDatatype uintptr = 2
	KindGroup    uintptr = 5
	KindInfo     uintptr = 6
	KindOp       uintptr = 7
)

// Objects that C has freed have records that name nothing any more. They stand in a list, Endpoint.Retired,
// by their handles, until the next call into Go ends them (EndRetired). So freeing something takes no call of
// its own.

// retire ends a record and adds it to the list; false when another thread has ended it.
func (o *Objects) retire(at, next *uintptr, handle uintptr) bool {
	if !atomic.CompareAndSwapUintptr(at, handle, 0) {
		return false
	}
	for {
		head := atomic.LoadUint64(&o.Retired)
		*next = uintptr(head)
		if atomic.CompareAndSwapUint64(&o.Retired, head, uint64(handle)) {
			return true
		}
	}
}

// TypeFree is MPI_Type_free (MPI 5.0, 5.1.9) of a datatype without attributes.
func TypeFree(e *Endpoint, datatype uintptr) bool {
	if datatype < Lowest {
		return false
	}
	h := *wordAt(datatype)
	t := e.datatype(h)
	if t == nil || t.Freeable == 0 || atomic.LoadUintptr(&t.Attributes) != 0 ||
		!e.retire(&t.Handle, &t.Next, h) {
		return false
	}
	*wordAt(datatype) = FirstType // MPI_DATATYPE_NULL
	return true
}

// OpFree is MPI_Op_free (MPI 5.0, 6.9.5).
func OpFree(e *Endpoint, op uintptr) bool {
	if op < Lowest {
		return false
	}
	h := *wordAt(op)
	o := e.operation(h)
	if o == nil || o.Freeable == 0 || !e.retire(&o.Handle, &o.Next, h) {
		return false
	}
	*wordAt(op) = opNull
	return true
}

// GroupFree is MPI_Group_free (MPI 5.0, 7.3.3).
func GroupFree(e *Endpoint, group uintptr) bool {
	if group < Lowest {
		return false
	}
	h := *wordAt(group)
	g := e.group(h)
	if g == nil || h == groupEmpty {
		return false
	}
	refs := atomic.LoadUint32(&g.Refs)
	if refs == 1 {
		if !e.retire(&g.Handle, &g.Next, h) {
			return false
		}
	} else if refs == keptGroup || !atomic.CompareAndSwapUint32(&g.Refs, refs, refs-1) {
		return false
	}
	if refs&^keptGroup == 1 {
		e.FreedGroup()
	}
	*wordAt(group) = groupNull
	return true
}
