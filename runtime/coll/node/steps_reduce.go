package node

import (
	"slices"

	"gompi/runtime/coll/partition"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// Reductions in steps. Few ranks combine everything that all publish by themselves; of more, each combines
// its share of what is published and publishes what that comes to. Contributions are combined straight out of
// the cells, in the order of the package.

// tree combines values of all ranks, a piece at a time.
type tree struct {
	o       *op.Op
	t       *datatype.Type
	g       partition.Tree
	scratch uintptr // room for a piece on each level, for the outcome, and for the own value
	level   int64   // bytes of that
}

// stepTree is a tree whose values stand in the cells of a step.
type stepTree struct {
	*steps
	tree
	at [collseg.MaxRanks]uintptr // where that of each rank stands
}

// begin makes it one for pieces of at most so many bytes.
func (x *stepTree) begin(s *steps, o *op.Op, t *datatype.Type, most int64) {
	x.steps, x.tree = s, tree{o: o, t: t, g: partition.TreeOf(s.Size, -1), level: most}
	x.tree.scratch = s.Scratch(int64(x.g.Levels+3) * most)
}

// in finds the values in the cells of step k, behind so many bytes, but this rank's own if that stands at an
// address that is not 0.
func (x *stepTree) in(k uint64, skip, own uintptr) {
	for r := range x.Size {
		x.at[r] = x.a.DataAt(r, k) + skip
	}
	if own != 0 {
		x.at[x.Rank] = own
	}
}

// combineTo combines n elements of all values. The outcome goes to out, which may be no value but that of the
// last rank, or among up to combineAll ranks where the operation allows it (op.Op.InPlace).
func (x *stepTree) combineTo(out uintptr, n int64) {
	defer x.Caught()
	if !x.past {
		x.combine(x.at[:x.Size], 0, x.g.Count, out, n, 0)
		return
	}
	first := x.tree.scratch + uintptr(int64(x.g.Levels+1)*x.level)
	x.combine(x.at[:x.Size], 0, x.g.Count, first, n, 0)
	shm.CopyPast(out, first, n*x.t.Size())
}

// combine combines the values of count groups from first on and tells where the outcome is: at out, or where
// the only value stands.
func (x *tree) combine(values []uintptr, first, count int, out uintptr, n int64, depth int) uintptr {
	var in, inout uintptr
	switch {
	case count > 1:
		in = x.combine(values, first, count/2, x.scratch+uintptr(int64(depth)*x.level), n, depth+1)
		inout = x.combine(values, first+count/2, count/2, out, n, depth+1)
	case first < x.g.Pairs:
		in, inout = values[2*first], values[2*first+1]
	default:
		return values[first+x.g.Pairs]
	}
	lb := uintptr(x.t.TrueLB())
	x.o.Combine(out-lb, in-lb, inout-lb, n, x.t)
	return out
}

// divided divides the elements of b.
func divided(a *collseg.Segment, b datatype.Buffer) partition.Division {
	return partition.Division{Count: b.Count, Each: max(a.ChunkOf(b.Bytes())/b.Type.Size(), 1)}
}

// publishPiece publishes a piece of this rank's contribution, of total bytes in all, to the ranks from first
// up to, not including, end.
func (s *steps) publishPiece(b datatype.Buffer, k uint64, total int64, first, end int) {
	if s.roomFor(k, first, end) {
		s.fill(s.a.DataAt(s.Rank, k), b, 0, b.Bytes())
		s.a.PublishAt(k, total, collseg.Step, first, end)
	}
}

// agree tells, when all have published step 0, whether everybody contributes as much as this rank. If not,
// everybody says so.
func (s *steps) agree(total int64) bool {
	if !s.awaitStep(0, 0, s.Size) || !s.allInSteps() {
		return false
	}
	for r := range s.Size {
		if n, _, _ := s.a.BytesAt(r, 0); !s.expect(r, n, total) {
			return false
		}
	}
	return true
}

// stepReduction is one rank's part in a reduction in steps.
type stepReduction struct {
	steps
	o      *op.Op
	send   datatype.Buffer    // its contribution
	total  int64              // bytes of that
	p      partition.Division // how that goes
	wanted bool               // this rank wants the result,
	result datatype.Buffer    // which goes there
	root   int                // who wants it; everybody if that is negative
	agreed bool               // all contribute as much
}

// reducing begins such a reduction, in which each rank gets n bytes.
func (g Group) reducing(n int64, send datatype.Buffer, result *datatype.Buffer, o *op.Op,
	root int) stepReduction {
	a := g.a
	s := stepReduction{steps: g.stepping(n), o: o, send: send, total: send.Bytes(), p: divided(a, send),
		wanted: result != nil, root: root}
	if s.wanted {
		s.result = *result
	}
	return s
}

// begin publishes piece as the first of the contribution, or where that lies, and learns how all go on: over
// n steps, or not at all, because they do not agree or because it has been done by single copies.
func (s *stepReduction) begin(piece datatype.Buffer) (n uint64, over bool) {
	route := s.chooseRoute()
	s.publishFirst(piece, route)
	if s.arrived(); !s.agree(s.total) {
		return 1, true
	}
	s.agreed = true
	if s.bySingleCopies(route) {
		return s.combineSingle(), true
	}
	return s.p.Steps(), false
}

// close ends a reduction that had n steps. That of ranks that do not agree may have an operation behind it.
func (s *stepReduction) close(n uint64) {
	if s.root < 0 && !s.agreed && s.outcomeFollows() {
		s.publishOutcome(s.result, false)
	} else {
		s.steps.close(n)
	}
}

// AllreduceInSteps has every rank combine all contributions, or its share of them where there are many ranks.
func (g Group) AllreduceInSteps(send, recv datatype.Buffer, o *op.Op) {
	s := g.reducing(recv.Bytes(), send, &recv, o, -1)
	if g.Size > CombineAll {
		s.combineShares()
		return
	}
	s.past = s.past && send.Addr != recv.Addr
	n, over := s.begin(s.p.Of(send, 0))
	if !over {
		var x stepTree
		x.begin(&s.steps, o, recv.Type, s.p.Each*recv.Type.Size())
		published := uint64(1)
		for k := uint64(0); k < n && !s.Dead; k++ {
			for published < n && s.early(published, k) {
				s.publishPiece(s.p.Of(send, published), published, s.total, 0, s.Size)
				published++
			}
			if s.awaitStep(k, 0, s.Size) {
				out, own := s.p.Of(recv, k), uintptr(0)
				if send.Addr != recv.Addr || o.InPlace() {
					own = s.p.Of(send, k).Start()
				}
				x.in(k, 0, own)
				x.combineTo(out.Start(), out.Count)
				s.a.DoneAt(k, 0, s.Size)
			}
		}
	}
	s.close(n)
}

// ReduceInSteps has the ranks share the work of combining, or the root do it alone.
func (g Group) ReduceInSteps(send datatype.Buffer, result *datatype.Buffer, o *op.Op, root int, alone bool) {
	if !alone {
		s := g.reducing(send.Bytes(), send, result, o, root)
		s.combineShares()
		return
	}
	s := g.reducing(send.Bytes()/2, send, result, o, root)
	s.close(s.reduceAtRoot())
}

// combineShares has every rank combine its share of each piece and publish the outcome for whom it is. The
// pieces of contributions and outcomes take turns in the steps: while one piece is combined, the next is
// published already, and the outcome of the one before is read.
func (s *stepReduction) combineShares() {
	n, over := s.begin(s.p.Of(s.send, 0))
	if over {
		s.close(n)
		return
	}
	t := s.send.Type
	contribution := func(j uint64) uint64 { return max(2*j, 1) - 1 }
	outcome := func(j uint64) uint64 { return 2*j + 2 }
	first, end := s.readers()
	var x stepTree
	x.begin(&s.steps, s.o, t, s.shareOut(s.p.Each, 0).Count*t.Size())
	for j := uint64(0); j <= n && !s.Dead; j++ {
		if j+1 < n {
			s.publishPiece(s.p.Of(s.send, j+1), contribution(j+1), s.total, 0, s.Size)
		}
		if j < n && s.awaitStep(contribution(j), 0, s.Size) {
			piece := s.p.Of(s.send, j)
			if mine := s.shareOut(piece.Count, s.Rank); mine.Count > 0 && s.roomFor(outcome(j), 0, s.Size) {
				out := s.a.DataAt(s.Rank, outcome(j))
				own := piece.Slice(mine.From, mine.Count)
				x.in(contribution(j), uintptr(mine.From*t.Size()), own.Start())
				x.combine(x.at[:x.Size], 0, x.g.Count, out, mine.Count, 0)
				s.a.PublishAt(outcome(j), mine.Count*t.Size(), collseg.Step, first, end)
				if s.wanted {
					s.drop(s.p.Of(s.result, j), mine.From*t.Size(), out, mine.Count*t.Size())
				}
			}
		}
		if j > 0 && s.wanted {
			s.readShares(s.p.Of(s.result, j-1), outcome(j-1))
		}
		if !s.Dead && j < n {
			s.a.DoneAt(2*j, 0, s.Size)
		}
	}
	s.close(2*n + 1)
}

// readers is the ranks from first up to, not including, end that want the result.
func (s *stepReduction) readers() (first, end int) {
	if s.root >= 0 {
		return s.root, s.root + 1
	}
	return 0, s.Size
}

// readShares reads what the other ranks have made of a piece.
func (s *stepReduction) readShares(piece datatype.Buffer, k uint64) {
	for i := 1; i < s.Size; i++ {
		r := (s.Rank + i) % s.Size
		if theirs := s.shareOut(piece.Count, r); theirs.Count > 0 && s.awaitStep(k, r, r+1) {
			s.drop(piece, theirs.From*piece.Type.Size(), s.a.DataAt(r, k), theirs.Count*piece.Type.Size())
		}
	}
}

// ReduceScatterInSteps has every rank publish the others what it has for their blocks, and combine its own.
// counts are those of all blocks, nil if they are alike.
func (g Group) ReduceScatterInSteps(all, recv datatype.Buffer, counts []int64, inPlace bool, o *op.Op) {
	s, t := g.stepping(recv.Bytes()), all.Type
	each := s.a.Chunk() / int64(s.Size) &^ (partGrain - 1)
	per := each / t.Size() // elements of each block in a step
	most := recv.Count
	if counts != nil {
		most = slices.Max(counts)
	}
	n := uint64((most + per - 1) / per)
	mine := partition.ShareOf(s.Rank, recv, counts)
	var x stepTree
	x.begin(&s, o, t, per*t.Size())
	publish := func(k uint64) {
		if !s.roomFor(k, 0, s.Size) {
			return
		}
		for r := range s.Size {
			theirs := partition.ShareOf(r, recv, counts)
			from := int64(k) * per
			if b := all.Slice(theirs.From+from, min(per, theirs.Count-from)); b.Count > 0 &&
				(r != s.Rank || inPlace) {
				s.fill(s.a.DataAt(s.Rank, k)+uintptr(int64(r)*each), b, 0, b.Bytes())
			}
		}
		s.a.PublishAt(k, all.Bytes(), collseg.Step, 0, s.Size)
	}
	publish(0)
	if !s.agree(all.Bytes()) {
		s.close(1)
		return
	}
	published := uint64(1)
	for k := uint64(0); k < n && !s.Dead; k++ {
		for published < n && s.early(published, k) {
			publish(published)
			published++
		}
		if !s.awaitStep(k, 0, s.Size) {
			break
		}
		from := int64(k) * per
		if count := min(per, mine.Count-from); count > 0 {
			own := uintptr(0)
			if !inPlace { // in place others' blocks stand where the outcome goes, published already
				own = all.Slice(mine.From+from, count).Start()
			}
			x.in(k, uintptr(int64(s.Rank)*each), own)
			x.combineTo(recv.Slice(from, count).Start(), count)
		}
		s.a.DoneAt(k, 0, s.Size)
	}
	s.close(n)
}
