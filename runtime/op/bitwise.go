package op

// The bitwise operations do not care how wide an element is: they run over the bytes of the vectors, eight at
// a time. The type parameter tells a kernel how many bytes an element has.
type (
	size1  [1]byte
	size2  [2]byte
	size4  [4]byte
	size8  [8]byte
	size16 [16]byte
)

type sized interface {
	size1 | size2 | size4 | size8 | size16
}

// bytesOf is how many bytes n elements have.
func bytesOf[S sized](n int64) int64 {
	var element S
	return n * int64(len(element))
}

func bitAnd[S sized](out, in, inout uintptr, n int64) { andBytes(out, in, inout, bytesOf[S](n)) }
func bitOr[S sized](out, in, inout uintptr, n int64)  { orBytes(out, in, inout, bytesOf[S](n)) }
func bitXor[S sized](out, in, inout uintptr, n int64) { xorBytes(out, in, inout, bytesOf[S](n)) }

// words are three vectors as words, and the bytes that are left.
type words struct {
	a, b, c             []uint64
	aTail, bTail, cTail []byte
}

func split(out, in, inout uintptr, n int64) words {
	whole := n &^ 7
	return words{
		a: vector[uint64](in, whole/8), b: vector[uint64](inout, whole/8), c: vector[uint64](out, whole/8),
		aTail: vector[byte](in, n)[whole:], bTail: vector[byte](inout, n)[whole:],
		cTail: vector[byte](out, n)[whole:],
	}
}

func andBytes(out, in, inout uintptr, n int64) {
	w := split(out, in, inout, n)
	for i := range w.c {
		w.c[i] = w.a[i] & w.b[i]
	}
	for i := range w.cTail {
		w.cTail[i] = w.aTail[i] & w.bTail[i]
	}
}

func orBytes(out, in, inout uintptr, n int64) {
	w := split(out, in, inout, n)
	for i := range w.c {
		w.c[i] = w.a[i] | w.b[i]
	}
	for i := range w.cTail {
		w.cTail[i] = w.aTail[i] | w.bTail[i]
	}
}

func xorBytes(out, in, inout uintptr, n int64) {
	w := split(out, in, inout, n)
	for i := range w.c {
		w.c[i] = w.a[i] ^ w.b[i]
	}
	for i := range w.cTail {
		w.cTail[i] = w.aTail[i] ^ w.bTail[i]
	}
}
