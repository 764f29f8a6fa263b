package op

// The kernels of representations that are not the machine's own, in terms of functions of two elements.

// adder, multiplier and ordering are what the representations bring; less is false when either is a NaN.
type (
	adder[T any]      interface{ add(T) T }
	multiplier[T any] interface{ mul(T) T }
	ordering[T any]   interface{ less(T) bool }
)

func sumSoft[T adder[T]](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	for i := range b {
		b[i] = a[i].add(b[i])
	}
}

func sumSoftComplex[T adder[T]](in, inout uintptr, n int64) { sumSoft[T](in, inout, 2*n) }

func productSoft[T multiplier[T]](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	for i := range b {
		b[i] = a[i].mul(b[i])
	}
}

func maximumSoft[T ordering[T]](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	for i := range b {
		if b[i].less(a[i]) {
			b[i] = a[i]
		}
	}
}

func minimumSoft[T ordering[T]](in, inout uintptr, n int64) {
	a, b := vector[T](in, n), vector[T](inout, n)
	for i := range b {
		if a[i].less(b[i]) {
			b[i] = a[i]
		}
	}
}
