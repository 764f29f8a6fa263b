package fast

// Collective operations without data, where all ranks know that there is none: no rank waits for another (MPI
// 5.0, 6.1). Nonblocking ones are numbered, and are left to package coll.

// empty carries such an operation out if its buffer and datatype are valid.
//
//fast:cold
func (s *CellRing) empty(p Pattern, request uintptr, valid bool) Reason {
	if !valid || request != Blocking {
		return NotPlain
	}
	s.Empty[p]++
	return Done
}

// isEmpty reports whether a buffer has no elements, of a dense datatype, and is not in place.
func (d *Datatypes) isEmpty(buf uintptr, count int32, datatype uintptr) bool {
	return count == 0 && buf != inPlace && d.dense(datatype) != 0
}

// areEmpty reports whether a buffer has no elements and another, which may be in place, has none either.
func (d *Datatypes) areEmpty(buf uintptr, count int32, datatype uintptr, to uintptr, toCount int32,
	toType uintptr) bool {
	return d.isEmpty(to, toCount, toType) && (buf == inPlace || d.isEmpty(buf, count, datatype))
}

// haveNone reports whether none of n blocks has any data.
func haveNone(o *Objects, b *blocks, n uint32) bool {
	for i := uint32(0); i < n; i++ {
		if o.blockSize(b, i) != 0 {
			return false
		}
	}
	return true
}

// combinesNone reports whether a reduction has no elements, of a datatype for which the operation is defined.
func combinesNone(o *Objects, count int32, datatype, op uintptr) bool {
	return count == 0 && op-FirstOp < Ops && datatype-FirstType < 256 &&
		o.Reductions[op-FirstOp][datatype-FirstType] != 0
}
