package coll

import "gompi/runtime/datatype"

// scratch is the address of n bytes of memory that the operation may use until it is finished.
func (t *team) scratch(n int64) uintptr {
	if n <= 0 {
		return 0
	}
	c := t.e.Scratch.Take(n)
	t.held[t.nHeld] = c
	t.nHeld++
	return c.Address()
}

// raw is scratch memory for n bytes of packed data.
func (t *team) raw(n int64) datatype.Buffer { return datatype.Raw(t.scratch(n), n) }

// like is scratch memory for the elements of b, in the layout of their type.
func (t *team) like(b datatype.Buffer) datatype.Buffer {
	lo, n := b.Span()
	return datatype.Buffer{Addr: t.scratch(n) - uintptr(lo), Count: b.Count, Type: b.Type}
}
