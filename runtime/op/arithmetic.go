package op

// number is what the machine itself adds, multiplies and compares.
type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Operands stand in the order that the standard gives them, so that NaNs and signed zeros come out alike
// wherever the same values are combined.

func sum[T number](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	a, b = a[:len(c)], b[:len(c)]
	for i := range c {
		c[i] = a[i] + b[i]
	}
}

func product[T number](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	a, b = a[:len(c)], b[:len(c)]
	for i := range c {
		c[i] = a[i] * b[i]
	}
}

// maximum is C's in > inout ? in : inout, so a NaN in inout stays and a NaN in in is passed over.
func maximum[T number](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i, y := range b {
		if x := a[i]; x > y {
			y = x
		}
		c[i] = y
	}
}

// minimum is C's in < inout ? in : inout.
func minimum[T number](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i, y := range b {
		if x := a[i]; x < y {
			y = x
		}
		c[i] = y
	}
}

// The sum of complex numbers is that of their parts.
func sumComplex64(out, in, inout uintptr, n int64)  { sum[float32](out, in, inout, 2*n) }
func sumComplex128(out, in, inout uintptr, n int64) { sum[float64](out, in, inout, 2*n) }
