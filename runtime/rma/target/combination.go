package target

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/shm"
)

// Combination is what an accumulate, or MPI_Compare_and_swap, does to elements of a target, whoever carries
// it out.
type Combination struct {
	Desc    *fast.Window
	Op      *op.Op         // nil in MPI_Compare_and_swap
	Basic   *datatype.Type // of the elements
	In      uintptr        // operands, elements of Basic as they lie in memory
	Compare uintptr        // of MPI_Compare_and_swap: the element to compare with; else 0
	Old     uintptr        // what was there before goes here, without gaps; 0 when nobody wants it
	Work    uintptr        // Batch bytes of private memory for elements, and then for a stream without gaps
	Atomic  bool           // the processor's atomic instructions may be used, if the elements fit them
}

// Fast reports whether the processor's atomic instructions are for such elements, where they are aligned.
func (c *Combination) Fast() bool {
	size := c.Basic.Size()
	return c.Atomic && (size == 8 || size == 4) && size == c.Basic.Extent()
}

// Elements is a buffer of the elements that n bytes of a stream make, as they lie in memory.
func (c *Combination) Elements(addr uintptr, n int64) datatype.Buffer {
	return datatype.Buffer{Addr: addr, Count: n / c.Basic.Size(), Type: c.Basic}
}

// Plainly combines n bytes of elements without gaps at addr, which nobody else may touch meanwhile.
func (c *Combination) Plainly(addr uintptr, n int64) {
	if c.Old != 0 {
		shm.Copy(c.Old, addr, n)
	}
	switch {
	case c.Compare != 0:
		if string(shm.Bytes(addr, n)) == string(shm.Bytes(c.Compare, n)) {
			shm.Copy(addr, c.In, n)
		}
	case c.Op.Handle() != fast.OpNoOp:
		c.Op.Apply(c.In, addr, n/c.Basic.Size(), c.Basic)
	}
}

// InCells combines the n bytes of a stream without gaps in place. The elements have gaps in memory; those of
// the operands lie at operands, and room is for the others.
func (c *Combination) InCells(stream, room, operands uintptr, n int64) {
	cells := c.Elements(room, n)
	if c.Op.Handle() != fast.OpReplace {
		cells.Unpack(0, shm.Bytes(stream, n))
		c.Op.Apply(operands, cells.Addr, cells.Count, c.Basic)
	} else {
		cells.Addr = operands
	}
	cells.Pack(0, shm.Bytes(stream, n))
}
