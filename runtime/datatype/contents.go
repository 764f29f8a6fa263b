package datatype

import "gompi/runtime/mpierr"

// Combiner says by which constructor a type was made, with the values of the standard ABI (MPI 5.0, 5.1.13).
type Combiner int

// The combiners.
const (
	CombinerNamed Combiner = 101 + iota
	CombinerDup
	CombinerContiguous
	CombinerVector
	CombinerHvector
	CombinerIndexed
	CombinerHindexed
	CombinerIndexedBlock
	CombinerHindexedBlock
	CombinerStruct
	CombinerSubarray
	CombinerDarray
	CombinerF90Real
	CombinerF90Complex
	CombinerF90Integer
	CombinerResized
)

// Contents are the arguments of the call that made a type, in the arrays and the order of
// MPI_Type_get_contents (MPI 5.0, 5.1.13).
type Contents struct {
	Combiner  Combiner
	Integers  []int64
	Addresses []int64
	Counts    []int64 // what a large-count constructor was given
	Types     []*Type
}

// Contents says how the type was made; a predefined type has a combiner and nothing else.
func (t *Type) Contents() Contents {
	if t.contents == nil {
		return Contents{Combiner: CombinerNamed}
	}
	return *t.contents
}

// Large says which twin of a constructor was called; contents are given back in the same form.
type Large bool

// contents orders the arguments of a constructor as it returns them: a large-count constructor has counts
// alone.
func (l Large) contents(c Combiner, integers, addresses []int64, types ...*Type) *Contents {
	if l {
		return &Contents{Combiner: c, Counts: append(integers, addresses...), Types: types}
	}
	return &Contents{Combiner: c, Integers: integers, Addresses: addresses, Types: types}
}

// few is the contents of a type that is made of one other by few numbers, the first of which are integers and
// the others addresses.
func (b *builder) few(l Large, c Combiner, integers int, t *Type, numbers ...int64) *Contents {
	d := b.made
	d.types[0] = t
	n := copy(d.numbers[:], numbers)
	d.contents = Contents{Combiner: c, Types: d.types[:]}
	if l {
		d.contents.Counts = d.numbers[:n:n]
	} else {
		d.contents.Integers, d.contents.Addresses = d.numbers[:integers:integers], d.numbers[integers:n:n]
	}
	return &d.contents
}

// list is numbers one after the other.
func list(first []int64, more ...[]int64) []int64 {
	n := len(first)
	for _, m := range more {
		n += len(m)
	}
	all := append(make([]int64, 0, n), first...)
	for _, m := range more {
		all = append(all, m...)
	}
	return all
}

// FromContents is a type made of its contents by one of the constructors that C has as well: what that makes
// of the same arguments. The type may keep parts of them.
func FromContents(c Contents) (*Type, error) {
	i, a, t := c.Integers, c.Addresses, c.Types
	switch c.Combiner {
	case CombinerDup:
		return Dup(t[0]), nil
	case CombinerResized:
		return Resized(t[0], a[0], a[1], false)
	case CombinerContiguous:
		return Contiguous(i[0], t[0], false)
	case CombinerVector:
		return Vector(i[0], i[1], i[2], t[0], false)
	case CombinerHvector:
		return Hvector(i[0], i[1], a[0], t[0], false)
	case CombinerIndexed:
		return Indexed(i[1:1+i[0]], i[1+i[0]:], t[0], false)
	case CombinerHindexed:
		return Hindexed(i[1:], a, t[0], false)
	case CombinerIndexedBlock:
		return IndexedBlock(i[1], i[2:], t[0], false)
	case CombinerHindexedBlock:
		return HindexedBlock(i[1], a, t[0], false)
	case CombinerStruct:
		return Struct(i[1:], a, t, false)
	case CombinerSubarray:
		n := i[0]
		return Subarray(i[1:1+n], i[1+n:1+2*n], i[1+2*n:1+3*n], int(i[1+3*n]), t[0], false)
	}
	return nil, mpierr.New(mpierr.ErrIntern, "no datatype is made again by combiner %d", c.Combiner)
}
