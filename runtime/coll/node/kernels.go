package node

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
)

// Which predefined operations and datatypes package fast combines by itself.

// combined calls f for each predefined operation with each datatype that package fast combines by it.
func combined(f func(o *op.Op, t *datatype.Type, kind uint8)) {
	for _, o := range op.All() {
		for _, t := range datatype.All() {
			if kind := op.Kinds[t.Basic()]; kind != 0 && o.Collective() && whole(t) && o.Valid(t) {
				f(o, t, kind)
			}
		}
	}
}

// whole reports whether t is what its representation is in C: of other types than pairs, elements without
// gaps.
func whole(t *datatype.Type) bool { return t.Size() == t.Extent() || t.Kind() == datatype.ValueIndex }

// OpenReductions lets package fast combine elements in the collective operations of an endpoint.
func OpenReductions(e *fast.Endpoint) {
	combined(func(o *op.Op, t *datatype.Type, kind uint8) {
		e.Reductions[uintptr(o.Handle())-fast.FirstOp][uintptr(t.Handle())-fast.FirstType] = kind
	})
	e.SetKernel(kernel)
}

// kernel is a fast.Kernel with the operations of package op, for what Go runs of package fast.
func kernel(o uintptr, kind uint32, out, a, b uintptr, n uint32) {
	by := op.ByHandle(uint32(o))
	for _, t := range datatype.All() {
		if uint32(op.Kinds[t.Basic()]) == kind && whole(t) && by.Valid(t) {
			by.Combine(out, a, b, int64(n), t)
			return
		}
	}
}
