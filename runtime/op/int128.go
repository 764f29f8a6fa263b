package op

import "math/bits"

// int128 is a 16-byte integer, MPI_INTEGER16 and MPI_LOGICAL16, little endian.
type int128 struct {
	lo, hi uint64
}

func (x int128) add(y int128) int128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return int128{lo, hi}
}

func (x int128) mul(y int128) int128 {
	hi, lo := bits.Mul64(x.lo, y.lo)
	return int128{lo, hi + x.lo*y.hi + x.hi*y.lo}
}

func (x int128) less(y int128) bool {
	if x.hi != y.hi {
		return int64(x.hi) < int64(y.hi)
	}
	return x.lo < y.lo
}

func (x int128) isTrue() bool { return x.lo|x.hi != 0 }

func logicalAnd128(out, in, inout uintptr, n int64) {
	a, b, c := vector[int128](in, n), vector[int128](inout, n), vector[int128](out, n)
	for i := range b {
		c[i] = int128{lo: truthValue[uint64](a[i].isTrue() && b[i].isTrue())}
	}
}

func logicalOr128(out, in, inout uintptr, n int64) {
	a, b, c := vector[int128](in, n), vector[int128](inout, n), vector[int128](out, n)
	for i := range b {
		c[i] = int128{lo: truthValue[uint64](a[i].isTrue() || b[i].isTrue())}
	}
}

func logicalXor128(out, in, inout uintptr, n int64) {
	a, b, c := vector[int128](in, n), vector[int128](inout, n), vector[int128](out, n)
	for i := range b {
		c[i] = int128{lo: truthValue[uint64](a[i].isTrue() != b[i].isTrue())}
	}
}
