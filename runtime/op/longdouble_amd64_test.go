//go:build !purego

package op

import (
	"math/rand/v2"
	"testing"
)

// drawX87 draws any 80 bits, encodings that x87 refuses among them.
func drawX87(r *rand.Rand) float80 {
	b := make([]byte, 16)
	part{0, 16, extended}.random(r, b)
	x := vector[float80](addressOf(b), 1)[0]
	x.signExponent &= 0xffff
	switch r.IntN(12) {
	case 0:
		x.significand ^= first80
	case 1:
		x.significand ^= quietBit80
	}
	return x
}

func value(x float80) float80 { return float80{x.significand, x.signExponent & 0xffff} }

// TestTheTwinsAgree holds the arithmetic in integers against the processor's, bit for bit, NaNs included.
func TestTheTwinsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, rand.Uint64()))
	const n = 3*x87Chunk + 1
	x, y := make([]float80, n), make([]float80, n)
	for range 40 {
		for _, c := range []struct {
			name   string
			kernel kernel
			twin   func(x, y float80) float80
		}{{"sum", sumFloat80, float80.add}, {"product", productFloat80, float80.mul}} {
			for i := range n {
				x[i], y[i] = drawX87(r), drawX87(r)
			}
			got := make([]float80, n)
			copy(got, y)
			c.kernel(addressOfSlice(got), addressOfSlice(x), addressOfSlice(got), n)
			for i := range n {
				if want := value(c.twin(x[i], y[i])); value(got[i]) != want {
					t.Fatalf("%s of %x and %x: %x, the twin says %x", c.name, x[i], y[i], got[i], want)
				}
			}
		}
	}
}

func TestTheTwinsAgreeOnComplexProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, rand.Uint64()))
	for range 20000 {
		x, y := []float80{drawX87(r), drawX87(r)}, []float80{drawX87(r), drawX87(r)}
		got, want := append([]float80(nil), y...), append([]float80(nil), y...)
		productComplex160(addressOfSlice(got), addressOfSlice(x), addressOfSlice(got), 1)
		productSoftComplex[float80](addressOfSlice(want), addressOfSlice(x), addressOfSlice(want), 1)
		for i := range got {
			if value(got[i]) != value(want[i]) && !(got[i].isNaN() && want[i].isNaN()) {
				t.Fatalf("(%x)(%x): %x, the twin says %x", x, y, got, want)
			}
		}
	}
}

func BenchmarkSumLongDouble(b *testing.B) {
	x, y := make([]float80, 1024), make([]float80, 1024)
	b.SetBytes(1024 * 16)
	for b.Loop() {
		sumFloat80(addressOfSlice(y), addressOfSlice(x), addressOfSlice(y), 1024)
	}
}
