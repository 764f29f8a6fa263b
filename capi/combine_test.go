package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gompi/native"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
)

// inC has the kernels in C combine elements, or the loops in Go.
func inC(yes bool) {
	if yes {
		native.Use(functions)
	} else {
		native.Use(native.Library{})
	}
}

// combined lists the operations with the datatypes that there are kernels in C for.
func combined(f func(o *op.Op, t *datatype.Type)) {
	for _, o := range op.All() {
		seen := map[datatype.Basic]bool{}
		for _, t := range datatype.All() {
			dense := t.Size() == t.Extent() || t.Kind() == datatype.ValueIndex
			if o.Collective() && dense && o.Valid(t) && !seen[t.Basic()] {
				seen[t.Basic()] = true
				f(o, t)
			}
		}
	}
}

// float is a part of an element that is a floating-point number of so many bytes.
type float struct{ at, size int }

// floats are those parts of an element.
func floats(b datatype.Basic) []float {
	switch b {
	case datatype.Float32, datatype.Float32Int:
		return []float{{0, 4}}
	case datatype.Float64, datatype.Float64Int:
		return []float{{0, 8}}
	case datatype.Float80, datatype.Float80Int:
		return []float{{0, 10}}
	case datatype.Complex64, datatype.Float32Pair:
		return []float{{0, 4}, {4, 4}}
	case datatype.Complex128, datatype.Float64Pair:
		return []float{{0, 8}, {8, 8}}
	case datatype.Complex160:
		return []float{{0, 10}, {16, 10}}
	}
	return nil
}

// put writes a number to a part of an element, every second one difficult: minima, maxima, products and sums
// of these tell which operand was where.
func (p float) put(r *rand.Rand, element []byte) {
	hard := []float64{0, math.Copysign(0, -1), 1, -1, -2.5, math.Inf(1), math.Inf(-1), math.NaN(),
		math.MaxFloat64, 5e-324}
	x := r.NormFloat64()
	if r.IntN(2) == 0 {
		x = hard[r.IntN(len(hard))]
	}
	b := element[p.at:]
	switch p.size {
	case 4:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x)))
	case 8:
		binary.LittleEndian.PutUint64(b, math.Float64bits(x))
	default:
		putExtended(b, math.Float64bits(x))
	}
}

// putExtended writes a number of 64 bits in the format of x87; one without a normal form in 64 bits as 0.
func putExtended(b []byte, bits uint64) {
	exponent, significand := bits>>52&0x7ff, 1<<63|bits<<11
	switch exponent {
	case 0:
		significand = 0
	case 0x7ff:
		exponent = 0x7fff
	default:
		exponent += 0x3fff - 0x3ff
	}
	binary.LittleEndian.PutUint64(b, significand)
	binary.LittleEndian.PutUint16(b[8:], uint16(bits>>63<<15|exponent))
}

func (p float) isNaN(element []byte) bool {
	b := element[p.at:]
	switch p.size {
	case 4:
		x := math.Float32frombits(binary.LittleEndian.Uint32(b))
		return x != x
	case 8:
		x := math.Float64frombits(binary.LittleEndian.Uint64(b))
		return x != x
	}
	return binary.LittleEndian.Uint16(b[8:])&0x7fff == 0x7fff && binary.LittleEndian.Uint64(b) != 1<<63
}

// gaps is what lies between the value and the index, and behind these, of a pair.
func gaps(element []byte, of datatype.Basic) [][]byte {
	switch of {
	case datatype.Int16Int:
		return [][]byte{element[2:4]}
	case datatype.Int64Int, datatype.Float64Int:
		return [][]byte{element[12:]}
	case datatype.Float80Int:
		return [][]byte{element[20:]}
	}
	return nil
}

// draw fills b with elements of a representation. Gaps are 0, which they stay.
func draw(r *rand.Rand, b []byte, size int, of datatype.Basic) {
	hard := []uint64{0, 1, math.MaxInt64, 1 << 63, math.MaxUint64, 0x80, 0x7f, 0x100, 0x8000, 0x7fff,
		1 << 31, 1 << 32}
	for i := 0; i < len(b); i += size {
		element := b[i : i+size]
		for k := range element {
			element[k] = byte(r.Uint32())
		}
		if r.IntN(2) == 0 {
			copy(element, binary.LittleEndian.AppendUint64(nil, hard[r.IntN(len(hard))]))
		}
		for _, p := range floats(of) {
			p.put(r, element)
		}
		for _, gap := range gaps(element, of) {
			clear(gap)
		}
	}
}

// alike reports whether two elements are the same: NaNs may differ in their bits, and what stands behind a
// number of 10 bytes does not count.
func alike(a, b []byte, of datatype.Basic) bool {
	parts := floats(of)
	for i := range a {
		ignored := false
		for _, p := range parts {
			within := i >= p.at && i < p.at+p.size
			behind := p.size == 10 && i >= p.at+10 && i < p.at+16
			ignored = ignored || behind || within && p.isNaN(a) && p.isNaN(b)
		}
		if a[i] != b[i] && !ignored {
			return false
		}
	}
	return true
}

// operands draws two vectors of n elements, and combines them in Go.
func operands(r *rand.Rand, o *op.Op, of *datatype.Type, n int) (a, b, want []byte) {
	size := int(of.Extent())
	a, b = make([]byte, n*size), make([]byte, n*size)
	draw(r, a, size, of.Basic())
	draw(r, b, size, of.Basic())
	want = bytes.Clone(b)
	inC(false)
	o.Apply(address(&a[0]), address(&want[0]), int64(n), of)
	inC(true)
	return a, b, want
}

// place is a vector within guarded memory.
func place(v []byte, off int) (whole []byte) {
	whole = bytes.Repeat([]byte{0xa5}, len(v)+2*margin)
	copy(whole[off:], v)
	return whole
}

const margin = 40

// TestKernels holds each kernel in C against the loop in Go: all lengths, any alignment, and all ways in
// which the outcome may lie on an operand.
func TestKernels(t *testing.T) {
	defer inC(true)
	combined(func(o *op.Op, of *datatype.Type) {
		t.Run(fmt.Sprint(o.Name(), " ", of.Name()), func(t *testing.T) {
			seed := rand.Uint64()
			r, size := rand.New(rand.NewPCG(seed, 1)), int(of.Extent())
			for n := 1; n <= 80; n++ {
				a, b, want := operands(r, o, of, n)
				for lies := range 3 {
					ats := [3]int{r.IntN(margin), r.IntN(margin), r.IntN(margin)}
					in := [3][]byte{place(a, ats[0]), place(b, ats[1]), place(b, ats[2])}
					out, at := in[lies], ats[lies]
					o.Combine(address(&out[at]), address(&in[0][ats[0]]), address(&in[1][ats[1]]),
						int64(n), of)
					for i := 0; i < n*size; i += size {
						if !alike(out[at+i:][:size], want[i:][:size], of.Basic()) {
							t.Fatalf("seed %d, %d elements, outcome on %d: element %d: %x op %x is %x, in Go %x", seed, n,
								lies, i/size, a[i:][:size], b[i:][:size], out[at+i:][:size], want[i:][:size])
						}
					}
					for i, v := range out {
						if (i < at || i >= at+n*size) && v != 0xa5 {
							t.Fatalf("%d elements, outcome on %d: byte %d beside it is written", n, lies, i-at)
						}
					}
				}
			}
		})
	})
}

// TestLongVectors is about the seams between the calls that a long vector takes.
func TestLongVectors(t *testing.T) {
	defer inC(true)
	r := rand.New(rand.NewPCG(3, 3))
	combined(func(o *op.Op, of *datatype.Type) {
		size := int(of.Extent())
		for _, n := range []int{native.AtOnce / size, native.AtOnce/size + 1, 3 * native.AtOnce / size} {
			a, b, want := operands(r, o, of, n)
			o.Apply(address(&a[0]), address(&b[0]), int64(n), of)
			for i := 0; i < n*size; i += size {
				if !alike(b[i:][:size], want[i:][:size], of.Basic()) {
					t.Fatalf("%s of %d %s: element %d is another one in Go", o.Name(), n, of.Name(), i/size)
				}
			}
		}
	})
}
