package node

import (
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Reductions of long data by single copies: every rank reads its share of all contributions out of the
// others' memory, combines it, and whoever wants the result reads the outcomes. All ranks go by the same
// route: with step 0 each says where its contribution lies and whether it has published the first piece of it
// as well; if one has not, all go by single copies.

// mostSingleShare bounds the outcome of a rank, in bytes, that has no result of its own to put it in.
const mostSingleShare = 4 << 20

// valuesRoom is how many bytes of all contributions together are combined at a time: few enough to stay in a
// cache.
const valuesRoom = 256 << 10

// publishFirst publishes piece as the first of the contribution, or where that lies alone.
func (s *stepReduction) publishFirst(piece datatype.Buffer, route collseg.Route) {
	if !s.roomFor(0, 0, s.Size) {
		return
	}
	what := collseg.Step
	if route == collseg.Single {
		what = collseg.AddressStep
	} else {
		s.fill(s.a.DataAt(s.Rank, 0), piece, 0, piece.Bytes())
	}
	s.a.SetAddress(s.send.Start())
	s.a.PublishAt(0, s.total, what, 0, s.Size)
}

// chooseRoute is the route of this rank's contribution.
func (s *stepReduction) chooseRoute() collseg.Route {
	if s.root < 0 {
		return s.route(collseg.Allreduces, s.total, 0, collseg.Shared, true)
	}
	if s.total/int64(s.Size) > mostSingleShare/2 {
		return collseg.Shared
	}
	return s.route(collseg.Reduces, s.total, s.root, collseg.Shared, true)
}

// bySingleCopies reports, once all have published step 0, whether the reduction goes by single copies. w is
// this rank's own choice.
func (s *stepReduction) bySingleCopies(w collseg.Route) bool {
	is := collseg.Shared
	for r := range s.Size {
		if s.a.PublishesAddress(r) {
			is = collseg.Single
		}
	}
	if is != w {
		s.timing = collseg.Measured{}
	}
	return is == collseg.Single
}

// combineSingle is the rest of a reduction by single copies, once all have published step 0. n is in how many
// steps it goes.
func (s *stepReduction) combineSingle() (n uint64) {
	s.CountAlgorithm(tool.SingleCopy)
	s.drainOf(0, s.Size)
	b, result, size := s.send, s.result, s.send.Type.Size()
	mine := s.shareOut(b.Count, s.Rank)
	each := max(valuesRoom/int64(s.Size)/size, 1)
	var x stepTree
	x.begin(&s.steps, s.o, b.Type, each*size)
	stride := uintptr((each*size + shm.CacheLine - 1) &^ (shm.CacheLine - 1))
	copies := s.Scratch(int64(s.Size) * int64(stride))
	for r := range x.Size {
		x.at[r] = copies + uintptr(r)*stride
	}
	var outcome uintptr
	if s.wanted {
		outcome = result.Start() + uintptr(mine.From*size)
	} else {
		outcome = s.Scratch(mine.Count * size)
	}
	inPlace := s.wanted && result.Start() == b.Start()
	for from := int64(0); from < mine.Count && !s.Dead; from += each {
		n, at := min(each, mine.Count-from), uintptr((mine.From+from)*size)
		for i := 1; i < s.Size; i++ {
			r := (s.Rank + i) % s.Size
			s.read(r, x.at[r], s.a.AddressOf(r)+at, n*size)
		}
		if !inPlace {
			x.at[s.Rank] = b.Start() + at
		} else { // the outcome goes where the own value stands
			s.fill(x.at[s.Rank], b, (mine.From+from)*size, n*size)
		}
		x.combineTo(outcome+uintptr(from*size), n)
	}
	first, end := s.readers()
	if s.roomFor(1, first, end) {
		s.a.PublishAt(1, int64(outcome), collseg.LastStep, first, end)
	}
	for i := 1; i < s.Size && s.wanted; i++ {
		r := (s.Rank + i) % s.Size
		if theirs := s.shareOut(b.Count, r); theirs.Count > 0 && s.awaitStep(1, r, r+1) {
			at, _, _ := s.a.BytesAt(r, 1)
			s.read(r, result.Start()+uintptr(theirs.From*size), uintptr(at), theirs.Count*size)
		}
	}
	return 2
}
