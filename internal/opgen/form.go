package main

import (
	"strconv"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// form is a leaf on its way: out[i] = a[i] op b[i] over n bytes, where out may be a or b.
//
// No leaf has a loop over single elements for what does not fill a vector. The last whole vector of the
// operands is combined before anything is written, and stored when all else is done: it covers what the loop
// has left over. What is shorter than a vector goes the same way with narrower ones, and what is shorter than
// the narrowest goes to the twin.
type form struct {
	*build.Context
	set       set
	out, a, b reg.Register
	n         reg.Register
	width     int // bytes of a vector now
	constants map[constant]reg.VecVirtual
}

// unroll is how many vectors a turn of the main loop takes.
const unroll = 4

// function writes the leaf of a kernel in one instruction set.
func function(c *build.Context, k kernel, s set) {
	c.Function(k.leaf(s))
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(out, a, b uintptr, n int64)")
	f := &form{Context: c, set: s, constants: make(map[constant]reg.VecVirtual)}
	f.operands()
	for _, what := range k.constants {
		f.make(what)
	}
	widths := []int{16, 8, 4}
	if s == avx2 {
		widths = []int{32, 16, 8, 4}
	}
	narrowest := max(4, k.size)
	for _, w := range widths {
		f.width = w
		below := "below" + strconv.Itoa(w)
		if w > narrowest {
			c.CMPQ(f.n, operand.U8(w))
			c.JB(operand.LabelRef(below))
		}
		last := f.vector()
		f.combine(k.emit(s), f.end(f.a), f.end(f.b), last)
		if w == widths[0] {
			f.loop("turns", unroll, k.emit(s))
			f.loop("rest", 1, k.emit(s))
		} else {
			first := f.vector()
			f.combine(k.emit(s), operand.Mem{Base: f.a}, operand.Mem{Base: f.b}, first)
			f.move(first, operand.Mem{Base: f.out})
		}
		f.move(last, f.end(f.out))
		f.leave()
		if w <= narrowest {
			return
		}
		c.Label(below)
	}
}

// operands loads the arguments.
func (f *form) operands() {
	f.out, f.a = f.Load(f.Param("out"), f.GP64()), f.Load(f.Param("a"), f.GP64())
	f.b, f.n = f.Load(f.Param("b"), f.GP64()), f.Load(f.Param("n"), f.GP64())
}

// loop combines vectors, count each turn, as long as at least one byte is left for the last one.
func (f *form) loop(name string, count int, combine emit) {
	step := count * f.width
	f.CMPQ(f.n, operand.Imm(uint64(step)))
	f.JBE(operand.LabelRef(name + "Done"))
	f.Label(name)
	for i := range count {
		at := i * f.width
		v := f.vector()
		f.combine(combine, operand.Mem{Base: f.a, Disp: at}, operand.Mem{Base: f.b, Disp: at}, v)
		f.move(v, operand.Mem{Base: f.out, Disp: at})
	}
	f.advance(step)
	f.CMPQ(f.n, operand.Imm(uint64(step)))
	f.JA(operand.LabelRef(name))
	f.Label(name + "Done")
}

// advance goes on by step bytes.
func (f *form) advance(step int) {
	for _, p := range []reg.Register{f.out, f.a, f.b} {
		f.ADDQ(operand.Imm(uint64(step)), p)
	}
	f.SUBQ(operand.Imm(uint64(step)), f.n)
}

// leave returns. The upper halves of registers are cleaned, or code for SSE would be slow afterwards.
func (f *form) leave() {
	if f.set == avx2 {
		f.VZEROUPPER()
	}
	f.RET()
}

// end is the last vector of what is left at base.
func (f *form) end(base reg.Register) operand.Mem {
	return operand.Mem{Base: base, Index: f.n, Scale: 1, Disp: -f.width}
}

// vector is a new register for a vector of the present width.
func (f *form) vector() reg.VecVirtual {
	if f.width == 32 {
		return f.YMM()
	}
	return f.XMM()
}

// combine loads a vector of each operand and combines them in dst.
func (f *form) combine(combine emit, a, b operand.Mem, dst reg.VecVirtual) {
	if f.set == sse2 {
		f.move(a, dst)
		combine(f, dst, f.loaded(b), dst)
		return
	}
	v := f.vector()
	f.move(a, v)
	if f.width < 16 {
		combine(f, v, f.loaded(b), dst)
	} else {
		combine(f, v, b, dst)
	}
}

// loaded is x in a register.
func (f *form) loaded(x operand.Op) reg.VecVirtual {
	if r, ok := x.(reg.VecVirtual); ok {
		return r
	}
	r := f.vector()
	f.move(x, r)
	return r
}

// move loads or stores a vector of the present width; a short one has zeros behind it in the register.
func (f *form) move(from, to operand.Op) {
	vex := f.set == avx2
	switch {
	case f.width == 8 && vex:
		f.VMOVQ(from, to)
	case f.width == 8:
		f.MOVQ(from, to)
	case f.width == 4 && vex:
		f.VMOVD(from, to)
	case f.width == 4:
		f.MOVSS(from, to)
	case vex:
		f.VMOVDQU(from, to)
	default:
		f.MOVUPS(from, to)
	}
}

// constant is the same value in all elements of a vector.
type constant int

const (
	zero       constant = iota
	lowBytes            // 0x00ff in each word
	signOfQuad          // the first bit of each quadword
	oneByte             // 1 in each byte, word, doubleword, quadword
	oneWord
	oneLong
	oneQuad
)

// make makes a constant in AVX2. All of them come out of a register full of ones, so that none has to be
// loaded.
func (f *form) make(what constant) {
	r := f.YMM()
	f.constants[what] = r
	if what == zero {
		f.VPXOR(r, r, r)
		return
	}
	f.VPCMPEQD(r, r, r)
	switch what {
	case lowBytes:
		f.VPSRLW(operand.U8(8), r, r)
	case signOfQuad:
		f.VPSLLQ(operand.U8(63), r, r)
	case oneByte:
		f.VPABSB(r, r)
	case oneWord:
		f.VPSRLW(operand.U8(15), r, r)
	case oneLong:
		f.VPSRLD(operand.U8(31), r, r)
	case oneQuad:
		f.VPSRLQ(operand.U8(63), r, r)
	}
}

// constant is a constant in the present width.
func (f *form) constant(what constant) reg.Register {
	r := f.constants[what]
	if f.width == 32 {
		return r
	}
	return r.AsX()
}
