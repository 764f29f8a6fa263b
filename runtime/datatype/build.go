package datatype

import (
	"math/bits"

	"gompi/runtime/mpierr"
)

// derived is a type that is made, with what small ones need, in one piece of memory.
type derived struct {
	Type
	object   object
	contents Contents
	parts    [1]part
	steps    [1]step
	runs     [1]listedRun
	numbers  [3]int64
	types    [1]*Type
}

// builder collects what a constructor says of a new type: blocks of elements of other types, each at a
// displacement.
type builder struct {
	made           *derived // the type to be
	steps          []step
	list           []listedRun // runs that follow the steps, displacements from 0
	displs         []int64     // or blocks that do, each of repeats elements of element
	element        *Type
	repeats        int64
	parts          []part
	size, elements int64
	align          uint8

	lower, upper   bound
	trueLB, trueUB int64
	some           bool // there is data
	tooBig         bool // a number does not fit into 64 bits
}

// bound is one of the bounds of a type to be. Blocks with a bound that was set alone count where there are
// any (MPI 5.0, 5.1.6).
type bound struct {
	at   int64
	some bool // at has a value
	set  bool // by a block whose bound was set
}

// widen makes b hold at as well; further reports whether that lies further out.
func (b *bound) widen(at int64, set, further bool) {
	switch {
	case !b.some || set && !b.set:
		*b = bound{at, true, set}
	case set == b.set && further:
		b.at = at
	}
}

// build begins a new type.
func build() builder {
	d := new(derived)
	return builder{made: d, parts: d.parts[:0], steps: d.steps[:0], list: d.runs[:0]}
}

// buildRuns begins a new type of up to n runs.
func buildRuns(n int) builder {
	b := build()
	if n > cap(b.list) {
		b.list = make([]listedRun, 0, n)
	}
	return b
}

func (b *builder) add(x, y int64) int64 {
	s := x + y
	if (x > 0) == (y > 0) && (s > 0) != (x > 0) && x != 0 && y != 0 {
		b.tooBig = true
	}
	return s
}

func (b *builder) mul(x, y int64) int64 {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	if hi != 0 || lo > 1<<63-1 {
		b.tooBig = true
	}
	return x * y
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// sign adds n elements of t to the type signature.
func (b *builder) sign(t *Type, n int64) {
	if t.size == 0 || n == 0 {
		return
	}
	if last := len(b.parts) - 1; last >= 0 && b.parts[last].t == t {
		b.parts[last].n += n
	} else {
		b.parts = append(b.parts, part{t, n})
	}
	b.size = b.add(b.size, b.mul(n, t.size))
	b.elements = b.add(b.elements, b.mul(n, t.count()))
}

// bound widens the bounds by count blocks of n elements of t; the first is at displacement disp, each other
// stride bytes from the one before.
func (b *builder) bound(t *Type, n, disp, count, stride int64) {
	if n == 0 || count == 0 || t.empty() {
		return
	}
	inner, outer := b.mul(n-1, t.extent), b.mul(count-1, stride)
	low, high := b.add(min(inner, 0), min(outer, 0)), b.add(max(inner, 0), max(outer, 0))
	low, high = b.add(disp, low), b.add(disp, high)
	if t.size > 0 || t.markedLB {
		lb := b.add(t.lb, low)
		b.lower.widen(lb, t.markedLB, lb < b.lower.at)
	}
	if t.size > 0 || t.markedUB {
		ub := b.add(t.ub(), high)
		b.upper.widen(ub, t.markedUB, ub > b.upper.at)
	}
	b.align = max(b.align, t.align)
	if t.size == 0 {
		return
	}
	low, high = b.add(t.trueLB, low), b.add(t.trueUB, high)
	if !b.some {
		b.trueLB, b.trueUB, b.some = low, high, true
	} else {
		b.trueLB, b.trueUB = min(b.trueLB, low), max(b.trueUB, high)
	}
}

// block adds n elements of t at displacement disp.
func (b *builder) block(t *Type, n, disp int64) {
	if t.dense && n > 0 && n < plainCount && t.size < plainCount && magnitude(disp) < plainDisplacement {
		b.denseBlock(t, n, disp)
		return
	}
	b.sign(t, n)
	b.bound(t, n, disp, 1, 0)
	switch {
	case n == 0 || t.size == 0:
	case t.dense:
		b.run(disp+t.trueLB, n*t.size)
	case n == 1 && t.oneRun():
		b.run(disp+t.trueLB, t.size)
	default:
		b.addBlock(t, n, disp)
	}
}

// addBlock adds a block of n elements of t, which has data, at displacement disp to the program. Blocks that
// are alike take eight bytes each until the program is made.
func (b *builder) addBlock(t *Type, n, disp int64) {
	if len(b.displs) == 0 || b.element != t || b.repeats != n {
		b.settle()
		b.element, b.repeats = t, n
	}
	b.displs = append(b.displs, disp)
}

// Numbers of which two can be added, and products of two of the first, without a thought of overflow.
const (
	plainCount        = 1 << 30
	plainDisplacement = 1 << 61
)

// denseBlock is block for n > 0 elements of a dense type and plain numbers. Types are made of hundreds of
// thousands of such blocks.
func (b *builder) denseBlock(t *Type, n, disp int64) {
	bytes := n * t.size
	b.size = b.add(b.size, bytes)
	b.elements = b.add(b.elements, n*t.count())
	if last := len(b.parts) - 1; last >= 0 && b.parts[last].t == t {
		b.parts[last].n += n
	} else {
		b.parts = append(b.parts, part{t, n})
	}
	lb, trueLB := disp+t.lb, disp+t.trueLB
	b.lower.widen(lb, t.markedLB, lb < b.lower.at)
	b.upper.widen(lb+bytes, t.markedUB, lb+bytes > b.upper.at)
	b.align = max(b.align, t.align)
	if !b.some {
		b.trueLB, b.trueUB, b.some = trueLB, trueLB+bytes, true
	} else {
		b.trueLB, b.trueUB = min(b.trueLB, trueLB), max(b.trueUB, trueLB+bytes)
	}
	b.run(trueLB, bytes)
}

// run adds n bytes at displacement off to the program.
func (b *builder) run(off, n int64) {
	if len(b.displs) > 0 {
		b.settle()
	}
	end := int64(0)
	if last := len(b.list) - 1; last >= 0 {
		l := &b.list[last]
		end = l.end
		begin := int64(0)
		if last > 0 {
			begin = b.list[last-1].end
		}
		if l.off+end-begin == off {
			l.end += n
			return
		}
	}
	b.list = append(b.list, listedRun{off, end + n})
}

// settle makes steps of the runs or blocks.
func (b *builder) settle() {
	if len(b.list) > 0 {
		b.steps = compileRuns(b.steps, b.list)
		b.list = nil
	}
	if len(b.displs) > 0 {
		u := b.element.whole().repeated(b.repeats, b.element.extent)
		for i := range b.displs {
			b.displs[i] += u.off
		}
		b.steps = foldDisplacements(b.steps, u, b.displs)
		b.displs = b.displs[:0]
	}
}

// blocks adds count blocks of n elements of t at displacements of equal distance.
func (b *builder) blocks(t *Type, n, count, stride int64) {
	b.sign(t, b.mul(n, count))
	b.bound(t, n, 0, count, stride)
	if n > 0 && count > 0 && t.size > 0 {
		b.settle()
		b.steps = append(b.steps, t.whole().repeated(n, t.extent).repeated(count, stride))
	}
}

// pad rounds the extent up to the alignment that a compiler would give a struct of the blocks (MPI 5.0,
// 5.1.6).
func (b *builder) pad() {
	if b.align > 1 && !b.upper.set && b.upper.some {
		a := int64(b.align)
		extent := b.upper.at - b.lower.at
		b.upper.at = b.lower.at + b.add(extent, (a-extent%a)%a)
	}
}

// mark sets the bounds.
func (b *builder) mark(lb, extent int64) {
	b.lower, b.upper = bound{lb, true, true}, bound{b.add(lb, extent), true, true}
}

// make is the new type, which the function with that name makes.
func (b *builder) make(what string, c *Contents) (*Type, error) {
	extent := b.add(b.upper.at, -b.lower.at)
	b.add(b.trueUB, -b.trueLB)
	if b.tooBig {
		return nil, mpierr.New(mpierr.ErrArg, "the type would be larger than the address space: its size or bounds do not fit into 64 bits")
	}
	b.settle()
	t := &b.made.Type
	*t = Type{maker: what, kind: Derived, align: max(b.align, 1), markedLB: b.lower.set,
		markedUB: b.upper.set, size: b.size, lb: b.lower.at,
		extent: extent, trueLB: b.trueLB, trueUB: b.trueUB, parts: b.parts, elements: b.elements, contents: c,
		object: &b.made.object}
	if t.body = compile(b.steps); t.body == nil {
		t.body = []step{}
	}
	t.dense = t.size > 0 && t.size == t.extent && t.oneRun()
	return t, nil
}
