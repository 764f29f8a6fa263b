package datatype

import (
	"slices"

	"pgregory.net/rapid"
)

// The slow, obvious meaning of a datatype: its type map, element by element, as MPI 5.0, 5.1, defines it.

// entry is one basic element of a type map.
type entry struct {
	disp, size int64
	basic      *Type
}

// reference is a type map with its bounds.
type reference struct {
	entries []entry
	lb, ub  int64
	marked  bool
}

func (r reference) extent() int64 { return r.ub - r.lb }

func (r reference) size() int64 {
	n := int64(0)
	for _, e := range r.entries {
		n += e.size
	}
	return n
}

// bytes is the displacement of every byte of count elements, in the order of the stream.
func (r reference) bytes(count int64) []int64 {
	var all []int64
	for i := range count {
		for _, e := range r.entries {
			for k := range e.size {
				all = append(all, i*r.extent()+e.disp+k)
			}
		}
	}
	return all
}

// span is the range of displacements of count elements' data.
func (r reference) span(count int64) (lo, hi int64) {
	if all := r.bytes(count); len(all) > 0 {
		return slices.Min(all), slices.Max(all) + 1
	}
	return 0, 0
}

func basicReference(t *Type) reference {
	r := reference{ub: t.extent}
	if t.kind != ValueIndex {
		r.entries = []entry{{0, t.size, t}}
		return r
	}
	first, second := t.first(), t.size-t.first()
	at := (first + second - 1) / second * second
	r.entries = []entry{{0, first, t}, {at, second, t}}
	return r
}

// together is the reference of parts at displacements.
func together(parts []reference, displs []int64) reference {
	var r reference
	plain, marked := true, false
	for i, p := range parts {
		for _, e := range p.entries {
			e.disp += displs[i]
			r.entries = append(r.entries, e)
		}
		marked = marked || p.marked
	}
	for i, p := range parts {
		if p.marked != marked || len(p.entries) == 0 && !p.marked {
			continue
		}
		lb, ub := displs[i]+p.lb, displs[i]+p.ub
		if plain {
			r.lb, r.ub, plain = lb, ub, false
		}
		r.lb, r.ub = min(r.lb, lb), max(r.ub, ub)
	}
	r.marked = marked
	return r
}

// layout collects what together needs.
type layout struct {
	parts  []reference
	displs []int64
}

func (l *layout) block(r reference, n, disp int64) {
	for i := range n {
		l.parts, l.displs = append(l.parts, r), append(l.displs, disp+i*r.extent())
	}
}

func (l *layout) reference() reference { return together(l.parts, l.displs) }

// drawn is a type and what it must mean.
type drawn struct {
	*Type
	ref reference
}

// tooLong keeps the references of nested types short.
const tooLong = 300

func drawBasic(t *rapid.T) drawn {
	b := rapid.SampledFrom(All()).Draw(t, "basic")
	return drawn{b, basicReference(b)}
}

// drawType draws a type with up to depth constructors on top of each other.
func drawType(t *rapid.T, depth int) drawn {
	if depth == 0 {
		return drawBasic(t)
	}
	d := drawConstructed(t, depth)
	if len(d.ref.entries) > tooLong {
		return drawBasic(t)
	}
	return d
}

func must(t *rapid.T, typ *Type, err error) *Type {
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func drawConstructed(t *rapid.T, depth int) drawn {
	old := drawType(t, depth-1)
	ext := old.ref.extent()
	number := func(name string, from, to int64) int64 { return rapid.Int64Range(from, to).Draw(t, name) }
	numbers := func(name string, n int, from, to int64) []int64 {
		return rapid.SliceOfN(rapid.Int64Range(from, to), n, n).Draw(t, name)
	}
	var l layout
	var typ *Type
	var err error
	n := rapid.IntRange(0, 6).Draw(t, "blocks")
	large := Large(rapid.Bool().Draw(t, "large"))
	switch rapid.IntRange(0, 11).Draw(t, "constructor") {
	case 0:
		count := number("count", 0, 6)
		l.block(old.ref, count, 0)
		typ, err = Contiguous(count, old.Type, large)
	case 1, 2:
		blk, stride := number("block", 0, 4), number("stride", -5, 6)
		for i := range n {
			l.block(old.ref, blk, int64(i)*stride*ext)
		}
		typ, err = Vector(int64(n), blk, stride, old.Type, large)
	case 3:
		blk, stride := number("block", 0, 4), number("stride", -50, 60)
		for i := range n {
			l.block(old.ref, blk, int64(i)*stride)
		}
		typ, err = Hvector(int64(n), blk, stride, old.Type, large)
	case 4:
		blks, displs := numbers("blocks", n, 0, 3), numbers("displs", n, -9, 9)
		for i := range n {
			l.block(old.ref, blks[i], displs[i]*ext)
		}
		typ, err = Indexed(blks, displs, old.Type, large)
	case 5:
		blks, displs := numbers("blocks", n, 0, 3), numbers("displs", n, -90, 90)
		for i := range n {
			l.block(old.ref, blks[i], displs[i])
		}
		typ, err = Hindexed(blks, displs, old.Type, large)
	case 6:
		blk, displs := number("block", 0, 3), numbers("displs", n, -9, 9)
		for i := range n {
			l.block(old.ref, blk, displs[i]*ext)
		}
		typ, err = IndexedBlock(blk, displs, old.Type, large)
	case 7:
		blk, displs := number("block", 0, 3), numbers("displs", n, -90, 90)
		for i := range n {
			l.block(old.ref, blk, displs[i])
		}
		typ, err = HindexedBlock(blk, displs, old.Type, large)
	case 8:
		lb, extent := number("lb", -40, 40), number("extent", 0, 200)
		r := old.ref
		r.lb, r.ub, r.marked = lb, lb+extent, true
		return drawn{must2(t, old.Type, lb, extent, large), r}
	case 9:
		return drawn{Dup(old.Type), old.ref}
	case 10:
		return drawLong(t, large)
	default:
		blks, displs := numbers("blocks", n, 0, 3), numbers("displs", n, -90, 90)
		types := []*Type{}
		align := int64(1)
		for i := range n {
			m := drawType(t, depth-1)
			types = append(types, m.Type)
			l.block(m.ref, blks[i], displs[i])
			if blks[i] > 0 && !m.empty() {
				align = max(align, int64(m.align))
			}
		}
		typ, err = Struct(blks, displs, types, large)
		r := l.reference()
		for !r.marked && r.extent()%align != 0 {
			r.ub++
		}
		return drawn{must(t, typ, err), r}
	}
	return drawn{must(t, typ, err), l.reference()}
}

// drawLong draws a type of so many blocks that they become a list.
func drawLong(t *rapid.T, large Large) drawn {
	b := drawBasic(t)
	n := rapid.IntRange(shortList-2, 40).Draw(t, "many blocks")
	unit := rapid.SampledFrom([]int64{1, 4, b.extent}).Draw(t, "unit")
	blks := rapid.SliceOfN(rapid.Int64Range(0, 9), n, n).Draw(t, "lengths")
	gaps := rapid.SliceOfN(rapid.Int64Range(0, 3), n, n).Draw(t, "gaps")
	if rapid.Bool().Draw(t, "equal") {
		for i := range blks {
			blks[i], gaps[i] = 2, gaps[i]+1
		}
	}
	var l layout
	at, displs := int64(0), make([]int64, n)
	for i := range displs {
		displs[i] = at
		at += blks[i]*b.extent + gaps[i]*unit
		l.block(b.ref, blks[i], displs[i])
	}
	typ, err := Hindexed(blks, displs, b.Type, large)
	return drawn{must(t, typ, err), l.reference()}
}

func must2(t *rapid.T, old *Type, lb, extent int64, large Large) *Type {
	typ, err := Resized(old, lb, extent, large)
	return must(t, typ, err)
}

// drawBuffer draws elements of a random type in memory of their own.
func drawBuffer(t *rapid.T, most int64) (b Buffer, where []int64, mem []byte) {
	d := drawType(t, rapid.IntRange(0, 3).Draw(t, "depth"))
	b = Buffer{Count: rapid.Int64Range(0, most).Draw(t, "elements"), Type: d.Type}
	where = d.ref.bytes(b.Count)
	lo, hi := d.ref.span(b.Count)
	mem = fill(hi-lo+16, 3)
	b.Addr = addressOf(mem) + uintptr(8-lo)
	for i := range where {
		where[i] += 8 - lo
	}
	return b, where, mem
}
