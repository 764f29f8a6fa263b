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

// atomically combines n bytes of elements at addr.
func (c *combination) atomically(addr uintptr, n int64) {
	if c.compare != 0 {
		fast.SwapElement(addr, c.in, c.compare, c.old, uint32(n))
		return
	}
	size, op := c.basic.Size(), uintptr(c.f.Handle())
	if kind := c.desc.Endpoint.Element(uintptr(c.basic.Handle())); fast.Combines(kind, op) {
		in := c.in
		if op == fast.OpNoOp {
			in = addr // there are no operands
		}
		fast.CombineRow(kind, op, addr, in, c.old, uint64(n))
		return
	}
	for i := range n / size {
		at := uintptr(i * size)
		before := c.work + 8
		if c.old != 0 {
			before = c.old + at
		}
		if size == 8 {
			c.combine64(addr+at, c.in+at, before)
		} else {
			c.combine32(addr+at, c.in+at, before)
		}
	}
}

// combine64 combines the element at addr with the operand at in until nobody is faster, and leaves
// at before what was there before.
func (c *combination) combine64(addr, in, before uintptr) {
	for {
		old := atomic.LoadUint64(at[uint64](addr))
		*at[uint64](c.work) = old
		c.single(in)
		if atomic.CompareAndSwapUint64(at[uint64](addr), old, *at[uint64](c.work)) {
			*at[uint64](before) = old
			return
		}
	}
}

func (c *combination) combine32(addr, in, before uintptr) {
	for {
		old := atomic.LoadUint32(at[uint32](addr))
		*at[uint32](c.work) = old
		c.single(in)
		if atomic.CompareAndSwapUint32(at[uint32](addr), old, *at[uint32](c.work)) {
			*at[uint32](before) = old
			return
		}
	}
}

// single combines the element at work.
func (c *combination) single(in uintptr) {
	switch c.f.Handle() {
	case fast.OpNoOp:
	case fast.OpReplace:
		if c.basic.Size() == 8 {
			*at[uint64](c.work) = *at[uint64](in)
		} else {
			*at[uint32](c.work) = *at[uint32](in)
		}
	default:
		c.f.Apply(in, c.work, 1, c.basic)
	}
}
