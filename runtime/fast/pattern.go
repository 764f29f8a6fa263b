package fast

// Pattern is who contributes what for whom in a nonblocking collective operation.
type Pattern uint32

// The patterns.
const (
	PatternNone    Pattern = iota
	Everyone               // everybody contributes what is for everybody
	FromRoot               // the root contributes what is for everybody
	ToRoot                 // everybody else contributes what is for the root
	Scattered              // the root contributes a block for each rank, all of one size
	ScatteredV             // the same with a table of sizes
	Crossed                // everybody contributes a block for each rank, all of one size
	CrossedV               // the same with a table of sizes
	Meeting                // everybody says that it is there
	Reduction              // everybody contributes what the root combines
	ReductionToAll         // everybody contributes what everybody combines
	Shares                 // everybody contributes what each combines a share of
	PrefixIn               // everybody contributes what it and those above it combine
	PrefixEx               // everybody contributes what those above it combine
	Neighbors              // everybody contributes what is for its destinations
	NeighborsV             // everybody contributes a block for each of its destinations, with a table
	Patterns               // how many there are
)

// NoRoot is the root of an operation that has none.
const NoRoot uint32 = 1<<32 - 1

// Contributes reports whether rank me of n contributes anything for others; not for neighbors.
func (p Pattern) Contributes(me, n, root uint32) bool {
	switch p {
	case FromRoot, Scattered, ScatteredV:
		return me == root
	case ToRoot:
		return me != root
	case PrefixIn, PrefixEx:
		return me+1 < n
	}
	return true
}

// Sources is how many ranks contribute something for rank me of n; not for neighbors.
func (p Pattern) Sources(me, n, root uint32) uint32 {
	switch p {
	case FromRoot, Scattered, ScatteredV:
		if me == root {
			return 0
		}
		return 1
	case ToRoot, Reduction:
		if me != root {
			return 0
		}
	case PrefixIn, PrefixEx:
		return me
	}
	return n - 1
}

// Source is the i-th of them.
func (p Pattern) Source(i, me, n, root uint32) uint32 {
	switch p {
	case FromRoot, Scattered, ScatteredV:
		return root
	case PrefixIn, PrefixEx:
		return i
	}
	return behind(me, i+1, n)
}
