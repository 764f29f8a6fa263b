package op

// The bitwise operations do not care how wide an element is: they run over the bytes of the vectors eight at a
// time. The type parameter tells a kernel how many bytes an element has.
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

// words are the two vectors as words, and the bytes that are left.
type words struct {
	a, b         []uint64
	aTail, bTail []byte
}

func split[S sized](in, inout uintptr, n int64) words {
	var element S
	bytes := n * int64(len(element))
	whole := bytes &^ 7
	return words{
		a: vector[uint64](in, whole/8), b: vector[uint64](inout, whole/8),
		aTail: vector[byte](in, bytes)[whole:], bTail: vector[byte](inout, bytes)[whole:],
	}
}

func bitAnd[S sized](in, inout uintptr, n int64) {
	w := split[S](in, inout, n)
	a, b := w.a, w.b
	for len(a) >= 4 && len(b) >= 4 {
		b[0] &= a[0]
		b[1] &= a[1]
		b[2] &= a[2]
		b[3] &= a[3]
		a, b = a[4:], b[4:]
	}
	for i := range b {
		b[i] &= a[i]
	}
	for i := range w.bTail {
		w.bTail[i] &= w.aTail[i]
	}
}

func bitOr[S sized](in, inout uintptr, n int64) {
	w := split[S](in, inout, n)
	a, b := w.a, w.b
	for len(a) >= 4 && len(b) >= 4 {
		b[0] |= a[0]
		b[1] |= a[1]
		b[2] |= a[2]
		b[3] |= a[3]
		a, b = a[4:], b[4:]
	}
	for i := range b {
		b[i] |= a[i]
	}
	for i := range w.bTail {
		w.bTail[i] |= w.aTail[i]
	}
}

func bitXor[S sized](in, inout uintptr, n int64) {
	w := split[S](in, inout, n)
	a, b := w.a, w.b
	for len(a) >= 4 && len(b) >= 4 {
		b[0] ^= a[0]
		b[1] ^= a[1]
		b[2] ^= a[2]
		b[3] ^= a[3]
		a, b = a[4:], b[4:]
	}
	for i := range b {
		b[i] ^= a[i]
	}
	for i := range w.bTail {
		w.bTail[i] ^= w.aTail[i]
	}
}
