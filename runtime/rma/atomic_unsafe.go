package rma

import (
	"sync/atomic"
	"unsafe"

	"gompi/runtime/fast"
)

// Elements of 4 or 8 bytes in mapped memory, aligned to their size, are changed by the processor's
// atomic instructions: by package fast, or here where it does not know the type or the operation.

// at makes an address outside Go's heap a pointer.
func at[T any](addr uintptr) *T { return *(**T)(unsafe.Pointer(&addr)) }

// atomically combines n elements at addr.
func (j *job) atomically(addr uintptr, n int64) {
	size, op := j.basic.Size(), uintptr(j.f.Handle())
	if kind := j.w.Desc.Endpoint.Element(uintptr(j.basic.Handle())); fast.Combines(kind, op) {
		in := j.in
		if op == fast.OpNoOp {
			in = addr // there are no operands
		}
		fast.CombineRow(kind, op, addr, in, j.old, uint64(n*size))
		return
	}
	for i := range n {
		at := uintptr(i * size)
		before := j.work + 8
		if j.old != 0 {
			before = j.old + at
		}
		if size == 8 {
			j.combine64(addr+at, j.in+at, before)
		} else {
			j.combine32(addr+at, j.in+at, before)
		}
	}
}

// combine64 combines the element at addr with the operand at in until nobody is faster, and leaves
// at before what was there before.
func (j *job) combine64(addr, in, before uintptr) {
	for {
		old := atomic.LoadUint64(at[uint64](addr))
		*at[uint64](j.work) = old
		j.single(in)
		if atomic.CompareAndSwapUint64(at[uint64](addr), old, *at[uint64](j.work)) {
			*at[uint64](before) = old
			return
		}
	}
}

func (j *job) combine32(addr, in, before uintptr) {
	for {
		old := atomic.LoadUint32(at[uint32](addr))
		*at[uint32](j.work) = old
		j.single(in)
		if atomic.CompareAndSwapUint32(at[uint32](addr), old, *at[uint32](j.work)) {
			*at[uint32](before) = old
			return
		}
	}
}

// single combines the element at work.
func (j *job) single(in uintptr) {
	switch j.f.Handle() {
	case fast.OpNoOp:
	case fast.OpReplace:
		if j.basic.Size() == 8 {
			*at[uint64](j.work) = *at[uint64](in)
		} else {
			*at[uint32](j.work) = *at[uint32](in)
		}
	default:
		j.f.Apply(in, j.work, 1, j.basic)
	}
}
