package op

import "math"

// float16 is IEEE binary16. Its arithmetic goes through float32, which has more than twice its precision, so
// that rounding a sum or product a second time changes nothing.
type float16 uint16

const (
	exponentMask16 = 0x7c00
	fraction16     = 0x03ff
	quietBit16     = 0x0200
)

func (x float16) single() float32 {
	sign := uint32(x&0x8000) << 16
	exp, frac := uint32(x&exponentMask16)>>10, uint32(x&fraction16)
	switch exp {
	case 0: // zero or subnormal: frac x 2^-24, exact in float32
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*0x1p-24))
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// roundToHalf rounds to nearest, ties to even.
func roundToHalf(f float32) float16 {
	b := math.Float32bits(f)
	sign := float16(b >> 16 & 0x8000)
	b &= 1<<31 - 1
	switch {
	case b > 0xff<<23:
		return sign | exponentMask16 | quietBit16 | float16(b>>13&fraction16)
	case b >= 0x477ff000: // 65520, half-way beyond the greatest finite number
		return sign | exponentMask16
	// Below 2^-14 the last place is worth 2^-24: adding 0.5, whose last place is that, rounds.
	case b < 0x38800000:
		return sign | float16(math.Float32bits(math.Float32frombits(b)+0.5)-0x3f000000)
	}
	b += 0xfff + b>>13&1
	return sign | float16(b>>13-(127-15)<<10)
}

func (x float16) add(y float16) float16 { return roundToHalf(x.single() + y.single()) }
func (x float16) mul(y float16) float16 { return roundToHalf(x.single() * y.single()) }
func (x float16) less(y float16) bool   { return x.single() < y.single() }

// productComplex32 multiplies two-byte complex numbers in float32 and rounds once, as compilers do for
// _Float16.
func productComplex32(out, in, inout uintptr, n int64) {
	a, b, c := vector[[2]float16](in, n), vector[[2]float16](inout, n), vector[[2]float16](out, n)
	for i := range b {
		re, im := multiply(single(a[i][0].single()), single(a[i][1].single()), single(b[i][0].single()),
			single(b[i][1].single()))
		c[i] = [2]float16{roundToHalf(float32(re)), roundToHalf(float32(im))}
	}
}
