package fast

// Collective operations without data, where all ranks know that there is none: no rank waits for another (MPI
// 5.0, 6.1). Where only some ranks know, a rank waits for what it takes to be nothing: that shows mistakes.

// empty carries such an operation out if its buffers and datatypes are valid.
//
//fast:cold
func (s *CellRing) empty(e *Endpoint, p Pattern, request uintptr, valid bool) Reason {
	if !valid {
		return NotPlain
	}
	if request == Blocking {
		s.Empty[p]++
		return Done
	}
	if !e.enterToAsk() {
		return NoRoom
	}
	if e.Free == e.RequestsMade {
		e.leave()
		return NoRoom
	}
	*wordAt(request) = e.doneRequest(s.Ctx)
	s.Serial++
	s.Empty[p]++
	e.leave()
	return Done
}

// hasNone reports whether a buffer, which may be in place, has no elements.
func (d *Datatypes) hasNone(buf uintptr, count int32, datatype uintptr) bool {
	return buf == inPlace || d.size(buf, count, datatype) == 0
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
		o.elements(datatype, op, 0).kind != 0
}
