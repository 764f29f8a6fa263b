//go:build !purego

package op

// Long double arithmetic is x87's own here. The leaves take a bounded number of elements a call, because
// assembly cannot be preempted.

const x87Chunk = 512

// addX87 and mulX87 combine n long doubles of 16 bytes: out[i] = in[i] op inout[i]. n is above 0.
//
//go:noescape
func addX87(out, in, inout uintptr, n int64)

//go:noescape
func mulX87(out, in, inout uintptr, n int64)

// mulComplexX87 multiplies two complex numbers, each two long doubles, by the usual formula.
//
//go:noescape
func mulComplexX87(a, b, product *[2]float80)

func sumFloat80(out, in, inout uintptr, n int64)     { inChunks(addX87, out, in, inout, n) }
func productFloat80(out, in, inout uintptr, n int64) { inChunks(mulX87, out, in, inout, n) }
func sumComplex160(out, in, inout uintptr, n int64)  { sumFloat80(out, in, inout, 2*n) }

func inChunks(leaf func(out, in, inout uintptr, n int64), out, in, inout uintptr, n int64) {
	for ; n > x87Chunk; n -= x87Chunk {
		leaf(out, in, inout, x87Chunk)
		out += x87Chunk * 16
		in += x87Chunk * 16
		inout += x87Chunk * 16
	}
	leaf(out, in, inout, n)
}

func productComplex160(out, in, inout uintptr, n int64) {
	a, b, c := vector[[2]float80](in, n), vector[[2]float80](inout, n), vector[[2]float80](out, n)
	for i := range b {
		x, y := &a[i], &b[i]
		var z [2]float80
		mulComplexX87(x, y, &z)
		if z[0].isNaN() && z[1].isNaN() {
			z[0], z[1] = recoverInfinity(x[0], x[1], y[0], y[1], z[0], z[1])
		}
		c[i] = z
	}
}
