//go:build !purego

package op

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
	"pgregory.net/rapid"
)

// leaf is a vector kernel and what it is made of. avx2 and sse2 take bytes, at least 4; sse2 may be nil.
type leaf struct {
	name         string
	size         int
	kernel, twin kernel
	avx2, sse2   kernel
}

// difficult are values of which minima, maxima, products and sums tell which operand was where.
func difficult(l leaf) [][]byte {
	var all [][]byte
	switch {
	case strings.HasSuffix(l.name, "Float64"):
		for _, x := range []uint64{0, 1 << 63, 1, math.Float64bits(1), math.Float64bits(-1),
			math.Float64bits(math.Inf(1)),
			math.Float64bits(math.Inf(-1)), 0x7ff8000000000001, 0xfff8000000000002, 0x7ff0000000000003,
			math.MaxUint64} {
			all = append(all, binary.LittleEndian.AppendUint64(nil, x))
		}
	case strings.HasSuffix(l.name, "Float32"):
		for _, x := range []uint32{0, 1 << 31, 1, math.Float32bits(1), math.Float32bits(-1), 0x7f800000,
			0xff800000, 0x7fc00001, 0xffc00002,
			0x7f800003, math.MaxUint32} {
			all = append(all, binary.LittleEndian.AppendUint32(nil, x))
		}
	default:
		for _, x := range []uint64{0, 1, 0x7fffffffffffffff, 0x8000000000000000, math.MaxUint64, 0x80, 0x7f,
			0x100, 0x8000, 0x7fff, 0x80000000, 1 << 32} {
			all = append(all, binary.LittleEndian.AppendUint64(nil, x)[:l.size])
		}
	}
	return all
}

// drawElements fills b with elements, every second one difficult.
func drawElements(r *rand.Rand, l leaf, b []byte) {
	hard := difficult(l)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for i := 0; i+l.size <= len(b); i += l.size {
		if r.IntN(2) == 0 {
			copy(b[i:], hard[r.IntN(len(hard))])
		}
	}
}

// sameOutcome compares element by element. Which of two NaNs a sum or a product keeps is up to the compiler
// in the twin.
func sameOutcome(l leaf, got, want, a, b []byte) int {
	for i := 0; i+l.size <= len(want); i += l.size {
		g, w := got[i:i+l.size], want[i:i+l.size]
		if bytes.Equal(g, w) {
			continue
		}
		if twoNaNs(l, a[i:], b[i:]) && (strings.HasPrefix(l.name, "sum") || strings.HasPrefix(l.name, "product")) {
			quiet := bytes.Clone(a[i : i+l.size]) // the first operand's stays
			quiet[l.size-2] |= map[int]byte{4: 0x40, 8: 0x08}[l.size]
			if bytes.Equal(g, quiet) {
				continue
			}
		}
		return i / l.size
	}
	return -1
}

func twoNaNs(l leaf, a, b []byte) bool {
	switch {
	case strings.HasSuffix(l.name, "Float64"):
		return isNaN64(a) && isNaN64(b)
	case strings.HasSuffix(l.name, "Float32"):
		return isNaN32(a) && isNaN32(b)
	}
	return false
}

func isNaN64(b []byte) bool { x := math.Float64frombits(binary.LittleEndian.Uint64(b)); return x != x }
func isNaN32(b []byte) bool { x := math.Float32frombits(binary.LittleEndian.Uint32(b)); return x != x }

// TestLeavesAreTheirTwins holds every leaf of assembly, on its own and behind the kernel that chooses,
// against plain Go: all lengths, any alignment, and all ways in which the outcome may lie on an operand.
func TestLeavesAreTheirTwins(t *testing.T) {
	for _, l := range leaves {
		t.Run(l.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				n := rapid.OneOf(rapid.IntRange(1, 80), rapid.IntRange(1, 300)).Draw(t, "elements")
				size := n * l.size
				offA, offB, offC := rapid.IntRange(0, 33).Draw(t, "a"), rapid.IntRange(0, 33).Draw(t,
					"b"), rapid.IntRange(0, 33).Draw(t, "out")
				const margin = 40
				a, b := make([]byte, size), make([]byte, size)
				drawElements(r, l, a)
				drawElements(r, l, b)
				want := make([]byte, size)
				l.twin(addressOf(want), addressOf(a), addressOf(b), int64(n))
				check := func(how string, combine func(out, a, b uintptr)) {
					for _, lies := range []string{"apart", "on b", "on a"} {
						x, y, z := bytes.Repeat([]byte{0xa5}, size+2*margin), bytes.Repeat([]byte{0xa5},
							size+2*margin), bytes.Repeat([]byte{0xa5}, size+2*margin)
						copy(x[offA:], a)
						copy(y[offB:], b)
						out, off := z, offC
						switch lies {
						case "on b":
							out, off = y, offB
						case "on a":
							out, off = x, offA
						}
						combine(addressOf(out)+uintptr(off), addressOf(x)+uintptr(offA),
							addressOf(y)+uintptr(offB))
						if i := sameOutcome(l, out[off:], want, a, b); i >= 0 {
							t.Fatalf("%s, %d elements, outcome %s: element %d: %x op %x is %x, the twin says %x", how, n, lies, i,
								a[i*l.size:(i+1)*l.size], b[i*l.size:(i+1)*l.size],
								out[off+i*l.size:off+(i+1)*l.size], want[i*l.size:(i+1)*l.size])
						}
						for i, v := range out {
							if (i < off || i >= off+size) && v != 0xa5 {
								t.Fatalf("%s, %d elements, outcome %s: byte %d beside the outcome is written", how, n, lies, i-off)
							}
						}
					}
				}
				check("the kernel", func(out, a, b uintptr) { l.kernel(out, a, b, int64(n)) })
				if size >= 4 && cpu.X86.HasAVX2 {
					check("AVX2", func(out, a, b uintptr) { l.avx2(out, a, b, int64(size)) })
				}
				if size >= 4 && l.sse2 != nil {
					check("SSE2", func(out, a, b uintptr) { l.sse2(out, a, b, int64(size)) })
				}
			})
		})
	}
}

// TestLongVectorsGoInStretches is about the seams between the calls of a leaf.
func TestLongVectorsGoInStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, l := range leaves {
		for _, n := range []int{stretch / l.size, 3*stretch/2/l.size + 1, 3*stretch/l.size + 5} {
			a, b := make([]byte, n*l.size), make([]byte, n*l.size)
			drawElements(r, l, a)
			drawElements(r, l, b)
			got, want := make([]byte, n*l.size), make([]byte, n*l.size)
			l.kernel(addressOf(got), addressOf(a), addressOf(b), int64(n))
			l.twin(addressOf(want), addressOf(a), addressOf(b), int64(n))
			if i := sameOutcome(l, got, want, a, b); i >= 0 {
				t.Fatalf("%s, %d elements: element %d is not the twin's", l.name, n, i)
			}
		}
	}
}

// TestComplexProductsAreTheirTwins has NaNs and infinities among the parts, for which the leaf stops.
func TestComplexProductsAreTheirTwins(t *testing.T) {
	parts := []float64{0, math.Copysign(0, -1), 1, -2.5, math.Inf(1), math.Inf(-1), math.NaN(),
		math.MaxFloat64, 5e-324}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "numbers")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		often := rapid.IntRange(1, 60).Draw(t, "one difficult part in")
		a, b := make([]float64, 2*n), make([]float64, 2*n)
		a32, b32 := make([]float32, 2*n), make([]float32, 2*n)
		for i := range a {
			a[i], b[i] = r.NormFloat64(), r.NormFloat64()
			if r.IntN(often) == 0 {
				a[i] = parts[r.IntN(len(parts))]
			}
			if r.IntN(often) == 0 {
				b[i] = parts[r.IntN(len(parts))]
			}
			a32[i], b32[i] = float32(a[i]), float32(b[i])
		}
		got, want := make([]float64, 2*n), make([]float64, 2*n)
		productComplex128(addressOfSlice(got), addressOfSlice(a), addressOfSlice(b), int64(n))
		productComplex[double](addressOfSlice(want), addressOfSlice(a), addressOfSlice(b), int64(n))
		for i := range got {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) &&
				(got[i] == got[i] || want[i] == want[i]) {
				t.Fatalf("number %d of %d: (%v %v)(%v %v) has part %v, the twin says %v", i/2, n, a[i&^1], a[i|1], b[i&^1], b[i|1], got[i], want[i])
			}
		}
		got32, want32 := make([]float32, 2*n), make([]float32, 2*n)
		productComplex64(addressOfSlice(got32), addressOfSlice(a32), addressOfSlice(b32), int64(n))
		productComplex[single](addressOfSlice(want32), addressOfSlice(a32), addressOfSlice(b32), int64(n))
		for i := range got32 {
			if math.Float32bits(got32[i]) != math.Float32bits(want32[i]) &&
				(got32[i] == got32[i] || want32[i] == want32[i]) {
				t.Fatalf("number %d of %d in single precision: part %v, the twin says %v", i/2, n, got32[i], want32[i])
			}
		}
	})
}
