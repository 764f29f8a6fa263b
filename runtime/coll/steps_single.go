package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Reductions of long data by single copies: every rank reads its share of all contributions out of the
// others' memory, combines it, and whoever wants the result reads the outcomes. All ranks go by the same
// route: with step 0 each says where its contribution lies and whether it has published the first piece of it
// as well; if one has not, all go by single copies.

// mostLentShare bounds the outcome of a rank, in bytes, that has no result of its own to put it in.
const mostLentShare = 4 << 20

// valuesRoom is how many bytes of all contributions together are combined at a time: few enough to stay in a
// cache.
const valuesRoom = 256 << 10

// publishFirst publishes piece as the first of b, of total bytes in all, or where b lies alone.
func (s *steps) publishFirst(piece, b datatype.Buffer, total int64, w collseg.Route) {
	if !s.roomFor(0, 0, s.size) {
		return
	}
	what := collseg.Step
	if w == collseg.Single {
		what = collseg.LentStep
	} else {
		s.fill(s.a.DataAt(s.rank, 0), piece, 0, piece.Bytes())
	}
	s.a.LendAt(b.Start())
	s.a.PublishAt(0, total, what, 0, s.size)
}

// chooseReduction is choose for a reduction of b whose result goes to the root, or to all if that is
// negative.
func (s *steps) chooseReduction(b datatype.Buffer, root int) collseg.Route {
	n := b.Bytes()
	if root < 0 {
		return s.choose(collseg.Allreduces, n, 0, collseg.Shared, true)
	}
	if n/int64(s.size) > mostLentShare/2 {
		return collseg.Shared
	}
	return s.choose(collseg.Reduces, n, root, collseg.Shared, true)
}

// lends reports, once all have published step 0, whether the reduction goes by single copies. w is this
// rank's own choice.
func (s *steps) lends(w collseg.Route) bool {
	is := collseg.Shared
	for r := range s.size {
		if s.a.Lends(r) {
			is = collseg.Single
		}
	}
	if is != w {
		s.timing = collseg.Measured{}
	}
	return is == collseg.Single
}

// combineSingle is the rest of a reduction of b by single copies, once all have published step 0. The result
// goes to the root, or to everybody if that is negative; result is nil where it is not wanted. n is in how
// many steps the operation goes.
func (s *steps) combineSingle(b datatype.Buffer, result *datatype.Buffer, o *op.Op, root int) (n uint64) {
	s.countAlgorithm(tool.SingleCopy)
	s.drainOf(0, s.size)
	size := b.Type.Size()
	mine := s.shareOut(b.Count, s.rank)
	each := max(valuesRoom/int64(s.size)/size, 1)
	x := s.tree(o, b.Type, each*size)
	x.stride = uintptr((each*size + cacheLine - 1) &^ (cacheLine - 1))
	x.values = s.scratch(int64(s.size) * int64(x.stride))
	var outcome uintptr
	if result != nil {
		outcome = result.Start() + uintptr(mine.from*size)
	} else {
		outcome = s.scratch(mine.count * size)
	}
	inPlace := result != nil && result.Start() == b.Start()
	for from := int64(0); from < mine.count && !s.dead; from += each {
		n, at := min(each, mine.count-from), uintptr((mine.from+from)*size)
		for i := 1; i < s.size; i++ {
			r := (s.rank + i) % s.size
			s.read(r, x.value(r), s.a.LentBy(r)+at, n*size)
		}
		if x.own = b.Start() + at; inPlace { // the outcome goes where the own value stands
			x.own = 0
			s.fill(x.value(s.rank), b, (mine.from+from)*size, n*size)
		}
		x.combineTo(outcome+uintptr(from*size), n)
	}
	first, end := 0, s.size
	if root >= 0 {
		first, end = root, root+1
	}
	if s.roomFor(1, first, end) {
		s.a.PublishAt(1, int64(outcome), collseg.LastStep, first, end)
	}
	for i := 1; i < s.size && result != nil; i++ {
		r := (s.rank + i) % s.size
		if theirs := s.shareOut(b.Count, r); theirs.count > 0 && s.awaitStep(1, r, r+1) {
			at, _, _ := s.a.BytesAt(r, 1)
			s.read(r, result.Start()+uintptr(theirs.from*size), uintptr(at), theirs.count*size)
		}
	}
	return 2
}
