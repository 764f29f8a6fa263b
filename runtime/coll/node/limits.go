package node

// CombineAll is the number of ranks up to which each combines everything.
const CombineAll = 3

// MaxGathered is the largest contribution to an allgather or a gather that is published at once.
const MaxGathered = 64 << 10

// In shared memory each rank has something else for each other in these, so that there is little for one rank
// in a cell: up to so many ranks with a core each begin in steps, before it is known whether single copies
// are quicker. In an alltoall of more ranks blocks of a chunk or two begin in steps as well. Where ranks
// share cores, all blocks do: the chunks are large there.
const (
	scatterInSteps  = 2
	alltoallInSteps = 4
)
