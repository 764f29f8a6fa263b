package datatype

import "gompi/runtime/mpierr"

// Types in another representation of data, whose basic elements have other sizes: those of files (MPI 5.0,
// 14.5).

// Relaid is the type as it was made, of elements whose size is what size says of predefined types. Distances
// that the program gave in bytes stay, those in elements change with these. It is t itself when all sizes are
// those in memory.
func Relaid(t *Type, size func(*Type) (int64, error)) (*Type, error) {
	same := true
	var err error
	t.each(1, func(basic *Type, _ int64) {
		n, e := size(basic)
		if err == nil {
			err = e
		}
		same = same && n == basic.size && basic.size == basic.extent
	})
	if same || err != nil {
		return t, err
	}
	return relay(t, size)
}

func relay(t *Type, size func(*Type) (int64, error)) (*Type, error) {
	c := t.Contents()
	if c.Combiner == CombinerNamed || c.Types == nil {
		n, err := size(t)
		if err != nil {
			return nil, err
		}
		if n < 0 {
			return nil, mpierr.New(mpierr.ErrConversion, "the size of %s in the file is %d", t.Name(), n)
		}
		return Contiguous(n, Raw(0, 0).Type, false)
	}
	types := make([]*Type, len(c.Types))
	for i := range types {
		var err error
		if types[i], err = relay(c.Types[i], size); err != nil {
			return nil, err
		}
	}
	return c.with(types)
}

// with is the type that the constructor makes of other types.
func (c *Contents) with(types []*Type) (*Type, error) {
	n, far := c.Integers, c.Addresses
	large := Large(c.Counts != nil)
	switch {
	case c.Combiner == CombinerSubarray || c.Combiner == CombinerDarray:
		return c.arrayOf(types[0], large)
	case bool(large):
		n = c.Counts
		far = n[len(n)-c.addresses():]
	}
	t := types
	switch c.Combiner {
	case CombinerDup:
		return t[0], nil
	case CombinerContiguous:
		return Contiguous(n[0], t[0], large)
	case CombinerVector:
		return Vector(n[0], n[1], n[2], t[0], large)
	case CombinerHvector:
		return Hvector(n[0], n[1], far[0], t[0], large)
	case CombinerIndexed:
		return Indexed(n[1:1+n[0]], n[1+n[0]:1+2*n[0]], t[0], large)
	case CombinerHindexed:
		return Hindexed(n[1:1+n[0]], far, t[0], large)
	case CombinerIndexedBlock:
		return IndexedBlock(n[1], n[2:2+n[0]], t[0], large)
	case CombinerHindexedBlock:
		return HindexedBlock(n[1], far, t[0], large)
	case CombinerStruct:
		return Struct(n[1:1+n[0]], far, t, large)
	case CombinerResized:
		return Resized(t[0], far[0], far[1], large)
	}
	return nil, mpierr.New(mpierr.ErrUnsupportedDatarep, "a type made by combiner %d has no other representation", c.Combiner)
}

// arrayOf is what the array constructor makes of another type.
func (c *Contents) arrayOf(t *Type, large Large) (*Type, error) {
	if c.Combiner == CombinerSubarray {
		n, counts := c.Integers[0], c.Counts
		if !large {
			counts = c.Integers[1:]
		}
		order := c.Integers[len(c.Integers)-1]
		return Subarray(counts[:n], counts[n:2*n], counts[2*n:3*n], int(order), t, large)
	}
	n, rest := c.Integers[2], c.Integers[3:]
	sizes := c.Counts
	if !large {
		sizes, rest = rest[:n], rest[n:]
	}
	dist := make([]Distribution, n)
	for d := range dist {
		dist[d] = Distribution{Size: sizes[d], How: int(rest[d]), Arg: int(rest[int(n)+d]),
			Procs: int(rest[2*int(n)+d])}
	}
	return Darray(int(c.Integers[0]), int(c.Integers[1]), dist, int(rest[3*n]), t, large)
}

// addresses is how many distances in bytes a large-count constructor was given.
func (c *Contents) addresses() int {
	switch c.Combiner {
	case CombinerHvector:
		return 1
	case CombinerResized:
		return 2
	case CombinerHindexed, CombinerHindexedBlock, CombinerStruct:
		return int(c.Counts[0])
	}
	return 0
}

// ExternalSize is the size of an element in external32, in bytes.
func (t *Type) ExternalSize() int64 { return t.externalSize() }

// Prefix is how many basic elements, and bytes in memory, the first n bytes of the buffer's data are in a
// representation in which predefined types have the sizes that size says. Bytes of a basic element that is
// not whole do not count.
func (b Buffer) Prefix(n int64, size func(*Type) (int64, error)) (elements, bytes int64, err error) {
	short := false
	b.Type.each(b.Count, func(basic *Type, k int64) {
		if short || err != nil {
			return
		}
		each, e := size(basic)
		if e != nil {
			err = e
			return
		}
		if each > 0 && k > n/each {
			k, short = n/each, true
		}
		n -= k * each
		elements += k
		bytes += k * basic.size
	})
	return elements, bytes, err
}
