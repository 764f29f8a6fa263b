package op

// The kernels of representations that are not the machine's own, in terms of functions of two elements.

// adder, multiplier and ordering are what the representations bring; less is false when either is a NaN.
type (
	adder[T any]      interface{ add(T) T }
	multiplier[T any] interface{ mul(T) T }
	ordering[T any]   interface{ less(T) bool }
)

func sumSoft[T adder[T]](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	for i := range b {
		c[i] = a[i].add(b[i])
	}
}

func sumSoftComplex[T adder[T]](out, in, inout uintptr, n int64) { sumSoft[T](out, in, inout, 2*n) }

func productSoft[T multiplier[T]](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	for i := range b {
		c[i] = a[i].mul(b[i])
	}
}

func maximumSoft[T ordering[T]](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	for i, y := range b {
		if y.less(a[i]) {
			y = a[i]
		}
		c[i] = y
	}
}

func minimumSoft[T ordering[T]](out, in, inout uintptr, n int64) {
	a, b, c := vector[T](in, n), vector[T](inout, n), vector[T](out, n)
	for i, y := range b {
		if a[i].less(y) {
			y = a[i]
		}
		c[i] = y
	}
}
