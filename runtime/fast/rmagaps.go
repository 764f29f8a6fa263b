package fast

// Puts and gets of data with gaps on memory that is mapped here.

// spans reports whether count elements of a datatype at a displacement lie within the window. t is nil for
// bytes without gaps.
func (t *Target) spans(disp int64, of *Type, count int64, bytes uint32) bool {
	if of == nil {
		return t.holds(disp, uint64(bytes))
	}
	if uint64(disp) > t.Limit || of.Extent < 0 {
		return false
	}
	first := disp*t.Unit + of.TrueLB
	last := first + (count-1)*of.Extent + of.TrueExtent
	return first >= 0 && last >= first && uint64(last) <= t.Size
}

// putOrGetGaps is MPI_Put or MPI_Get where the data of the origin or the target has gaps.
//
//fast:cold
func putOrGetGaps(
	e *Endpoint, w *Window, t *Target, origin uintptr, originCount int64, originType uintptr,
	disp, count int64, datatype uintptr, put bool,
) Reason {
	if t.Base == 0 || uint64(originCount) > MaxMessage || uint64(count) > MaxMessage {
		return NotPlain
	}
	at := t.Base + uintptr(disp*t.Unit)
	bytes, own := e.sized(origin, int32(originCount), originType)
	size, of := e.sized(at, int32(count), datatype)
	if size != bytes || size == 0 || size == noSize || !t.spans(disp, of, count, size) {
		return NotPlain
	}
	done := false
	if put {
		done = hand(e, at, of, origin, own, size)
	} else {
		done = hand(e, origin, own, at, of, size)
	}
	if !done {
		return NotPlain
	}
	return w.issued(uint64(size))
}
