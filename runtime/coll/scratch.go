package coll

import "gompi/runtime/datatype"

// scratch is the address of n bytes of memory that the operation may use until it is finished. It panics with
// a *shm.NoMemory where there are none.
func (t *Team) scratch(n int64) uintptr {
	if n == 0 {
		return 0
	}
	c := t.e.Scratch.Take(n)
	if t.plan != nil {
		t.plan.chunks = append(t.plan.chunks, c)
	} else {
		t.chunks[t.nChunks] = c
		t.nChunks++
	}
	return c.Address()
}

// raw is scratch memory for n bytes of packed data.
func (t *Team) raw(n int64) datatype.Buffer { return datatype.Raw(t.scratch(n), n) }

// like is scratch memory for the elements of b, in the layout of their type.
func (t *Team) like(b datatype.Buffer) datatype.Buffer {
	lo, n := b.Span()
	return datatype.Buffer{Addr: t.scratch(n) - uintptr(lo), Count: b.Count, Type: b.Type}
}
