package op

// number is what the machine itself adds, multiplies and compares.
type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// The loops below take four elements a turn: the compiler then drops the bounds checks, and the counting costs a
// quarter. Operands stand in the order that the standard gives them, in op inout, so that NaNs and signed zeros
// come out alike wherever the same values are combined.

func sum[T number](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	for len(a) >= 4 && len(b) >= 4 {
		b[0] = a[0] + b[0]
		b[1] = a[1] + b[1]
		b[2] = a[2] + b[2]
		b[3] = a[3] + b[3]
		a, b = a[4:], b[4:]
	}
	for i := range b {
		b[i] = a[i] + b[i]
	}
}

func product[T number](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	for len(a) >= 4 && len(b) >= 4 {
		b[0] = a[0] * b[0]
		b[1] = a[1] * b[1]
		b[2] = a[2] * b[2]
		b[3] = a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range b {
		b[i] = a[i] * b[i]
	}
}

// maximum is C's in > inout ? in : inout, so a NaN in inout stays and a NaN in in is passed over.
func maximum[T number](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	a = a[:len(b)]
	for i, y := range b {
		if x := a[i]; x > y {
			b[i] = x
		}
	}
}

// minimum is C's in < inout ? in : inout.
func minimum[T number](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	a = a[:len(b)]
	for i, y := range b {
		if x := a[i]; x < y {
			b[i] = x
		}
	}
}

// sumComplex is the sum of complex numbers, which is that of their parts.
func sumComplex[T number](in, inout uintptr, n int64) { sum[T](in, inout, 2*n) }
