package node

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/shm"
)

// Reductions through shared memory. Of few elements, every rank that wants the outcome reads all
// contributions and combines them by itself; of many, every rank does so with its share. Both follow the
// order of the package.

// ReduceAtOnce gives the outcome to this rank if it wants it (result is not nil). send is this rank's
// contribution, which may stand in result.
func (g Group) ReduceAtOnce(send datatype.Buffer, result *datatype.Buffer, o *op.Op) {
	s := g.cells()
	s.publish(send)
	if result != nil {
		s.await(0, s.Size)
		s.combinePublished(o, 0, *result)
	}
	s.end(result != nil)
}

// combinePublished combines what all ranks publish, from element first on, to as many elements as result has.
func (s *cellOp) combinePublished(o *op.Op, first int64, result datatype.Buffer) {
	if s.Err != nil { // its own contribution may be missing
		return
	}
	defer s.Caught()
	var values [collseg.MaxRanks]uintptr
	if s.contributions(&values, s.Size, s.a.Bytes(s.Rank), uintptr(first*result.Type.Size())) {
		combineInTree(o, values[:s.Size], result, s.a.Scratch)
	}
}

// contributions finds where the ranks below end publish want bytes each, from byte skip on.
func (s *cellOp) contributions(values *[collseg.MaxRanks]uintptr, end int, want int64, skip uintptr) bool {
	if !s.Dead {
		s.Note(contributions(s.a.CellRing, s.a.Seq, values[:end], want, skip))
	}
	return !s.Dead && s.Err == nil
}

// contributions finds where ranks publish want bytes each in operation k, from byte skip on.
func contributions(row *fast.CellRing, k uint64, values []uintptr, want int64, skip uintptr) error {
	for r := range values {
		said := row.Said(uint32(r), k)
		if n := int64(said & shm.CellBytes); n != want {
			return schedule.Disagreement(r, n, want)
		}
		at := row.Data(uint32(r), k, said)
		if at == fast.NoData {
			return schedule.Malformed(r)
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
		partition.TreeOf(len(values), -1).Combine(func(in, inout int) { m.apply(o, in, inout) })
		datatype.Copy(result, m.of(len(values)-1))
		return
	}
	x := tree{o: o, t: result.Type, g: partition.TreeOf(len(values), -1)}
	x.level = (n + shm.CacheLine - 1) &^ (shm.CacheLine - 1)
	x.scratch = scratch(int64(x.g.Levels) * x.level)
	x.combine(values, 0, x.g.Count, result.Start(), result.Count, 0)
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
	ahead := lo & (shm.CacheLine - 1) // so that elements are aligned as in the program
	m := images{b: result, apart: (ahead + n + shm.CacheLine - 1) &^ (shm.CacheLine - 1)}
	room := scratch(int64(len(values))*m.apart + shm.CacheLine)
	room = (room + shm.CacheLine - 1) &^ (shm.CacheLine - 1)
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

// shareOut divides count elements among the ranks: what rank r gets.
func (s *cellOp) shareOut(count int64, r int) partition.Share {
	const grain = 16 // elements, so that shares begin on cache lines
	each := (count/int64(s.Size) + grain) &^ (grain - 1)
	from := min(int64(r)*each, count)
	return partition.Share{From: from, Count: min(each, count-from)}
}

// ReduceScatterAtOnce has every rank combine its own share of what all publish.
func (g Group) ReduceScatterAtOnce(all, own datatype.Buffer, mine partition.Share, o *op.Op) {
	s := g.cells()
	s.publish(all)
	s.await(0, s.Size)
	if mine.Count > 0 {
		s.combinePublished(o, mine.From, own)
	}
	s.end(true)
}

// ScanAtOnce combines what the ranks up to this one publish, without its own if exclusive.
func (g Group) ScanAtOnce(send, recv datatype.Buffer, o *op.Op, exclusive bool) {
	s := g.cells()
	s.publish(send)
	end := s.Rank + 1
	if exclusive {
		end--
	}
	s.await(0, end)
	var values [collseg.MaxRanks]uintptr
	if !s.Dead && s.contributions(&values, end, recv.Bytes(), 0) {
		combinePrefix(o, values[:end], recv, s.a.Scratch)
	} else if !s.Dead && s.stepped(0) { // which says how long all go on
		s.a.Close(stepsOfScan(s.a, recv.Type))
		return
	}
	s.end(false)
}
