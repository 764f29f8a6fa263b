package op

import "math/bits"

// Floating point in integers, for the formats that the machine's vector unit does not have. Both wide
// formats, x87's and IEEE binary128, have a 15-bit exponent and differ in the bits of the significand alone,
// so one engine serves them: operands are taken apart into a number with a 128-bit significand, which leaves
// room for the guard and sticky bits that a correctly rounded result needs; the result is rounded to the
// format's precision, to nearest, ties to even, which is the rounding that C programs start with.

const (
	wideBias   = 16383  // what the exponent field holds for the exponent 0
	wideMinExp = -16382 // exponent of the least normal number
	wideMaxExp = 16383  // exponent of the greatest finite number
	expMask    = 0x7fff
)

// class is what sort of value a number is.
type class uint8

const (
	zero class = iota
	finite
	infinite
	notANumber
)

// number128 is an unpacked value: 1.fraction x 2^exp, where bit 127 of hi:lo is the 1.
type number128 struct {
	class  class
	neg    bool
	exp    int
	hi, lo uint64
}

// shiftRightJam shifts hi:lo right by n bits and keeps in the lowest bit whether anything but zeros fell out.
func shiftRightJam(hi, lo uint64, n int) (uint64, uint64) {
	var lost uint64
	switch {
	case n <= 0:
		return hi, lo
	case n < 64:
		lost = lo << (64 - n)
		lo = lo>>n | hi<<(64-n)
		hi >>= n
	case n < 128:
		lost = lo | hi<<1<<(127-n)
		lo = hi >> (n - 64)
		hi = 0
	default:
		lost = hi | lo
		hi, lo = 0, 0
	}
	if lost != 0 {
		lo |= 1
	}
	return hi, lo
}

// normalize shifts the significand, which is not zero, until its bit 127 is set.
func (x *number128) normalize() {
	if x.hi == 0 {
		x.hi, x.lo = x.lo, 0
		x.exp -= 64
	}
	n := bits.LeadingZeros64(x.hi)
	x.hi = x.hi<<n | x.lo>>1>>(63-n)
	x.lo <<= n
	x.exp -= n
}

// add is x + y. Neither is a NaN; infinities of opposite signs give one.
func (x number128) add(y number128) number128 {
	switch {
	case x.class == infinite || y.class == infinite:
		if x.class == y.class && x.neg != y.neg {
			return number128{class: notANumber}
		}
		if x.class == infinite {
			return x
		}
		return y
	case x.class == zero && y.class == zero:
		return number128{class: zero, neg: x.neg && y.neg}
	case x.class == zero:
		return y
	case y.class == zero:
		return x
	}
	if x.exp < y.exp || x.exp == y.exp && (x.hi < y.hi || x.hi == y.hi && x.lo < y.lo) {
		x, y = y, x
	}
	// One bit of room on top for the carry.
	xhi, xlo := shiftRightJam(x.hi, x.lo, 1)
	yhi, ylo := shiftRightJam(y.hi, y.lo, 1+x.exp-y.exp)
	var carry uint64
	z := number128{class: finite, neg: x.neg, exp: x.exp + 1}
	if x.neg == y.neg {
		z.lo, carry = bits.Add64(xlo, ylo, 0)
		z.hi, _ = bits.Add64(xhi, yhi, carry)
	} else {
		z.lo, carry = bits.Sub64(xlo, ylo, 0)
		z.hi, _ = bits.Sub64(xhi, yhi, carry)
		if z.hi|z.lo == 0 {
			return number128{class: zero} // x - x is +0 when rounding to nearest
		}
	}
	z.normalize()
	return z
}

// mul is x * y. Neither is a NaN; zero times infinity gives one.
func (x number128) mul(y number128) number128 {
	z := number128{neg: x.neg != y.neg}
	switch {
	case x.class == infinite || y.class == infinite:
		z.class = infinite
		if x.class == zero || y.class == zero {
			return number128{class: notANumber}
		}
		return z
	case x.class == zero || y.class == zero:
		return z
	}
	// The 256-bit product, of which the lower half matters only by whether it is zero.
	h0, l0 := bits.Mul64(x.lo, y.lo)
	h1, l1 := bits.Mul64(x.lo, y.hi)
	h2, l2 := bits.Mul64(x.hi, y.lo)
	h3, l3 := bits.Mul64(x.hi, y.hi)
	m, c1 := bits.Add64(h0, l1, 0)
	m, c2 := bits.Add64(m, l2, 0)
	lo, c3 := bits.Add64(h1, h2, 0)
	hi, _ := bits.Add64(h3, 0, c3)
	lo, c3 = bits.Add64(lo, l3, 0)
	hi += c3
	lo, c3 = bits.Add64(lo, c1+c2, 0)
	hi += c3
	if l0|m != 0 {
		lo |= 1
	}
	z.class, z.exp, z.hi, z.lo = finite, x.exp+y.exp+1, hi, lo
	z.normalize()
	return z
}

// round rounds a finite number to the given precision, 64 or 113 bits, and to the exponents of the wide
// formats. The significand comes out at the top of hi:lo; its bit 127 is clear when the number is subnormal,
// exp then being that of the least normal number. What is too large becomes an infinity, what is too small a
// zero.
func (x number128) round(precision uint) number128 {
	if x.class != finite {
		return x
	}
	if x.exp < wideMinExp {
		x.hi, x.lo = shiftRightJam(x.hi, x.lo, wideMinExp-x.exp)
		x.exp = wideMinExp
	}
	unit := uint64(1) << (128 - precision) // the last bit kept; for 64 bits of precision that is the 1 of hi
	var carry uint64
	if precision == 64 {
		const half = 1 << 63
		if x.lo > half || x.lo == half && x.hi&1 != 0 {
			x.hi, carry = bits.Add64(x.hi, 1, 0)
		}
		x.lo = 0
	} else {
		half, rest := unit/2, x.lo&(unit-1)
		x.lo &^= unit - 1
		if rest > half || rest == half && x.lo&unit != 0 {
			x.lo, carry = bits.Add64(x.lo, unit, 0)
			x.hi, carry = bits.Add64(x.hi, 0, carry)
		}
	}
	if carry != 0 {
		x.hi, x.exp = 1<<63, x.exp+1
	}
	if x.exp > wideMaxExp {
		return number128{class: infinite, neg: x.neg}
	}
	if x.hi|x.lo == 0 {
		x.class = zero
	}
	return x
}

// compare orders two values that are not NaNs: below 0, 0 or above 0 as x is less than, equal to or greater
// than y.
func (x number128) compare(y number128) int {
	a, b := x.rank(), y.rank()
	if a != b || a == 0 || x.class == infinite {
		return a - b
	}
	r := x.exp - y.exp
	if r == 0 {
		switch {
		case x.hi > y.hi || x.hi == y.hi && x.lo > y.lo:
			r = 1
		case x.hi < y.hi || x.lo < y.lo:
			r = -1
		}
	}
	if x.neg {
		return -r
	}
	return r
}

// rank orders the classes: negative infinity, negative, zero, positive, positive infinity.
func (x number128) rank() int {
	r := 0
	switch x.class {
	case finite:
		r = 1
	case infinite:
		r = 2
	}
	if x.neg {
		return -r
	}
	return r
}
