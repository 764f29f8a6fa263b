package fast

// Groups that C makes: of some ranks of a group, or of the processes of two (MPI 5.0, 7.3.2).

// groupSource is what a group is made of.
type groupSource struct {
	how   membership
	a, b  *Group
	ranks *int32 // of a, n of them
	n     int32
}

// membership says which processes a group is made of.
type membership uint32

const (
	listed    membership = iota // those of a with the ranks
	unlisted                    // those of a with other ranks
	ofEither                    // those of a, and then those of b that are not in a
	ofBoth                      // those of a that are in b
	ofOneOnly                   // those of a that are not in b
)

// groupBuilder adds processes to a group.
type groupBuilder struct {
	to     *Group
	row    *int32 // for the numbers of all of them; nil as long as they are not known to need one
	own    int32  // number of this process, if it may be among them
	uneven uint32 // 1: they do not follow each other at a fixed distance
}

// add adds the process with that number.
func (b *groupBuilder) add(process int32) {
	g := b.to
	i := int32(g.Size)
	if b.row != nil {
		*intAt(b.row, i) = process
	}
	if i == 0 {
		g.Base = process
	} else if i == 1 {
		g.Stride = process - g.Base
	} else if process != g.Base+i*g.Stride {
		b.uneven = 1
	}
	if process == b.own {
		g.Rank = i
	}
	g.Size++
}

// has reports whether a rank is among those of a source.
func (s *groupSource) has(rank int32) bool {
	for i := int32(0); i < s.n; i++ {
		if *intAt(s.ranks, i) == rank {
			return true
		}
	}
	return false
}

// fill adds all processes to an empty group.
func (s *groupSource) fill(b *groupBuilder) {
	b.to.Size = 0
	b.to.Rank = Undefined
	b.to.Stride = 1
	if s.how == listed {
		for i := int32(0); i < s.n; i++ {
			b.add(s.a.process(*intAt(s.ranks, i)))
		}
		return
	}
	for r := int32(0); r < int32(s.a.Size); r++ {
		p := s.a.process(r)
		wanted := true
		if s.how == unlisted {
			wanted = !s.has(r)
		} else if s.how != ofEither {
			wanted = (s.b.rankOf(p) != Undefined) == (s.how == ofBoth)
		}
		if wanted {
			b.add(p)
		}
	}
	if s.how == ofEither {
		for r := int32(0); r < int32(s.b.Size); r++ {
			p := s.b.process(r)
			if s.a.rankOf(p) == Undefined {
				b.add(p)
			}
		}
	}
}

// makeGroup makes the group.
func (s *groupSource) makeGroup(o *Objects, newgroup uintptr) bool {
	if newgroup < Lowest {
		return false
	}
	h := o.takeRecord(KindGroup)
	if h == 0 {
		return false
	}
	b := groupBuilder{to: groupOf(o.Groups[h&objectMask>>ChunkBits], h&chunkMask), own: Undefined}
	if s.a.Rank != Undefined {
		b.own = s.a.process(s.a.Rank)
	} else if s.b != nil && s.b.Rank != Undefined {
		b.own = s.b.process(s.b.Rank)
	}
	g := b.to
	g.Refs = 1
	g.Session = s.a.Session
	g.Row = nil
	s.fill(&b)
	if g.Size == 0 {
		o.giveRecord(KindGroup, &g.Record, h)
		*wordAt(newgroup) = groupEmpty
		return true
	}
	if b.uneven != 0 {
		at := o.arena.piece(uint64(g.Size) * 4)
		if at == 0 {
			o.giveRecord(KindGroup, &g.Record, h)
			return false
		}
		b.row = numbersAt(at)
		s.fill(&b)
		g.Base = 0
		g.Stride = 0
		g.Row = b.row
	}
	g.publish(h, newgroup)
	return true
}

// mayHold reports whether ranks are in a group and differ, where that is soon found out.
func (g *Group) mayHold(n int32, ranks *int32) bool {
	rises := true
	for i := int32(0); i < n; i++ {
		r := *intAt(ranks, i)
		if uint32(r) >= g.Size {
			return false
		}
		rises = rises && (i == 0 || r > *intAt(ranks, i-1))
	}
	if rises {
		return true
	}
	if int64(n)*int64(n) > mostSearched {
		return false
	}
	for i := int32(1); i < n; i++ {
		for k := int32(0); k < i; k++ {
			if *intAt(ranks, i) == *intAt(ranks, k) {
				return false
			}
		}
	}
	return true
}

// makeOfRanks makes a group of ranks of another one, or of all others.
func makeOfRanks(e *Endpoint, how membership, g *Group, n int32, ranks *int32, newgroup uintptr) bool {
	if n <= 0 || how == unlisted && int64(g.Size)*int64(n) > mostSearched || !g.mayHold(n, ranks) {
		return false
	}
	s := groupSource{how: how, a: g, ranks: ranks, n: n}
	return s.makeGroup(&e.Objects, newgroup)
}

// GroupIncl is MPI_Group_incl (MPI 5.0, 7.3.2).
func GroupIncl(e *Endpoint, group uintptr, n int32, ranks *int32, newgroup uintptr) bool {
	g := e.group(group)
	return g != nil && !nowhere(ranks) && makeOfRanks(e, listed, g, n, ranks, newgroup)
}

// GroupExcl is MPI_Group_excl.
func GroupExcl(e *Endpoint, group uintptr, n int32, ranks *int32, newgroup uintptr) bool {
	g := e.group(group)
	return g != nil && !nowhere(ranks) && makeOfRanks(e, unlisted, g, n, ranks, newgroup)
}

// ranksIn is how many ranks ranges stand for, each a first one, a last one and a distance. They are written
// to a list if there is one. It is -1 for what may be wrong, and for more than mostSearched.
func ranksIn(n int32, ranges, list *int32) int32 {
	all := int32(0)
	for i := int32(0); i < n; i++ {
		first := *intAt(ranges, 3*i)
		last := *intAt(ranges, 3*i+1)
		stride := *intAt(ranges, 3*i+2)
		if stride == 0 || first < 0 || last < 0 {
			return -1
		}
		for r := int64(first); stride > 0 && r <= int64(last) || stride < 0 && r >= int64(last); {
			if all == mostSearched {
				return -1
			}
			if list != nil {
				*intAt(list, all) = int32(r)
			}
			all++
			r += int64(stride)
		}
	}
	return all
}

// makeOfRanges is makeOfRanks for ranges of ranks.
func makeOfRanges(e *Endpoint, how membership, group uintptr, n int32, ranges *int32, newgroup uintptr) bool {
	g := e.group(group)
	if g == nil || n <= 0 || nowhere(ranges) {
		return false
	}
	all := ranksIn(n, ranges, nil)
	if all <= 0 {
		return false
	}
	at := e.arena.piece(uint64(all) * 4)
	if at == 0 {
		return false
	}
	list := numbersAt(at)
	ranksIn(n, ranges, list)
	done := makeOfRanks(e, how, g, all, list, newgroup)
	e.arena.putPiece(at, uint64(all)*4)
	return done
}

// GroupRangeIncl is MPI_Group_range_incl.
func GroupRangeIncl(e *Endpoint, group uintptr, n int32, ranges *int32, newgroup uintptr) bool {
	return makeOfRanges(e, listed, group, n, ranges, newgroup)
}

// GroupRangeExcl is MPI_Group_range_excl.
func GroupRangeExcl(e *Endpoint, group uintptr, n int32, ranges *int32, newgroup uintptr) bool {
	return makeOfRanges(e, unlisted, group, n, ranges, newgroup)
}

// makeOfTwo makes a group of the processes of two others, where it is soon found out which are in both.
func makeOfTwo(e *Endpoint, how membership, group1, group2, newgroup uintptr) bool {
	a := e.group(group1)
	b := e.group(group2)
	if a == nil || b == nil || uint64(a.Size)+uint64(b.Size) > mostSearched ||
		(a.Row != nil || b.Row != nil) && uint64(a.Size)*uint64(b.Size) > mostSearched {
		return false
	}
	s := groupSource{how: how, a: a, b: b}
	return s.makeGroup(&e.Objects, newgroup)
}

// GroupUnion is MPI_Group_union.
func GroupUnion(e *Endpoint, group1, group2, newgroup uintptr) bool {
	return makeOfTwo(e, ofEither, group1, group2, newgroup)
}

// GroupIntersection is MPI_Group_intersection.
func GroupIntersection(e *Endpoint, group1, group2, newgroup uintptr) bool {
	return makeOfTwo(e, ofBoth, group1, group2, newgroup)
}

// GroupDifference is MPI_Group_difference.
func GroupDifference(e *Endpoint, group1, group2, newgroup uintptr) bool {
	return makeOfTwo(e, ofOneOnly, group1, group2, newgroup)
}
