package datatype

import "encoding/binary"

// Both formats have a sign, 15 bits of exponent with the same bias, and a significand: 64 bits with the
// leading one written in x87 extended precision, 112 bits without it in binary128.
const (
	exponentMask = 0x7fff
	signBit      = 0x8000
	leadingOne   = 1 << 63
	moreBits     = 49 // of the significand of binary128
)

// extendedToQuad turns a number of x87 extended precision into IEEE binary128, both little-endian. That is
// exact.
func extendedToQuad(to *[16]byte, from []byte) {
	significand := binary.LittleEndian.Uint64(from)
	fraction := significand &^ leadingOne
	head := binary.LittleEndian.Uint16(from[8:])
	if head&exponentMask == 0 && significand&leadingOne != 0 {
		head |= 1 // a denormal with a leading one is the smallest normal
	}
	binary.LittleEndian.PutUint64(to[:], fraction<<moreBits)
	binary.LittleEndian.PutUint64(to[8:], uint64(head)<<48|fraction>>(64-moreBits))
}

// quadToExtended turns IEEE binary128 into x87 extended precision, rounded to nearest, ties to even.
func quadToExtended(to []byte, from *[16]byte) {
	low, high := binary.LittleEndian.Uint64(from[:]), binary.LittleEndian.Uint64(from[8:])
	head := uint16(high >> 48)
	fraction := high<<16>>16<<(64-moreBits) | low>>moreBits
	rest, half := low<<(64-moreBits), uint64(leadingOne)
	exponent := head & exponentMask
	significand := fraction
	if exponent != 0 {
		significand |= leadingOne
	}
	switch {
	case exponent == exponentMask:
		if fraction == 0 && rest != 0 {
			significand |= 1 << 62 // a NaN stays one
		}
	case rest > half || rest == half && fraction&1 != 0:
		significand++
		if exponent == 0 && significand == leadingOne || exponent != 0 && significand == 0 {
			significand = leadingOne
			exponent++
		}
	}
	binary.LittleEndian.PutUint64(to, significand)
	binary.LittleEndian.PutUint16(to[8:], head&signBit|exponent)
	clear(to[10:16])
}
