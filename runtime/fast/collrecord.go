//fast:go

package fast

// What package coll writes into the record of a persistent operation.

// SetEach says that these are blocks of one size that follow each other.
func (b *blocks) SetEach(base uintptr, each uint32) {
	*b = blocks{Base: base, each: each, unit: int64(each)}
}

// SetIn lists the n blocks that this rank gets in operation i: where each begins, and its size in bytes.
func (t *CollTable) SetIn(i uint32, n int, of func(i int) (at uintptr, bytes int64)) {
	t.CollRequest(i).Part.In.list(&t.ListsOf(i).in, n, of)
}

// SetOut lists those that it contributes.
func (t *CollTable) SetOut(i uint32, n int, of func(i int) (at uintptr, bytes int64)) {
	t.CollRequest(i).Part.Out.list(&t.ListsOf(i).out, n, of)
}

// list makes b these blocks by lists that last. They may be anywhere, so what they have in common is the
// first address that is memory.
func (b *blocks) list(l *keptBlocks, n int, of func(i int) (at uintptr, bytes int64)) {
	*b = blocks{Base: Lowest, counts: &l.counts[0], offsets: &l.offsets[0], each: 1}
	for i := range n {
		at, bytes := of(i)
		l.counts[i], l.offsets[i] = int32(bytes), int64(at-Lowest)
	}
}

// IsAlone reports whether collective operations of the communicator behind a handle, which has one rank, may
// be carried out here.
func IsAlone(e *Endpoint, handle uintptr) bool {
	c := e.known(handle)
	return c != nil && c.Alone != nil
}

// Combines reports whether kernels combine elements of a datatype where they stand.
func (c *Combining) Combines(datatype, op uintptr) bool { return c.kindOf(datatype, op) != 0 }
