package coll

// Where algorithms change, in bytes. Below, the number of rounds counts; above, the number of times that a
// byte is copied. Messages of the lengths above go by single copy, for which larger pieces are better.
const (
	// bcastLong is from where on a broadcast is scattered and collected again. A tree sends everything to
	// every rank as well, but one level after the other.
	bcastLong = 64 << 10

	// flatLong is from where on the root sends to all others of its node, if they are few.
	flatLong = 16 << 10

	// reduceLong is from where on the ranks share the work of a reduction among them.
	reduceLong = 16 << 10

	// chainLong is from where on a scan goes from rank to rank.
	chainLong = 64 << 10

	// gatherShort is the largest contribution of one rank that is passed on by others.
	gatherShort = 1 << 10

	// allgatherShort and allgatherDoubling are the largest results that are collected by Bruck's algorithm,
	// which copies everything twice more, and by doubling, which needs a power of two of ranks.
	allgatherShort    = 16 << 10
	allgatherDoubling = 256 << 10

	// allgatherStaged is the largest result that the ranks of one node pass on. Of more they send each other
	// each block, so that nobody waits for a rank that has to wait itself.
	allgatherStaged = 256 << 10

	// Over several nodes: the largest contribution of one rank that leaders collect (gather, scatter;
	// allgather: the mean of all), and the largest block of an alltoall; and from where on all ranks of a
	// node take part in what its leader would do alone. A network pays for each message more than pretended
	// nodes do, on which, with 4 ranks on 2 cores, the leaders take 1.1 to 3 times as long for little data as
	// everybody does without them.
	gatherLed    = 8 << 10
	allgatherLed = 4 << 10
	alltoallLed  = 1 << 10
	railsLong    = 32 << 10

	// alltoallShort is the largest block that Bruck's algorithm, which sends every block several times, is
	// for.
	alltoallShort = 256
)

// bcastFew is the number of ranks up to which a broadcast is never scattered.
const bcastFew = 3

// chainFew is the number of ranks up to which a scan goes from rank to rank, whatever the size.
const chainFew = 8

// flatFew is the number of ranks of one node up to which the root of a broadcast sends to all others itself,
// who copy its data at the same time. Of more, too many would be after the same pages.
const flatFew = 8

// fewRanks is the number of ranks up to which a root deals with each by itself, whatever the size.
const fewRanks = 4

// scatterInSteps and alltoallInSteps are the numbers of ranks with a core each up to which blocks go through
// cells in steps at first, before it is known whether single copies are quicker. Each rank has something else
// for each other then, so that there is little for one rank in a cell. In an alltoall of more ranks blocks of
// a chunk or two begin in steps as well. Where ranks share cores, all blocks do: the chunks are large there.
const (
	scatterInSteps  = 2
	alltoallInSteps = 4
)

// alltoallFew is the number of ranks up to which blocks are never sent by way of others.
const alltoallFew = 7
