package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
)

// Which predefined operations and datatypes package fast combines by itself.

// kinds are the kinds of elements that it combines, by the datatypes that consist of them.
var kinds = [datatype.Basics]uint8{
	datatype.Int8: fast.ElementInt8, datatype.Uint8: fast.ElementUint8, datatype.Logical8: fast.ElementUint8,
	datatype.Int16: fast.ElementInt16, datatype.Uint16: fast.ElementUint16,
	datatype.Logical16: fast.ElementUint16,
	datatype.Int32:     fast.ElementInt32, datatype.Uint32: fast.ElementUint32,
	datatype.Logical32: fast.ElementUint32,
	datatype.Int64:     fast.ElementInt64, datatype.Uint64: fast.ElementUint64,
	datatype.Logical64: fast.ElementUint64,
	datatype.Float32:   fast.ElementFloat, datatype.Float64: fast.ElementDouble,
}

// combined calls f for each predefined operation with each datatype that package fast combines by it.
func combined(f func(o *op.Op, t *datatype.Type, kind uint8)) {
	for _, o := range op.All() {
		for _, t := range datatype.All() {
			if kind := kinds[t.Basic()]; kind != 0 && o.Collective() && t.Size() == t.Extent() && o.Valid(t) {
				f(o, t, kind)
			}
		}
	}
}

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
		if uint32(kinds[t.Basic()]) == kind && t.Size() == t.Extent() && by.Valid(t) {
			by.Combine(out, a, b, int64(n), t)
			return
		}
	}
}
