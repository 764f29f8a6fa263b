package op

// float128 is IEEE binary128, little endian: the fraction's lower 64 bits, then its upper 48 bits with
// exponent and sign above them.
type float128 struct {
	lo, hi uint64
}

const (
	fractionBits128 = 112
	first128        = 1 << (fractionBits128 - 64)
	fraction128     = first128 - 1
	quietBit128     = first128 >> 1
	sign128         = 1 << 63
)

func (x float128) exponent() uint64 { return x.hi >> (fractionBits128 - 64) & expMask }
func (x float128) negative() bool   { return x.hi&sign128 != 0 }
func (x float128) noFraction() bool { return x.hi&fraction128|x.lo == 0 }
func (x float128) isInf() bool      { return x.exponent() == expMask && x.noFraction() }
func (x float128) isNaN() bool      { return x.exponent() == expMask && !x.noFraction() }

// unpack takes x, which is not a NaN, apart.
func (x float128) unpack() number128 {
	n := number128{neg: x.negative(), exp: int(x.exponent()) - wideBias, hi: x.hi & fraction128, lo: x.lo}
	switch {
	case x.exponent() == expMask:
		n.class = infinite
		return n
	case x.exponent() == 0 && x.noFraction():
		n.class = zero
		return n
	case x.exponent() == 0:
		n.exp = wideMinExp
	default:
		n.hi |= first128
	}
	n.class = finite
	n.exp += 127 - fractionBits128 // the first bit stands at 112, its place is 127
	n.normalize()
	return n
}

func packFloat128(n number128) float128 {
	n = n.round(fractionBits128 + 1)
	var x float128
	switch n.class {
	case notANumber:
		return float128{hi: expMask<<(fractionBits128-64) | quietBit128}
	case infinite:
		x.hi = expMask << (fractionBits128 - 64)
	case finite:
		const shift = 127 - fractionBits128
		x.lo = n.lo>>shift | n.hi<<(64-shift)
		x.hi = n.hi >> shift & fraction128
		if n.hi&first80 != 0 {
			x.hi |= uint64(n.exp+wideBias) << (fractionBits128 - 64)
		}
	}
	if n.neg {
		x.hi |= sign128
	}
	return x
}

// nan128 is the result of an operation of which one operand is a NaN: the first NaN, made quiet.
func nan128(x, y float128) float128 {
	if !x.isNaN() {
		x = y
	}
	x.hi |= quietBit128
	return x
}

func (x float128) add(y float128) float128 {
	if x.isNaN() || y.isNaN() {
		return nan128(x, y)
	}
	return packFloat128(x.unpack().add(y.unpack()))
}

func (x float128) sub(y float128) float128 {
	if x.isNaN() || y.isNaN() {
		return nan128(x, y)
	}
	n := y.unpack()
	n.neg = !n.neg
	return packFloat128(x.unpack().add(n))
}

func (x float128) mul(y float128) float128 {
	if x.isNaN() || y.isNaN() {
		return nan128(x, y)
	}
	return packFloat128(x.unpack().mul(y.unpack()))
}

func (x float128) less(y float128) bool {
	return !x.isNaN() && !y.isNaN() && x.unpack().compare(y.unpack()) < 0
}

func (x float128) equal(y float128) bool {
	return !x.isNaN() && !y.isNaN() && x.unpack().compare(y.unpack()) == 0
}

func (x float128) withClass(c class) float128 {
	return packFloat128(number128{class: c, neg: x.negative(), hi: first80})
}
