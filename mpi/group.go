package mpi

import (
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
)

// Groups (MPI 5.0, 7.3).

func GroupSize(g *group.Group) (int, error) { return g.Size(), nil }

func GroupRank(g *group.Group) (int, error) { return g.Rank(registry().Processes.Rank()), nil }

func GroupCompare(a, b *group.Group) (int, error) {
	return [...]int{group.Identical: ident, group.Similar: similar,
		group.Unequal: unequal}[group.Compare(a, b)], nil
}

func GroupTranslateRanks(a *group.Group, n int, from IntArray, b *group.Group, to IntArray) error {
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

func GroupUnion(a, b *group.Group) (uintptr, error) { return newGroup(group.Union(a, b), nil) }

func GroupIntersection(a, b *group.Group) (uintptr, error) {
	return newGroup(group.Intersection(a, b), nil)
}

func GroupDifference(a, b *group.Group) (uintptr, error) {
	return newGroup(group.Difference(a, b), nil)
}

func GroupIncl(g *group.Group, n int, ranks IntArray) (uintptr, error) {
	var room [len(few{})]int
	return newGroup(g.Incl(ranks.numbersIn(room[:0], n)))
}

func GroupExcl(g *group.Group, n int, ranks IntArray) (uintptr, error) {
	return newGroup(g.Excl(ranks.numbers(n)))
}

// triplets reads n ranges of ranks.
func triplets(a IntArray, n int) []group.Triplet {
	ts := make([]group.Triplet, n)
	for i := range ts {
		ts[i] = group.Triplet{First: a.number(3 * i), Last: a.number(3*i + 1), Stride: a.number(3*i + 2)}
	}
	return ts
}

func GroupRangeIncl(g *group.Group, n int, ranges IntArray) (uintptr, error) {
	return newGroup(g.RangeIncl(triplets(ranges, n)))
}

func GroupRangeExcl(g *group.Group, n int, ranges IntArray) (uintptr, error) {
	return newGroup(g.RangeExcl(triplets(ranges, n)))
}

// GroupFree also takes MPI_GROUP_EMPTY, because that is what operations without a result give.
func GroupFree(cell GroupCell) error {
	h := LoadWord(uintptr(cell))
	if lookupGroup(h) == nil {
		if h == groupNull {
			return mpierr.New(mpierr.ErrGroup, "group is MPI_GROUP_NULL")
		}
		return badHandle(mpierr.ErrGroup, "group", h, "a group")
	}
	if h != groupEmpty && library.Load().process.Endpoint.FreeGroup(h) {
		dropGroup(h)
	}
	StoreWord(uintptr(cell), groupNull)
	return nil
}
