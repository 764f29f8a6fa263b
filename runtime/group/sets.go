package group

import (
	"slices"

	"gompi/runtime/mpierr"
)

// Union is all processes of a in their order, then those of b that are not in a in theirs (MPI_Group_union).
func Union(a, b *Group) *Group {
	return join(a, b, func(job int) bool { return a.Rank(job) == Undefined }).From(a.session)
}

// join is a and what is wanted of b.
func join(a, b *Group, wanted func(job int) bool) *Group {
	t := a.Table()
	for r := range b.size {
		if job := b.Of(r); wanted(job) {
			t = append(t, int32(job))
		}
	}
	return New(t)
}

// Intersection is the processes of a that are in b, in the order of a (MPI_Group_intersection).
func Intersection(a, b *Group) *Group {
	return join(Range(0, 1, 0), a, func(job int) bool { return b.Rank(job) != Undefined }).From(a.session)
}

// Difference is the processes of a that are not in b, in the order of a (MPI_Group_difference).
func Difference(a, b *Group) *Group {
	return join(Range(0, 1, 0), a, func(job int) bool { return b.Rank(job) == Undefined }).From(a.session)
}

// Incl is the processes with the given ranks, in that order (MPI_Group_incl).
func (g *Group) Incl(ranks []int) (*Group, error) {
	if err := g.distinct(ranks); err != nil {
		return nil, err
	}
	if even, ok := evenly(len(ranks), func(i int) int { return g.Of(ranks[i]) }); ok {
		return even.From(g.session), nil
	}
	t := make([]int32, len(ranks))
	for i, r := range ranks {
		t[i] = int32(g.Of(r))
	}
	return &Group{size: len(t), table: t, session: g.session}, nil
}

// Excl is g without the processes with the given ranks (MPI_Group_excl).
func (g *Group) Excl(ranks []int) (*Group, error) {
	out, err := g.mark(ranks)
	if err != nil {
		return nil, err
	}
	t := make([]int32, 0, g.size-len(ranks))
	for r := range g.size {
		if !out[r] {
			t = append(t, int32(g.Of(r)))
		}
	}
	return New(t).From(g.session), nil
}

// few is how many ranks are compared with each other, which takes less than a set of all.
const few = 16

// distinct checks that the ranks are in the group and differ.
func (g *Group) distinct(ranks []int) error {
	if len(ranks) > few {
		_, err := g.mark(ranks)
		return err
	}
	for i, r := range ranks {
		if err := g.holds(r, i); err != nil {
			return err
		}
		if slices.Contains(ranks[:i], r) {
			return twice(r)
		}
	}
	return nil
}

// holds refuses a rank that is not in the group; i is its place in the list.
func (g *Group) holds(r, i int) error {
	if r < 0 || r >= g.size {
		return mpierr.New(mpierr.ErrRank, "rank %d, number %d in the list, is not in the group of size %d", r, i, g.size)
	}
	return nil
}

func twice(r int) error { return mpierr.New(mpierr.ErrRank, "rank %d is in the list twice", r) }

// mark is distinct, and returns a set of the ranks.
func (g *Group) mark(ranks []int) ([]bool, error) {
	seen := make([]bool, g.size)
	for i, r := range ranks {
		if err := g.holds(r, i); err != nil {
			return nil, err
		}
		if seen[r] {
			return nil, twice(r)
		}
		seen[r] = true
	}
	return seen, nil
}

// Triplet is a range of ranks: First, First+Stride, ... not beyond Last (MPI 5.0, 7.3.2).
type Triplet struct{ First, Last, Stride int }

// RangeIncl is Incl with the ranks that the triplets stand for (MPI_Group_range_incl).
func (g *Group) RangeIncl(ts []Triplet) (*Group, error) {
	if len(ts) == 1 && g.table == nil {
		if n, err := g.count(0, ts[0]); err != nil {
			return nil, err
		} else if n > 0 {
			return Range(g.Of(ts[0].First), g.stride*ts[0].Stride, n).From(g.session), nil
		}
	}
	ranks, err := g.expand(ts)
	if err != nil {
		return nil, err
	}
	return g.Incl(ranks)
}

// RangeExcl is Excl with the ranks that the triplets stand for (MPI_Group_range_excl).
func (g *Group) RangeExcl(ts []Triplet) (*Group, error) {
	ranks, err := g.expand(ts)
	if err != nil {
		return nil, err
	}
	return g.Excl(ranks)
}

// count checks triplet number i and tells how many ranks it stands for.
func (g *Group) count(i int, t Triplet) (int, error) {
	if t.Stride == 0 {
		return 0, mpierr.New(mpierr.ErrArg, "the stride of range %d is 0", i)
	}
	if t.First < t.Last && t.Stride < 0 || t.First > t.Last && t.Stride > 0 {
		return 0, nil // no rank at all
	}
	n := (t.Last-t.First)/t.Stride + 1
	for _, r := range []int{t.First, t.First + (n-1)*t.Stride} {
		if r < 0 || r >= g.size {
			return 0, mpierr.New(mpierr.ErrRank, "rank %d of range %d is not in the group of size %d", r, i, g.size)
		}
	}
	return n, nil
}

func (g *Group) expand(ts []Triplet) ([]int, error) {
	var ranks []int
	for i, t := range ts {
		n, err := g.count(i, t)
		if err != nil {
			return nil, err
		}
		for k := range n {
			ranks = append(ranks, t.First+k*t.Stride)
		}
	}
	return ranks, nil
}
