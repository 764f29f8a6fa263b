package target

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
func (c *Combination) atomically(addr uintptr, n int64) {
	if c.Compare != 0 {
		fast.SwapElement(addr, c.In, c.Compare, c.Old, uint32(n))
		return
	}
	size, op := c.Basic.Size(), uintptr(c.Op.Handle())
	if kind := c.Desc.Endpoint.Element(uintptr(c.Basic.Handle())); fast.Combines(kind, op) {
		in := c.In
		if op == fast.OpNoOp {
			in = addr // there are no operands
		}
		fast.CombineRow(kind, op, addr, in, c.Old, uint64(n))
		return
	}
	for i := range n / size {
		at := uintptr(i * size)
		before := c.Work + 8
		if c.Old != 0 {
			before = c.Old + at
		}
		if size == 8 {
			c.combine64(addr+at, c.In+at, before)
		} else {
			c.combine32(addr+at, c.In+at, before)
		}
	}
}

// combine64 combines the element at addr with the operand at in until nobody is faster, and leaves
// at before what was there before.
func (c *Combination) combine64(addr, in, before uintptr) {
	for {
		old := atomic.LoadUint64(at[uint64](addr))
		*at[uint64](c.Work) = old
		c.single(in)
		if atomic.CompareAndSwapUint64(at[uint64](addr), old, *at[uint64](c.Work)) {
			*at[uint64](before) = old
			return
		}
	}
}

func (c *Combination) combine32(addr, in, before uintptr) {
	for {
		old := atomic.LoadUint32(at[uint32](addr))
		*at[uint32](c.Work) = old
		c.single(in)
		if atomic.CompareAndSwapUint32(at[uint32](addr), old, *at[uint32](c.Work)) {
			*at[uint32](before) = old
			return
		}
	}
}

// single combines the element at work.
func (c *Combination) single(in uintptr) {
	switch c.Op.Handle() {
	case fast.OpNoOp:
	case fast.OpReplace:
		if c.Basic.Size() == 8 {
			*at[uint64](c.Work) = *at[uint64](in)
		} else {
			*at[uint32](c.Work) = *at[uint32](in)
		}
	default:
		c.Op.Apply(in, c.Work, 1, c.Basic)
	}
}
