package op

import (
	"encoding/binary"
	"math/rand/v2"

	"gompi/runtime/datatype"
)

// representation says what the tests must know of a Basic: its name in reference.c and of what parts it
// consists.
type representation struct {
	name  string
	parts []part
}

// part is one number within an element.
type part struct {
	off, bytes int
	form       form
}

type form int

const (
	integer form = iota
	boolean
	half
	binary32
	binary64
	extended
	binary128
)

func plain(name string, bytes int, f form) representation {
	return representation{name, []part{{0, bytes, f}}}
}

func double2(name string, bytes int, f form) representation {
	return representation{name, []part{{0, bytes, f}, {bytes, bytes, f}}}
}

func withInt(name string, bytes int, f form, at int) representation {
	return representation{name, []part{{0, bytes, f}, {at, 4, integer}}}
}

var representations = map[datatype.Basic]representation{
	datatype.Int8: plain("Int8", 1, integer), datatype.Int16: plain("Int16", 2, integer),
	datatype.Int32: plain("Int32", 4, integer), datatype.Int64: plain("Int64", 8, integer),
	datatype.Int128: plain("Int128", 16, integer),
	datatype.Uint8:  plain("Uint8", 1, integer), datatype.Uint16: plain("Uint16", 2, integer),
	datatype.Uint32: plain("Uint32", 4, integer), datatype.Uint64: plain("Uint64", 8, integer),
	datatype.Float16: plain("Float16", 2, half), datatype.Float32: plain("Float32", 4, binary32),
	datatype.Float64: plain("Float64", 8, binary64), datatype.Float80: plain("Float80", 16, extended),
	datatype.Float128:  plain("Float128", 16, binary128),
	datatype.Complex32: double2("Complex32", 2, half), datatype.Complex64: double2("Complex64", 4, binary32),
	datatype.Complex128: double2("Complex128", 8, binary64), datatype.Complex160: double2("Complex160", 16, extended),
	datatype.Complex256: double2("Complex256", 16, binary128),
	datatype.Logical8:   plain("Logical8", 1, boolean), datatype.Logical16: plain("Logical16", 2, integer),
	datatype.Logical32: plain("Logical32", 4, integer), datatype.Logical64: plain("Logical64", 8, integer),
	datatype.Logical128: plain("Logical128", 16, integer),
	datatype.Int16Int:   withInt("Int16Int", 2, integer, 4), datatype.Int32Int: withInt("Int32Int", 4, integer, 4),
	datatype.Int64Int: withInt("Int64Int", 8, integer, 8), datatype.Float32Int: withInt("Float32Int", 4, binary32, 4),
	datatype.Float64Int: withInt("Float64Int", 8, binary64, 8), datatype.Float80Int: withInt("Float80Int", 16, extended, 16),
	datatype.Float128Int: withInt("Float128Int", 16, binary128, 16),
	datatype.Float32Pair: double2("Float32Pair", 4, binary32), datatype.Float64Pair: double2("Float64Pair", 8, binary64),
}

// exponents are the width of the exponent field and the position of its lowest bit, by form.
var exponents = map[form]struct{ bits, at uint }{half: {5, 10}, binary32: {8, 23}, binary64: {11, 52},
	extended: {15, 64}, binary128: {15, 112}}

// random fills one part with a value that is likely to find faults: among random bits there are zeros,
// numbers close to each other, subnormals, infinities, NaNs, numbers whose products overflow or nearly
// vanish.
func (p part) random(r *rand.Rand, element []byte) {
	b := element[p.off : p.off+p.bytes]
	lo, hi := r.Uint64(), r.Uint64()
	switch p.form {
	case boolean:
		lo, hi = lo&1, 0
	case integer:
		switch r.IntN(4) {
		case 0:
			lo, hi = uint64(r.IntN(3)), 0
		case 1:
			lo, hi = -uint64(r.IntN(4)), ^uint64(0)
			if lo == 0 {
				hi = 0
			}
		}
	default:
		lo, hi = p.randomFloat(r, lo, hi)
	}
	var raw [16]byte
	binary.LittleEndian.PutUint64(raw[:], lo)
	binary.LittleEndian.PutUint64(raw[8:], hi)
	copy(b, raw[:])
}

func (p part) randomFloat(r *rand.Rand, lo, hi uint64) (uint64, uint64) {
	e := exponents[p.form]
	most := uint64(1)<<e.bits - 1
	bias := most / 2
	exp := r.Uint64N(most + 1)
	switch r.IntN(10) {
	case 0:
		exp = most
	case 1:
		exp = 0
	case 2:
		exp = most - 1 - r.Uint64N(2)
	case 3:
		exp = bias / 2
	case 4:
		exp = bias + bias/2
	case 5, 6, 7:
		exp = bias + r.Uint64N(4)
	}
	switch r.IntN(6) { // the fraction: none, few bits, all bits but few
	case 0:
		lo, hi = 0, 0
	case 1:
		lo, hi = 1<<r.UintN(64), 0
	case 2:
		lo, hi = 0, 1<<r.UintN(64)
	case 3:
		lo, hi = -(uint64(1) << r.UintN(64)), ^uint64(0)
	}
	neg := r.Uint64N(2)
	if e.at >= 64 {
		at := e.at - 64
		if p.form == extended && exp != 0 {
			lo |= 1 << 63
		} else if p.form == extended {
			lo &^= 1 << 63
		}
		return lo, hi&(1<<at-1) | exp<<at | neg<<(at+e.bits)
	}
	return lo&(1<<e.at-1) | exp<<e.at | neg<<(e.at+e.bits), 0
}

// same reports whether two elements hold the same number in this part: the same bits, or NaNs both.
func (p part) same(x, y []byte) bool {
	n := p.bytes
	if p.form == extended {
		n = 10
	}
	x, y = x[p.off:p.off+n], y[p.off:p.off+n]
	return string(x) == string(y) || p.isNaN(x) && p.isNaN(y)
}

func (p part) isNaN(b []byte) bool {
	var raw [16]byte
	copy(raw[:], b)
	lo, hi := binary.LittleEndian.Uint64(raw[:]), binary.LittleEndian.Uint64(raw[8:])
	switch p.form {
	case half:
		return lo&0x7fff > 0x7c00
	case binary32:
		return lo&0x7fffffff > 0x7f800000
	case binary64:
		return lo&(1<<63-1) > 0x7ff<<52
	case extended:
		return float80{lo, hi}.isNaN()
	case binary128:
		return float128{lo, hi}.isNaN()
	}
	return false
}
