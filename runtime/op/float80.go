package op

// float80 is the extended format of x87 in its 16 bytes of storage: a significand with explicit first bit,
// then sign and exponent in the lowest 16 bits of the second word. The other six bytes are padding.
type float80 struct {
	significand  uint64
	signExponent uint64
}

const (
	quietBit80 = 1 << 62
	first80    = 1 << 63
	sign16     = 1 << 15
)

// indefinite80 is the NaN that x87 gives for an invalid operation.
var indefinite80 = float80{first80 | quietBit80, 0xffff}

func (x float80) exponent() uint64 { return x.signExponent & expMask }
func (x float80) negative() bool   { return x.signExponent&sign16 != 0 }

// supported reports whether x87 takes x for a number at all; since the 80387 a first bit of 0 is for
// subnormals alone.
func (x float80) supported() bool { return x.significand&first80 != 0 || x.exponent() == 0 }

func (x float80) isInf() bool { return x.exponent() == expMask && x.significand == first80 }
func (x float80) isNaN() bool {
	return !x.supported() || x.exponent() == expMask && x.significand != first80
}

// unpack takes x, which is not a NaN, apart.
func (x float80) unpack() number128 {
	n := number128{neg: x.negative(), exp: int(x.exponent()) - wideBias, hi: x.significand}
	switch {
	case x.significand == 0:
		n.class = zero
	case x.exponent() == expMask:
		n.class = infinite
	default:
		n.class = finite
		if x.exponent() == 0 {
			n.exp = wideMinExp
			n.normalize()
		}
	}
	return n
}

func packFloat80(n number128) float80 {
	n = n.round(64)
	var x float80
	switch n.class {
	case notANumber:
		return indefinite80
	case infinite:
		x = float80{first80, expMask}
	case finite:
		x.significand = n.hi
		if n.hi&first80 != 0 {
			x.signExponent = uint64(n.exp + wideBias)
		}
	}
	if n.neg {
		x.signExponent |= sign16
	}
	return x
}

// nan80 is the result of an operation of which one operand is a NaN: that NaN made quiet; of two NaNs a quiet
// one before a signalling one, else the one with the greater significand.
func nan80(x, y float80) float80 {
	switch {
	case !x.supported() || !y.supported():
		return indefinite80
	case !y.isNaN():
		return x.quiet()
	case !x.isNaN():
		return y.quiet()
	}
	if xq, yq := x.significand&quietBit80 != 0, y.significand&quietBit80 != 0; xq != yq {
		if xq {
			return x
		}
		return y
	}
	if x.significand > y.significand || x.significand == y.significand && !x.negative() {
		return x.quiet()
	}
	return y.quiet()
}

func (x float80) quiet() float80 {
	return float80{x.significand | quietBit80, x.signExponent & 0xffff}
}

func (x float80) add(y float80) float80 {
	if x.isNaN() || y.isNaN() {
		return nan80(x, y)
	}
	return packFloat80(x.unpack().add(y.unpack()))
}

func (x float80) mul(y float80) float80 {
	if x.isNaN() || y.isNaN() {
		return nan80(x, y)
	}
	return packFloat80(x.unpack().mul(y.unpack()))
}

func (x float80) sub(y float80) float80 {
	if x.isNaN() || y.isNaN() {
		return nan80(x, y)
	}
	n := y.unpack()
	n.neg = !n.neg
	return packFloat80(x.unpack().add(n))
}

func (x float80) less(y float80) bool {
	return !x.isNaN() && !y.isNaN() && x.unpack().compare(y.unpack()) < 0
}

func (x float80) equal(y float80) bool {
	return !x.isNaN() && !y.isNaN() && x.unpack().compare(y.unpack()) == 0
}

func (x float80) withClass(c class) float80 {
	return packFloat80(number128{class: c, neg: x.negative(), hi: first80})
}
