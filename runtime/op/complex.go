package op

import "math"

// real is one part of a complex number. withClass gives a value of the class named with the sign of the
// receiver: 0, 1, or infinity.
type real[T any] interface {
	add(T) T
	sub(T) T
	mul(T) T
	isNaN() bool
	isInf() bool
	withClass(class) T
}

// hardware are the reals of the machine itself.
type hardware[T any] interface {
	~float32 | ~float64
	real[T]
}

type (
	single float32
	double float64
)

func (x single) add(y single) single { return x + y }
func (x single) sub(y single) single { return x - y }
func (x single) mul(y single) single { return x * y }
func (x single) isNaN() bool         { return x != x }
func (x single) isInf() bool         { return math.IsInf(float64(x), 0) }
func (x single) withClass(c class) single {
	return single(double(x).withClass(c))
}

func (x double) add(y double) double { return x + y }
func (x double) sub(y double) double { return x - y }
func (x double) mul(y double) double { return x * y }
func (x double) isNaN() bool         { return x != x }
func (x double) isInf() bool         { return math.IsInf(float64(x), 0) }
func (x double) withClass(c class) double {
	v := 0.0
	switch c {
	case finite:
		v = 1
	case infinite:
		v = math.Inf(1)
	}
	return double(math.Copysign(v, float64(x)))
}

// multiply is (a + bi)(c + di) as a C compiler multiplies (ISO C, Annex G). The conversions keep the compiler
// from fusing a product with the sum, which would round differently on different machines.
func multiply[T hardware[T]](a, b, c, d T) (re, im T) {
	ac, bd, ad, bc := T(a*c), T(b*d), T(a*d), T(b*c)
	re, im = ac-bd, ad+bc
	if re != re && im != im {
		return recoverInfinity(a, b, c, d, re, im)
	}
	return re, im
}

func productComplex[T hardware[T]](out, in, inout uintptr, n int64) {
	a, b, c := vector[[2]T](in, n), vector[[2]T](inout, n), vector[[2]T](out, n)
	a, c = a[:len(b)], c[:len(b)]
	for i := range b {
		x, y := &a[i], &b[i]
		c[i][0], c[i][1] = multiply(x[0], x[1], y[0], y[1])
	}
}

// productSoftComplex is productComplex for reals made of integers.
func productSoftComplex[T real[T]](out, in, inout uintptr, n int64) {
	a, b, c := vector[[2]T](in, n), vector[[2]T](inout, n), vector[[2]T](out, n)
	for i := range b {
		x, y := &a[i], &b[i]
		re := x[0].mul(y[0]).sub(x[1].mul(y[1]))
		im := x[0].mul(y[1]).add(x[1].mul(y[0]))
		if re.isNaN() && im.isNaN() {
			re, im = recoverInfinity(x[0], x[1], y[0], y[1], re, im)
		}
		c[i][0], c[i][1] = re, im
	}
}

// recoverInfinity finds the product of a + bi and c + di where the usual formula gave re and im, both NaN: a
// complex number with an infinite part is infinite, whatever the other part, and so is its product with
// anything but zero (ISO C, Annex G.5.1).
func recoverInfinity[T real[T]](a, b, c, d, re, im T) (T, T) {
	recalculate := false
	if a.isInf() || b.isInf() {
		a, b = onUnitBox(a), onUnitBox(b)
		c, d = zeroForNaN(c), zeroForNaN(d)
		recalculate = true
	}
	if c.isInf() || d.isInf() {
		c, d = onUnitBox(c), onUnitBox(d)
		a, b = zeroForNaN(a), zeroForNaN(b)
		recalculate = true
	}
	if !recalculate && (a.mul(c).isInf() || b.mul(d).isInf() || a.mul(d).isInf() || b.mul(c).isInf()) {
		a, b, c, d = zeroForNaN(a), zeroForNaN(b), zeroForNaN(c), zeroForNaN(d)
		recalculate = true
	}
	if !recalculate {
		return re, im
	}
	re = a.mul(c).sub(b.mul(d))
	im = a.mul(d).add(b.mul(c))
	return timesInfinity(re), timesInfinity(im)
}

// onUnitBox takes an infinity to 1 and all else to 0, signs kept.
func onUnitBox[T real[T]](x T) T {
	if x.isInf() {
		return x.withClass(finite)
	}
	return x.withClass(zero)
}

func zeroForNaN[T real[T]](x T) T {
	if x.isNaN() {
		return x.withClass(zero)
	}
	return x
}

// timesInfinity is x times positive infinity. The infinity is made from x, which may be negative: squaring it
// takes the sign away.
func timesInfinity[T real[T]](x T) T {
	inf := x.withClass(infinite)
	return x.mul(inf.mul(inf))
}
