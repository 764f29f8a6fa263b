package op

// unsigned are the widths of C integers and logicals; for truth the sign is one more bit.
type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// truthValue is what C's && and || give, and what Fortran compilers on Linux take for .TRUE. and .FALSE.
func truthValue[T unsigned](b bool) T {
	if b {
		return 1
	}
	return 0
}

func logicalAnd[T unsigned](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i := range b {
		c[i] = truthValue[T](a[i] != 0) & truthValue[T](b[i] != 0)
	}
}

func logicalOr[T unsigned](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i := range b {
		c[i] = truthValue[T](a[i]|b[i] != 0)
	}
}

func logicalXor[T unsigned](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i := range b {
		c[i] = truthValue[T]((a[i] != 0) != (b[i] != 0))
	}
}
