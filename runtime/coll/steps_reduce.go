package coll

import (
	"slices"

	"gompi/runtime/collseg"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// Reductions in steps. Few ranks combine everything that all publish by themselves; of more, each combines
// its share of what is published and publishes what that comes to. Contributions are combined straight out of
// the cells, in the order of the package.

// combineAll is the number of ranks up to which each combines everything.
const combineAll = 3

// largestElement bounds the elements of reductions in steps, in bytes: shares and parts of a cell are made of
// whole ones.
const largestElement = 256

// tree combines values of all ranks, a piece at a time.
type tree struct {
	*steps
	o       *op.Op
	t       *datatype.Type
	g       groups
	scratch uintptr // room for a piece on each level, for the outcome, and for the own value
	level   int64   // bytes of that
	step    uint64  // the values stand in the cells of this step,
	skip    uintptr // behind so many bytes,
	own     uintptr // but for this rank's own, if this is not 0
	values  uintptr // or, if this is not 0, they stand there,
	stride  uintptr // so far from each other
}

// tree is for pieces of at most so many bytes.
func (s *steps) tree(o *op.Op, t *datatype.Type, most int64) tree {
	x := tree{steps: s, o: o, t: t, g: arrange(s.size, -1), level: most}
	x.scratch = s.scratch(int64(x.g.levels+3) * most)
	return x
}

// value is where the value of a rank stands.
func (x *tree) value(rank int) uintptr {
	if rank == x.rank && x.own != 0 {
		return x.own
	}
	if x.values != 0 {
		return x.values + uintptr(rank)*x.stride
	}
	return x.a.DataAt(rank, x.step) + x.skip
}

// combineTo combines n elements of all values. The outcome goes to out, which may be no value but that of the
// last rank.
func (x *tree) combineTo(out uintptr, n int64) {
	defer x.caught()
	if !x.past {
		x.combine(0, x.g.count, out, n, 0)
		return
	}
	first := x.scratch + uintptr(int64(x.g.levels+1)*x.level)
	x.combine(0, x.g.count, first, n, 0)
	shm.CopyPast(out, first, n*x.t.Size())
}

// combine combines the values of count groups from first on and tells where the outcome is: at out, or where
// the only value stands.
func (x *tree) combine(first, count int, out uintptr, n int64, depth int) uintptr {
	var in, inout uintptr
	switch {
	case count > 1:
		in = x.combine(first, count/2, x.scratch+uintptr(int64(depth)*x.level), n, depth+1)
		inout = x.combine(first+count/2, count/2, out, n, depth+1)
	case first < x.g.pairs:
		in, inout = x.value(2*first), x.value(2*first+1)
	default:
		return x.value(first + x.g.pairs)
	}
	lb := uintptr(x.t.TrueLB())
	x.o.Combine(out-lb, in-lb, inout-lb, n, x.t)
	return out
}

// division is how a vector is divided into pieces that go in one step each, in elements.
type division struct{ count, each int64 }

// inSteps divides the elements of b.
func inSteps(a *collseg.Segment, b datatype.Buffer) division {
	return division{b.Count, max(chunkOf(a, b.Bytes())/b.Type.Size(), 1)}
}

func (p division) steps() uint64 { return uint64((p.count + p.each - 1) / p.each) }

// of is the piece of step k.
func (p division) of(b datatype.Buffer, k uint64) datatype.Buffer {
	from := int64(k) * p.each
	return b.Slice(from, min(p.each, p.count-from))
}

// reducesInSteps reports whether a reduction of b, too long to be published at once, goes in steps.
func reducesInSteps(b datatype.Buffer) bool { return b.Type.Dense() && b.Type.Size() <= largestElement }

// publishPiece publishes a piece of this rank's contribution, of total bytes in all, to everybody.
func (s *steps) publishPiece(b datatype.Buffer, k uint64, total int64) {
	s.publishPieceTo(b, k, total, 0, s.size)
}

// publishPieceTo publishes it to the ranks from first up to, not including, end.
func (s *steps) publishPieceTo(b datatype.Buffer, k uint64, total int64, first, end int) {
	if s.roomFor(k, first, end) {
		s.fill(s.a.DataAt(s.rank, k), b, 0, b.Bytes())
		s.a.PublishAt(k, total, collseg.Step, first, end)
	}
}

// agree tells, when all have published step 0, whether everybody contributes as much as this rank. If not,
// everybody says so.
func (s *steps) agree(total int64) bool {
	if !s.awaitStep(0, 0, s.size) || !s.allInSteps() {
		return false
	}
	for r := range s.size {
		if n, _, _ := s.a.BytesAt(r, 0); !s.expect(r, n, total) {
			return false
		}
	}
	return true
}

// disagree ends an allreduce of ranks that contribute different numbers of bytes.
func (s *steps) disagree(recv datatype.Buffer) error {
	if s.outcomeFollows() {
		return s.publishOutcome(recv, false)
	}
	return s.close(1)
}

// steppedAllreduce has every rank combine all contributions, or its share of them where there are many ranks;
// rank 0 all of them where ranks share cores.
func steppedAllreduce(c *comm.Comm, a *collseg.Segment, send, recv datatype.Buffer, o *op.Op) error {
	if reducesAtRoot(a, recv) {
		return allreduceAtRoot(c, a, send, recv, o)
	}
	if a.Size() > combineAll {
		return steppedShares(c, a, send, &recv, o, -1)
	}
	s := stepping(c, a, recv.Bytes())
	s.past = s.past && send.Addr != recv.Addr
	p, total := inSteps(a, send), send.Bytes()
	route := s.chooseReduction(send, -1)
	s.publishFirst(p.of(send, 0), send, total, route)
	if s.arrived(); !s.agree(total) {
		return s.disagree(recv)
	}
	if s.lends(route) {
		return s.close(s.combineSingle(send, &recv, o, -1))
	}
	x := s.tree(o, recv.Type, p.each*recv.Type.Size())
	n, published := p.steps(), uint64(1)
	for k := uint64(0); k < n && !s.dead; k++ {
		for published < n && s.early(published, k) {
			s.publishPiece(p.of(send, published), published, total)
			published++
		}
		if s.awaitStep(k, 0, s.size) {
			out := p.of(recv, k)
			x.step = k
			x.combineTo(out.Start(), out.Count)
			s.a.DoneAt(k, 0, s.size)
		}
	}
	return s.close(n)
}

// steppedReduce has the root combine the contributions of two ranks, or of all where ranks share cores;
// otherwise more ranks share the work.
func steppedReduce(c *comm.Comm, a *collseg.Segment, send datatype.Buffer, result *datatype.Buffer, o *op.Op,
	root int) error {
	if a.Size() > 2 && !reducesAtRoot(a, send) {
		return steppedShares(c, a, send, result, o, root)
	}
	s := stepping(c, a, send.Bytes()/2)
	return s.close(s.reduceAtRoot(send, result, o, root))
}

// steppedShares has every rank combine its share of each piece and publish the outcome, to the root or to
// everybody if that is negative. The pieces of contributions and outcomes take turns in the steps: while one
// piece is combined, the next is published already, and the outcome of the one before is read.
func steppedShares(c *comm.Comm, a *collseg.Segment, send datatype.Buffer, result *datatype.Buffer, o *op.Op,
	root int) error {
	s := stepping(c, a, send.Bytes())
	p, total := inSteps(a, send), send.Bytes()
	t := send.Type
	contribution := func(j uint64) uint64 { return max(2*j, 1) - 1 }
	outcome := func(j uint64) uint64 { return 2*j + 2 }
	first, end := 0, s.size // who reads outcomes
	if root >= 0 {
		first, end = root, root+1
	}
	route := s.chooseReduction(send, root)
	s.publishFirst(p.of(send, 0), send, total, route)
	if s.arrived(); !s.agree(total) {
		if root < 0 {
			return s.disagree(*result)
		}
		return s.close(1)
	}
	if s.lends(route) {
		return s.close(s.combineSingle(send, result, o, root))
	}
	x := s.tree(o, t, s.shareOut(p.each, 0).count*t.Size())
	n := p.steps()
	for j := uint64(0); j <= n && !s.dead; j++ {
		if j+1 < n {
			s.publishPiece(p.of(send, j+1), contribution(j+1), total)
		}
		if j < n && s.awaitStep(contribution(j), 0, s.size) {
			piece := p.of(send, j)
			if mine := s.shareOut(piece.Count, s.rank); mine.count > 0 && s.roomFor(outcome(j), 0, s.size) {
				out := s.a.DataAt(s.rank, outcome(j))
				x.step, x.skip = contribution(j), uintptr(mine.from*t.Size())
				x.combine(0, x.g.count, out, mine.count, 0)
				s.a.PublishAt(outcome(j), mine.count*t.Size(), collseg.Step, first, end)
				if result != nil {
					s.drop(p.of(*result, j), mine.from*t.Size(), out, mine.count*t.Size())
				}
			}
		}
		if j > 0 && result != nil {
			s.readShares(p.of(*result, j-1), outcome(j-1))
		}
		if !s.dead && j < n {
			s.a.DoneAt(2*j, 0, s.size)
		}
	}
	return s.close(2*n + 1)
}

// readShares reads what the other ranks have made of a piece.
func (s *steps) readShares(piece datatype.Buffer, k uint64) {
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		if theirs := s.shareOut(piece.Count, r); theirs.count > 0 && s.awaitStep(k, r, r+1) {
			s.drop(piece, theirs.from*piece.Type.Size(), s.a.DataAt(r, k), theirs.count*piece.Type.Size())
		}
	}
}

// steppedReduceScatter has every rank publish the others what it has for their blocks, and combine its own.
// counts are those of all blocks, nil if they are alike; mine is this rank's.
func steppedReduceScatter(c *comm.Comm, a *collseg.Segment, all, recv datatype.Buffer, counts []int64,
	inPlace bool, o *op.Op) error {
	s := stepping(c, a, recv.Bytes())
	t := all.Type
	each := a.Chunk() / int64(s.size) &^ (partGrain - 1)
	per := each / t.Size() // elements of each block in a step
	most := recv.Count
	if counts != nil {
		most = slices.Max(counts)
	}
	n := uint64((most + per - 1) / per)
	mine := shareOf(s.rank, recv, counts)
	x := s.tree(o, t, per*t.Size())
	publish := func(k uint64) {
		if !s.roomFor(k, 0, s.size) {
			return
		}
		for r := range s.size {
			theirs := shareOf(r, recv, counts)
			from := int64(k) * per
			if b := all.Slice(theirs.from+from, min(per, theirs.count-from)); b.Count > 0 &&
				(r != s.rank || inPlace) {
				s.fill(s.a.DataAt(s.rank, k)+uintptr(int64(r)*each), b, 0, b.Bytes())
			}
		}
		s.a.PublishAt(k, all.Bytes(), collseg.Step, 0, s.size)
	}
	publish(0)
	if !s.agree(all.Bytes()) {
		return s.close(1)
	}
	x.skip = uintptr(int64(s.rank) * each)
	published := uint64(1)
	for k := uint64(0); k < n && !s.dead; k++ {
		for published < n && s.early(published, k) {
			publish(published)
			published++
		}
		if !s.awaitStep(k, 0, s.size) {
			break
		}
		from := int64(k) * per
		if count := min(per, mine.count-from); count > 0 {
			x.step = k
			if !inPlace { // in place others' blocks stand where the outcome goes, published already
				x.own = all.Slice(mine.from+from, count).Start()
			}
			x.combineTo(recv.Slice(from, count).Start(), count)
		}
		s.a.DoneAt(k, 0, s.size)
	}
	return s.close(n)
}
