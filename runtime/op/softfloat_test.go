package op

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// exact is the value of a finite number128.
func (x number128) exact() *big.Float {
	if x.class == zero {
		return new(big.Float)
	}
	m := new(big.Int).SetUint64(x.hi)
	m.Lsh(m, 64).Or(m, new(big.Int).SetUint64(x.lo))
	f := new(big.Float).SetPrec(128).SetInt(m)
	f.SetMantExp(f, x.exp-127)
	if x.neg {
		f.Neg(f)
	}
	return f
}

func drawNumber(t *rapid.T, name string) number128 {
	x := number128{
		class: finite, neg: rapid.Bool().Draw(t, name+" sign"), exp: rapid.IntRange(-130, 130).Draw(t, name+" exponent"),
		hi: rapid.Uint64().Draw(t, name+" high") | 1<<63, lo: rapid.Uint64().Draw(t, name+" low"),
	}
	return x
}

// TestArithmeticRoundsCorrectly compares with math/big, which rounds exact results, away from the limits of
// the exponent; those are compared with the compiler's arithmetic in TestEveryOperationIsTheCompilers.
func TestArithmeticRoundsCorrectly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		precision := rapid.SampledFrom([]uint{64, 113}).Draw(t, "precision")
		x, y := drawNumber(t, "x").round(precision), drawNumber(t, "y").round(precision)
		result := func() *big.Float { return new(big.Float).SetPrec(precision).SetMode(big.ToNearestEven) }
		if got, want := x.add(y).round(precision).exact(), result().Add(x.exact(),
			y.exact()); got.Cmp(want) != 0 {
			t.Fatalf("%v + %v = %v, want %v", x.exact(), y.exact(), got, want)
		}
		if got, want := x.mul(y).round(precision).exact(), result().Mul(x.exact(),
			y.exact()); got.Cmp(want) != 0 {
			t.Fatalf("%v * %v = %v, want %v", x.exact(), y.exact(), got, want)
		}
		if got, want := x.compare(y), x.exact().Cmp(y.exact()); (got > 0) != (want > 0) ||
			(got < 0) != (want < 0) {
			t.Fatalf("compare(%v, %v) = %d, want %d", x.exact(), y.exact(), got, want)
		}
	})
}

func TestFormatsSurviveUnpacking(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 20000 {
		var b [16]byte
		part{0, 16, binary128}.random(r, b[:])
		x := vector[float128](addressOf(b[:]), 1)[0]
		if !x.isNaN() && packFloat128(x.unpack()) != x {
			t.Fatalf("binary128 %x became %x", x, packFloat128(x.unpack()))
		}
		part{0, 16, extended}.random(r, b[:])
		y := vector[float80](addressOf(b[:]), 1)[0]
		y.signExponent &= 0xffff
		if !y.isNaN() && packFloat80(y.unpack()) != y {
			t.Fatalf("x87 %x became %x", y, packFloat80(y.unpack()))
		}
	}
	for h := range 1 << 16 {
		x := float16(h)
		got := roundToHalf(x.single())
		if x&0x7fff > exponentMask16 {
			x |= quietBit16
		}
		if got != x {
			t.Fatalf("binary16 %x became %x", x, got)
		}
	}
}
