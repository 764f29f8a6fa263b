package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/shm"
)

// Reductions through shared memory. Of few elements, every rank that wants the outcome reads all
// contributions and combines them by itself; of many, every rank does so with its share. Both follow the
// order of the package.

// reduceAtOnce gives the outcome to this rank if it wants it (result is not nil). send is this rank's
// contribution, which may stand in result.
func reduceAtOnce(t *Team, send datatype.Buffer, result *datatype.Buffer, o *op.Op) {
	s := t.cells(t.segment())
	s.publish(send)
	if result != nil {
		s.await(0, s.size)
		s.combinePublished(o, 0, *result)
	}
	s.end(result != nil)
}

// combinePublished combines what all ranks publish, from element first on, to as many elements as result has.
func (s *cellOp) combinePublished(o *op.Op, first int64, result datatype.Buffer) {
	if s.err != nil { // its own contribution may be missing
		return
	}
	defer s.caught()
	var values [collseg.MaxRanks]uintptr
	if s.contributions(&values, s.size, s.a.Bytes(s.rank), uintptr(first*result.Type.Size())) {
		combineInTree(o, values[:s.size], result, s.a.Scratch)
	}
}

// contributions finds where the ranks below end publish want bytes each, from byte skip on.
func (s *cellOp) contributions(values *[collseg.MaxRanks]uintptr, end int, want int64, skip uintptr) bool {
	if !s.dead {
		s.note(contributions(s.a.CellRing, s.a.Seq, values[:end], want, skip))
	}
	return !s.dead && s.err == nil
}

// contributions finds where ranks publish want bytes each in operation k, from byte skip on.
func contributions(row *fast.CellRing, k uint64, values []uintptr, want int64, skip uintptr) error {
	for r := range values {
		said := row.Said(uint32(r), k)
		if n := int64(said & shm.CellBytes); n != want {
			return disagreement(r, n, want)
		}
		at := row.Data(uint32(r), k, said)
		if at == fast.NoData {
			return malformed(r)
		}
		values[r] = at + skip
	}
	return nil
}

// combineInTree combines as many elements as result has, of which values says where those of each rank stand.
func combineInTree(o *op.Op, values []uintptr, result datatype.Buffer, scratch func(int64) uintptr) {
	n := result.Bytes()
	if n == 0 {
		return
	}
	if !result.Contiguous() {
		m := laidOut(values, result, scratch)
		arrange(len(values), -1).combine(func(in, inout int) { m.apply(o, in, inout) })
		datatype.Copy(result, m.of(len(values)-1))
		return
	}
	x := tree{o: o, t: result.Type, g: arrange(len(values), -1)}
	x.level = (n + cacheLine - 1) &^ (cacheLine - 1)
	x.scratch = scratch(int64(x.g.levels) * x.level)
	x.combine(values, 0, x.g.count, result.Start(), result.Count, 0)
}

// combinePrefix combines what stands at values, from the last one down: each with all behind it, which are in
// result.
func combinePrefix(o *op.Op, values []uintptr, result datatype.Buffer, scratch func(int64) uintptr) {
	last := len(values) - 1
	if last >= 0 && !result.Contiguous() {
		m := laidOut(values, result, scratch)
		for r := last - 1; r >= 0; r-- {
			m.apply(o, r, last)
		}
		datatype.Copy(result, m.of(last))
		return
	}
	lb := uintptr(result.Type.TrueLB())
	for r := len(values) - 1; r >= 0; r-- {
		if r < len(values)-1 {
			o.Apply(values[r]-lb, result.Addr, result.Count, result.Type)
		} else if values[r] != result.Start() {
			shm.Copy(result.Start(), values[r], result.Bytes())
		}
	}
}

// images is the data of ranks as elements of a datatype with gaps, which operations work on.
type images struct {
	b     datatype.Buffer // that of the first
	apart int64           // bytes from one to the next
}

// laidOut unpacks what stands at values, to memory that is laid out as result is.
func laidOut(values []uintptr, result datatype.Buffer, scratch func(int64) uintptr) images {
	lo, n := result.Span()
	ahead := lo & (cacheLine - 1) // so that elements are aligned as in the program
	m := images{b: result, apart: (ahead + n + cacheLine - 1) &^ (cacheLine - 1)}
	room := scratch(int64(len(values))*m.apart + cacheLine)
	room = (room + cacheLine - 1) &^ (cacheLine - 1)
	m.b.Addr = room + uintptr(ahead-lo)
	for r, at := range values {
		m.of(r).Unpack(0, shm.Bytes(at, result.Bytes()))
	}
	return m
}

// of is the elements of rank r.
func (m *images) of(r int) datatype.Buffer {
	b := m.b
	b.Addr += uintptr(int64(r) * m.apart)
	return b
}

// apply combines the elements of two ranks; the outcome takes the place of the right ones.
func (m *images) apply(o *op.Op, in, inout int) {
	o.Apply(m.of(in).Addr, m.of(inout).Addr, m.b.Count, m.b.Type)
}

// written reports whether the value of a rank is combined with a lower one first, and so overwritten.
func (g groups) written(rank int) bool {
	if rank < 2*g.pairs {
		return rank&1 != 0
	}
	return g.count == 1 || g.of(rank)&1 != 0
}

// combine goes through the tree: apply combines the value of rank in with that of rank inout, where the
// outcome stays. In the end it stands where the value of the last rank stood.
func (g groups) combine(apply func(in, inout int)) {
	last := func(group int) int {
		if group < g.pairs {
			return 2*group + 1
		}
		return group + g.pairs
	}
	for group := range g.pairs {
		apply(2*group, 2*group+1)
	}
	for half := 1; half < g.count; half <<= 1 {
		for group := 0; group < g.count; group += 2 * half {
			apply(last(group+half-1), last(group+2*half-1))
		}
	}
}

// shareOut divides count elements among the ranks: what rank r gets.
func (s *cellOp) shareOut(count int64, r int) share {
	const grain = 16 // elements, so that shares begin on cache lines
	each := (count/int64(s.size) + grain) &^ (grain - 1)
	from := min(int64(r)*each, count)
	return share{from, min(each, count-from)}
}

// reduceScatterAtOnce has every rank combine its own share of what all publish.
func reduceScatterAtOnce(t *Team, all, own datatype.Buffer, mine share, o *op.Op) {
	s := t.cells(t.segment())
	s.publish(all)
	s.await(0, s.size)
	if mine.count > 0 {
		s.combinePublished(o, mine.from, own)
	}
	s.end(true)
}

// scanAtOnce combines what the ranks up to this one publish, without its own if exclusive.
func scanAtOnce(t *Team, send, recv datatype.Buffer, o *op.Op, exclusive bool) {
	s := t.cells(t.segment())
	s.publish(send)
	end := s.rank + 1
	if exclusive {
		end--
	}
	s.await(0, end)
	var values [collseg.MaxRanks]uintptr
	if !s.dead && s.contributions(&values, end, recv.Bytes(), 0) {
		combinePrefix(o, values[:end], recv, s.a.Scratch)
	} else if !s.dead && s.stepped(0) { // which says how long all go on
		s.a.Close(stepsOfScan(s.a, recv.Type))
		return
	}
	s.end(false)
}
