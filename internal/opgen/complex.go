package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// complexProduct is the product of complex numbers. Where both parts of one come out as NaN, it may have to
// be infinite instead (ISO C, Annex G.5.1), which the twin knows: the leaf stops ahead of the vector with
// such a number.
type complexProduct struct {
	name, twin string
	size       int                                  // bytes of a number
	real, imag func(f *form, x, dst reg.VecVirtual) // a part of each number, twice
	exchange   func(f *form, x operand.Op, dst reg.VecVirtual)
	multiply   more
	addSub     three
	nan        func(f *form, x, dst reg.VecVirtual) // all ones where x is a NaN
}

var complexProducts = []complexProduct{
	{
		name: "productComplex64", twin: "productComplex[single]", size: 8,
		real:     func(f *form, x, dst reg.VecVirtual) { f.VMOVSLDUP(x, dst) },
		imag:     func(f *form, x, dst reg.VecVirtual) { f.VMOVSHDUP(x, dst) },
		exchange: func(f *form, x operand.Op, dst reg.VecVirtual) { f.VPERMILPS(operand.U8(0xb1), x, dst) },
		multiply: (*ctx).VMULPS, addSub: (*ctx).VADDSUBPS,
		nan: func(f *form, x, dst reg.VecVirtual) { f.VCMPPS(operand.U8(unordered), x, x, dst) },
	},
	{
		name: "productComplex128", twin: "productComplex[double]", size: 16,
		real:     func(f *form, x, dst reg.VecVirtual) { f.VPERMILPD(operand.U8(0), x, dst) },
		imag:     func(f *form, x, dst reg.VecVirtual) { f.VPERMILPD(operand.U8(0xf), x, dst) },
		exchange: func(f *form, x operand.Op, dst reg.VecVirtual) { f.VPERMILPD(operand.U8(5), x, dst) },
		multiply: (*ctx).VMULPD, addSub: (*ctx).VADDSUBPD,
		nan: func(f *form, x, dst reg.VecVirtual) { f.VCMPPD(operand.U8(unordered), x, x, dst) },
	},
}

// unordered is the predicate of a comparison that holds where one of the two is a NaN.
const unordered = 3

// function writes the leaf, which returns how many bytes it has done: all but less than a vector, if there is
// no number to stop for.
func (k complexProduct) function(c *build.Context) {
	c.Function(k.name + string(avx2))
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(out, a, b uintptr, n int64) (done int64)")
	f := &form{Context: c, set: avx2, width: 32}
	f.operands()
	left := c.GP64()
	c.MOVQ(f.n, left)
	c.Label("turn")
	c.CMPQ(left, operand.U8(32))
	c.JB(operand.LabelRef("done"))
	x, y := c.YMM(), c.YMM()
	f.move(operand.Mem{Base: f.a}, x)
	f.move(operand.Mem{Base: f.b}, y)
	re, im, crossed, v := c.YMM(), c.YMM(), c.YMM(), c.YMM()
	k.real(f, x, re)
	k.imag(f, x, im)
	k.exchange(f, y, crossed)
	k.multiply(c, y, re, re)       // ac, ad
	k.multiply(c, crossed, im, im) // bd, bc
	k.addSub(c, im, re, v)         // ac - bd, ad + bc
	isNaN, other := c.YMM(), c.YMM()
	k.nan(f, v, isNaN)
	k.exchange(f, isNaN, other)
	c.VPTEST(other, isNaN)
	c.JNZ(operand.LabelRef("done"))
	f.move(v, operand.Mem{Base: f.out})
	for _, p := range []reg.Register{f.out, f.a, f.b} {
		c.ADDQ(operand.U8(32), p)
	}
	c.SUBQ(operand.U8(32), left)
	c.JMP(operand.LabelRef("turn"))
	c.Label("done")
	c.SUBQ(left, f.n)
	c.Store(f.n, c.ReturnIndex(0))
	f.leave()
}
