package datatype

import "math"

// part is a stretch of a type signature (MPI 5.0, 5.1.1): n elements of t.
type part struct {
	t *Type
	n int64
}

// first is the size of the first basic element of a predefined type: of the value of a pair, of the whole
// otherwise.
func (t *Type) first() int64 {
	switch {
	case t.kind != ValueIndex:
		return t.size
	case t.basic == Float32Pair || t.basic == Float64Pair:
		return t.size / 2
	default:
		return t.size - 4
	}
}

// count is how many basic elements one element has; a pair has two (MPI 5.0, 5.1.11).
func (t *Type) count() int64 {
	switch {
	case t.parts != nil || t.contents != nil:
		return t.elements
	case t.kind == ValueIndex:
		return 2
	default:
		return 1
	}
}

// Elements is the number of basic elements in the first n bytes of data of a sequence of elements
// (MPI_Get_elements, MPI 5.0, 5.1.11); ok is false when these bytes end in the middle of one.
func (t *Type) Elements(n int64) (elements int64, ok bool) {
	if t.size == 0 {
		return 0, n == 0
	}
	elements, n = n/t.size*t.count(), n%t.size
	if n == 0 {
		return elements, true
	}
	if t.parts == nil {
		return elements + 1, n == t.first() && t.first() < t.size
	}
	for _, p := range t.parts {
		if size := p.n * p.t.size; n >= size {
			elements, n = elements+p.n*p.t.count(), n-size
			continue
		}
		more, ok := p.t.Elements(n)
		return elements + more, ok
	}
	return elements, true
}

// Bytes is the size of the first n basic elements of a sequence of elements (MPI_Status_set_elements, MPI
// 5.0, 13.3): what Elements makes n of. ok is false when that does not fit into 64 bits.
func (t *Type) Bytes(n int64) (bytes int64, ok bool) {
	each := t.count()
	if t.size == 0 || each == 0 {
		return 0, true
	}
	if n/each > (math.MaxInt64-t.size)/t.size {
		return 0, false
	}
	bytes, n = n/each*t.size, n%each
	if n == 0 {
		return bytes, true
	}
	if t.parts == nil {
		return bytes + t.first(), true
	}
	for _, p := range t.parts {
		if elements := p.n * p.t.count(); n >= elements {
			bytes, n = bytes+p.n*p.t.size, n-elements
			continue
		}
		more, _ := p.t.Bytes(n)
		return bytes + more, true
	}
	return bytes, true
}

// each calls f for the predefined types of which n elements of t consist, in the order of the type map.
func (t *Type) each(n int64, f func(basic *Type, n int64)) {
	switch {
	case t.size == 0:
	case t.parts == nil:
		f(t, n)
	case len(t.parts) == 1:
		t.parts[0].t.each(n*t.parts[0].n, f)
	default:
		for range n {
			for _, p := range t.parts {
				p.t.each(p.n, f)
			}
		}
	}
}
