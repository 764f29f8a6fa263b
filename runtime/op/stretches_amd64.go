//go:build !purego

package op

import "golang.org/x/sys/cpu"

// stretch is how many bytes a leaf of assembly is given at most: the scheduler cannot interrupt it, and that
// much is done within some microseconds. A multiple of all sizes of elements and vectors.
const stretch = 128 << 10

// stretches has a leaf combine n bytes.
func stretches(leaf func(out, a, b uintptr, n int64), out, a, b uintptr, n int64) {
	for n > stretch+stretch/2 { // so that no short rest is left
		leaf(out, a, b, stretch)
		out, a, b, n = out+stretch, a+stretch, b+stretch, n-stretch
	}
	leaf(out, a, b, n)
}

// complexProducts multiplies n complex numbers of the given size with a leaf, and with the twin those that
// the leaf leaves: some at the end, and a vector at a time where both parts of a product come out as NaN.
func complexProducts(leaf func(out, a, b uintptr, n int64) int64, twin kernel, size int64, out, a, b uintptr,
	n int64) {
	if !cpu.X86.HasAVX2 {
		twin(out, a, b, n)
		return
	}
	const vectorSize = 32
	for n *= size; n > 0; {
		done := leaf(out, a, b, min(n, stretch))
		out, a, b, n = out+uintptr(done), a+uintptr(done), b+uintptr(done), n-done
		if done < stretch && n > 0 {
			few := min(n, vectorSize)
			twin(out, a, b, few/size)
			out, a, b, n = out+uintptr(few), a+uintptr(few), b+uintptr(few), n-few
		}
	}
}
