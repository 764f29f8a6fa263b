package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/shm"
)

// combination is what an accumulate, or MPI_Compare_and_swap, does to elements of a target, whoever carries
// it out.
type combination struct {
	desc    *fast.Window
	f       *op.Op         // nil in MPI_Compare_and_swap
	basic   *datatype.Type // of the elements
	in      uintptr        // operands, elements of basic as they lie in memory
	compare uintptr        // of MPI_Compare_and_swap: the element to compare with; else 0
	old     uintptr        // what was there before goes here, without gaps; 0 when nobody wants it
	work    uintptr        // batch bytes of private memory for elements, and then for a stream without gaps
	atomic  bool           // the processor's atomic instructions may be used, if the elements fit them
}

// fast reports whether the processor's atomic instructions are for such elements, where they are aligned.
func (c *combination) fast() bool {
	size := c.basic.Size()
	return c.atomic && (size == 8 || size == 4) && size == c.basic.Extent()
}

// elements is a buffer of the elements that n bytes of a stream make, as they lie in memory.
func (c *combination) elements(addr uintptr, n int64) datatype.Buffer {
	return datatype.Buffer{Addr: addr, Count: n / c.basic.Size(), Type: c.basic}
}

// plainly combines n bytes of elements without gaps at addr, which nobody else may touch meanwhile.
func (c *combination) plainly(addr uintptr, n int64) {
	if c.old != 0 {
		shm.Copy(c.old, addr, n)
	}
	switch {
	case c.compare != 0:
		if string(shm.Bytes(addr, n)) == string(shm.Bytes(c.compare, n)) {
			shm.Copy(addr, c.in, n)
		}
	case c.f.Handle() != fast.OpNoOp:
		c.f.Apply(c.in, addr, n/c.basic.Size(), c.basic)
	}
}

// inCells combines the n bytes of a stream without gaps in place. The elements have gaps in memory; those of
// the operands lie at operands, and room is for the others.
func (c *combination) inCells(stream, room, operands uintptr, n int64) {
	cells := c.elements(room, n)
	if c.f.Handle() != fast.OpReplace {
		cells.Unpack(0, shm.Bytes(stream, n))
		c.f.Apply(operands, cells.Addr, cells.Count, c.basic)
	} else {
		cells.Addr = operands
	}
	cells.Pack(0, shm.Bytes(stream, n))
}
