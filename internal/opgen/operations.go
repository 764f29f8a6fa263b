package main

import (
	"strconv"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// kernel is one operation on one kind of element.
type kernel struct {
	name string // of the function that chooses the leaf
	twin string // the same in plain Go
	size int    // bytes of an element
	pair
}

// pair is an operation on vectors in both instruction sets. sse is nil where the instructions came later: the
// twin does it then.
type pair struct {
	avx, sse  emit
	constants []constant // that avx needs
}

// emit makes dst out of the vectors a and b: dst = a op b. b may be memory, but in an operation that needs it
// twice. In SSE2 dst holds a already.
type emit func(f *form, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual)

// An instruction set, as the names of its leaves end.
type set string

const (
	avx2 set = "AVX2"
	sse2 set = "SSE2"
)

var sets = []set{avx2, sse2}

func (k kernel) leaf(s set) string { return k.name + string(s) }

func (k kernel) emit(s set) emit {
	if s == avx2 {
		return k.avx
	}
	return k.sse
}

// The instructions, as functions of avo's: operands stand in the order of Go's assembler, the destination
// last.
type (
	ctx   = build.Context
	two   = func(c *ctx, x, y operand.Op)
	three = func(c *ctx, x, y, z operand.Op)
	more  = func(c *ctx, ops ...operand.Op) // three as well, but for those that AVX-512 has too
)

// fixed is an instruction of three operands in the form of the others.
func fixed(i three) more {
	return func(c *ctx, ops ...operand.Op) { i(c, ops[0], ops[1], ops[2]) }
}

// plain is one instruction in each set. The first operand of the operation is the first source of the
// instruction: of two NaNs that one stays, and of two zeros the second one is the maximum and the minimum.
func plain(avx more, sse two) pair {
	p := pair{avx: func(f *form, a reg.VecVirtual, b operand.Op,
		dst reg.VecVirtual) {
		avx(f.Context, b, a, dst)
	}}
	if sse != nil {
		p.sse = func(f *form, _ reg.VecVirtual, b operand.Op, dst reg.VecVirtual) { sse(f.Context, b, dst) }
	}
	return p
}

// integers are the operations on integers of 1, 2, 4 and 8 bytes; for sums and products the sign makes no
// difference.
var integers = []struct {
	name, of string
	by       [4]pair
}{
	{"sum", "Int", [4]pair{
		plain((*ctx).VPADDB, (*ctx).PADDB), plain((*ctx).VPADDW, (*ctx).PADDW),
		plain((*ctx).VPADDD, (*ctx).PADDD), plain((*ctx).VPADDQ, (*ctx).PADDQ)}},
	{"product", "Int", [4]pair{
		{avx: multiplyBytes, constants: []constant{lowBytes}}, plain((*ctx).VPMULLW, (*ctx).PMULLW),
		plain((*ctx).VPMULLD, nil), {avx: multiplyQuads}}},
	{"maximum", "Int", [4]pair{
		plain((*ctx).VPMAXSB, nil), plain((*ctx).VPMAXSW, (*ctx).PMAXSW),
		plain((*ctx).VPMAXSD, nil), {avx: chooseQuads(true, true)}}},
	{"minimum", "Int", [4]pair{
		plain((*ctx).VPMINSB, nil), plain((*ctx).VPMINSW, (*ctx).PMINSW),
		plain((*ctx).VPMINSD, nil), {avx: chooseQuads(true, false)}}},
	{"maximum", "Uint", [4]pair{
		plain((*ctx).VPMAXUB, (*ctx).PMAXUB), plain((*ctx).VPMAXUW, nil),
		plain((*ctx).VPMAXUD, nil), {avx: chooseQuads(false, true), constants: []constant{signOfQuad}}}},
	{"minimum", "Uint", [4]pair{
		plain((*ctx).VPMINUB, (*ctx).PMINUB), plain((*ctx).VPMINUW, nil),
		plain((*ctx).VPMINUD, nil), {avx: chooseQuads(false, false), constants: []constant{signOfQuad}}}},
	{"logicalAnd", "Uint", truths(logicalAnd)},
	{"logicalOr", "Uint", truths(logicalOr)},
	{"logicalXor", "Uint", truths(logicalXor)},
}

var floats = []struct {
	name           string
	single, double pair
}{
	{"sum", plain((*ctx).VADDPS, (*ctx).ADDPS), plain((*ctx).VADDPD, (*ctx).ADDPD)},
	{"product", plain((*ctx).VMULPS, (*ctx).MULPS), plain((*ctx).VMULPD, (*ctx).MULPD)},
	{"maximum", plain((*ctx).VMAXPS, (*ctx).MAXPS), plain((*ctx).VMAXPD, (*ctx).MAXPD)},
	{"minimum", plain((*ctx).VMINPS, (*ctx).MINPS), plain((*ctx).VMINPD, (*ctx).MINPD)},
}

// bits do not care how wide an element is.
var bits = []struct {
	name string
	pair
}{
	{"And", plain(fixed((*ctx).VPAND), (*ctx).PAND)},
	{"Or", plain(fixed((*ctx).VPOR), (*ctx).POR)},
	{"Xor", plain(fixed((*ctx).VPXOR), (*ctx).PXOR)},
}

// kernels lists all of them but the products of complex numbers.
func kernels() []kernel {
	var all []kernel
	for _, o := range integers {
		kind := "int"
		if o.of == "Uint" {
			kind = "uint"
		}
		for i, p := range o.by {
			width := strconv.Itoa(8 << i)
			all = append(all, kernel{o.name + o.of + width, o.name + "[" + kind + width + "]", 1 << i, p})
		}
	}
	for _, o := range floats {
		all = append(all, kernel{o.name + "Float32", o.name + "[float32]", 4, o.single},
			kernel{o.name + "Float64", o.name + "[float64]", 8, o.double})
	}
	for _, o := range bits {
		all = append(all, kernel{"bit" + o.name + "Bytes", strings.ToLower(o.name) + "Bytes", 1, o.pair})
	}
	return all
}

// multiplyBytes multiplies the even bytes and the odd ones as words and puts the low halves together.
func multiplyBytes(f *form, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual) {
	low := f.constant(lowBytes)
	x, y, even := f.vector(), f.vector(), f.vector()
	v := f.loaded(b)
	f.VPMULLW(v, a, even)
	f.VPAND(low, even, even)
	f.VPSRLW(operand.U8(8), a, x)
	f.VPSRLW(operand.U8(8), v, y)
	f.VPMULLW(y, x, x)
	f.VPSLLW(operand.U8(8), x, x)
	f.VPOR(x, even, dst)
}

// multiplyQuads multiplies 64-bit integers by way of their halves: the upper half of one times the lower half
// of the other, twice, counts for the upper half alone.
func multiplyQuads(f *form, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual) {
	x, y := f.vector(), f.vector()
	v := f.loaded(b)
	f.VPSRLQ(operand.U8(32), a, x)
	f.VPMULUDQ(v, x, x)
	f.VPSRLQ(operand.U8(32), v, y)
	f.VPMULUDQ(y, a, y)
	f.VPADDQ(y, x, x)
	f.VPSLLQ(operand.U8(32), x, x)
	f.VPMULUDQ(v, a, y)
	f.VPADDQ(y, x, dst)
}

// chooseQuads takes the greater or smaller of 64-bit integers. Only signed ones can be compared; unsigned
// ones become that with their first bit turned over.
func chooseQuads(signed, greater bool) emit {
	return func(f *form, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual) {
		v := f.loaded(b)
		x, y := a, v
		if !signed {
			first := f.constant(signOfQuad)
			x, y = f.vector(), f.vector()
			f.VPXOR(first, a, x)
			f.VPXOR(first, v, y)
		}
		isGreater := f.vector()
		f.VPCMPGTQ(y, x, isGreater)
		if greater {
			f.VPBLENDVB(isGreater, a, v, dst) // a where a > b
		} else {
			f.VPBLENDVB(isGreater, v, a, dst)
		}
	}
}

// truths makes a logical operation for all widths. Comparisons with zero give all bits; the outcome is one of
// them.
func truths(o func(f *form, isZero more, one reg.Register, a reg.VecVirtual, b operand.Op,
	dst reg.VecVirtual)) [4]pair {
	var all [4]pair
	one := [4]constant{oneByte, oneWord, oneLong, oneQuad}
	isZero := [4]more{(*ctx).VPCMPEQB, (*ctx).VPCMPEQW, (*ctx).VPCMPEQD, (*ctx).VPCMPEQQ}
	for i := range all {
		all[i].avx = func(f *form, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual) {
			o(f, isZero[i], f.constant(one[i]), a, b, dst)
		}
		all[i].constants = []constant{zero, one[i]}
	}
	return all
}

func logicalAnd(f *form, isZero more, one reg.Register, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual) {
	x, y := f.vector(), f.vector()
	isZero(f.Context, f.constant(zero), a, x)
	isZero(f.Context, b, f.constant(zero), y)
	f.VPOR(y, x, x)
	f.VPANDN(one, x, dst)
}

func logicalOr(f *form, isZero more, one reg.Register, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual) {
	x := f.vector()
	f.VPOR(b, a, x)
	isZero(f.Context, f.constant(zero), x, x)
	f.VPANDN(one, x, dst)
}

func logicalXor(f *form, isZero more, one reg.Register, a reg.VecVirtual, b operand.Op, dst reg.VecVirtual) {
	x, y := f.vector(), f.vector()
	isZero(f.Context, f.constant(zero), a, x)
	isZero(f.Context, b, f.constant(zero), y)
	f.VPXOR(y, x, x)
	f.VPAND(one, x, dst)
}
