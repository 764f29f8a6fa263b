package fast

// Type classes of MPI_Type_match_size (MPI 5.0, 20.3).
const (
	ClassLogical int32 = 191
	ClassComplex int32 = 194
)

// firstNumber is MPI_LOGICAL1. The handles of Fortran's types go by the binary logarithm of their size, and
// for each by their class.
const firstNumber uintptr = 0x2c0

// NumberOf is the handle that Fortran's type of a class with that size has if there is one; 0 for what is no
// class, or no such size.
func NumberOf(class, size int32) uintptr {
	if class < ClassLogical || class > ClassComplex || size < 1 || size > 32 {
		return 0
	}
	h := firstNumber + uintptr(class-ClassLogical)
	for n := int32(1); n < size; n *= 2 {
		h += 8
	}
	return h
}

// TypeMatchSize is MPI_Type_match_size (MPI 5.0, 19.1.9).
func TypeMatchSize(e *Endpoint, class, size int32, datatype uintptr) bool {
	if e == nil || datatype < Lowest {
		return false
	}
	h := NumberOf(class, size)
	t := e.datatype(h)
	if t == nil || t.Size != int64(size) {
		return false
	}
	*wordAt(datatype) = h
	return true
}

// isExternal32 reports whether that is the name of a data representation.
func isExternal32(datarep uintptr) bool {
	if datarep < Lowest {
		return false
	}
	return byteAt(datarep, 0) == 'e' && byteAt(datarep, 1) == 'x' && byteAt(datarep, 2) == 't' &&
		byteAt(datarep, 3) == 'e' && byteAt(datarep, 4) == 'r' && byteAt(datarep, 5) == 'n' &&
		byteAt(datarep, 6) == 'a' && byteAt(datarep, 7) == 'l' && byteAt(datarep, 8) == '3' &&
		byteAt(datarep, 9) == '2' && byteAt(datarep, 10) == 0
}

// PackExternalSize is MPI_Pack_external_size (MPI 5.0, 5.3) and its large-count twin, of types that have the
// same size in external32.
func PackExternalSize(e *Endpoint, datarep uintptr, count int64, datatype uintptr, size *int64) bool {
	if e == nil || nowhere(size) || uint64(count) > mostBytes || !isExternal32(datarep) {
		return false
	}
	t := e.datatype(datatype)
	if t == nil || t.Unit == 0 || t.Size > mostBytes {
		return false
	}
	*size = count * t.Size
	return true
}
