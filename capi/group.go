package main

import (
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
)

// Groups (MPI 5.0, 7.3).

func mpiGroup_size(g *group.Group) (int, error) { return g.Size(), nil }

func mpiGroup_rank(g *group.Group) (int, error) { return g.Rank(registry().Rank()), nil }

func mpiGroup_compare(a, b *group.Group) (int, error) {
	return [...]int{group.Identical: ident, group.Similar: similar,
		group.Unequal: unequal}[group.Compare(a, b)], nil
}

func mpiGroup_translate_ranks(a *group.Group, n int, from intArray, b *group.Group, to intArray) error {
	for i := range n {
		r := from.number(i)
		switch {
		case r == p2p.ProcNull:
			to.set(i, p2p.ProcNull)
		case r < 0 || r >= a.Size():
			return mpierr.New(mpierr.ErrRank, "ranks1[%d]: rank %d is not in the group of size %d", i, r, a.Size())
		default:
			to.set(i, int64(b.Rank(a.Of(r))))
		}
	}
	return nil
}

func mpiGroup_union(a, b *group.Group) (uintptr, error) { return newGroup(group.Union(a, b), nil) }

func mpiGroup_intersection(a, b *group.Group) (uintptr, error) {
	return newGroup(group.Intersection(a, b), nil)
}

func mpiGroup_difference(a, b *group.Group) (uintptr, error) {
	return newGroup(group.Difference(a, b), nil)
}

func mpiGroup_incl(g *group.Group, n int, ranks intArray) (uintptr, error) {
	return newGroup(g.Incl(ranks.numbers(n)))
}

func mpiGroup_excl(g *group.Group, n int, ranks intArray) (uintptr, error) {
	return newGroup(g.Excl(ranks.numbers(n)))
}

// triplets reads n ranges of ranks.
func triplets(a intArray, n int) []group.Triplet {
	ts := make([]group.Triplet, n)
	for i := range ts {
		ts[i] = group.Triplet{First: a.number(3 * i), Last: a.number(3*i + 1), Stride: a.number(3*i + 2)}
	}
	return ts
}

func mpiGroup_range_incl(g *group.Group, n int, ranges intArray) (uintptr, error) {
	return newGroup(g.RangeIncl(triplets(ranges, n)))
}

func mpiGroup_range_excl(g *group.Group, n int, ranges intArray) (uintptr, error) {
	return newGroup(g.RangeExcl(triplets(ranges, n)))
}

// mpiGroup_free also takes MPI_GROUP_EMPTY, because that is what operations without a result give.
func mpiGroup_free(cell groupCell) error {
	h := loadWord(uintptr(cell))
	if h != groupEmpty && groups.remove(h) == nil {
		if h == groupNull {
			return mpierr.New(mpierr.ErrGroup, "group is MPI_GROUP_NULL")
		}
		return badHandle(mpierr.ErrGroup, "group", h, "a group")
	}
	library.Load().process.Endpoint.FreedGroup() // windows know groups by their handles
	storeWord(uintptr(cell), groupNull)
	return nil
}
