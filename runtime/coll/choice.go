package coll

import (
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
)

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

// Through shared memory.

// maxGathered is the largest contribution to an allgather or a gather that is published at once.
const maxGathered = 64 << 10

// maxSpread is how much a rank publishes at once to all others together, whatever the table before it.
const maxSpread = collseg.MaxData - collseg.MaxRanks*entry

// maxCombined is how much data a rank reads at most, in bytes, when all combine everything by themselves.
const maxCombined = 16 << 10

// maxReduceScattered is how much each rank contributes at most to a reduce-scatter that is published at once.
const maxReduceScattered = 32 << 10

// atRootMost is how many bytes one rank combines at a time, for each rank on a core.
const atRootMost = 256 << 10

// combineAll is the number of ranks up to which each combines everything.
const combineAll = 3

// largestElement bounds the elements of reductions in steps, in bytes: shares and parts of a cell are made of
// whole ones.
const largestElement = 256

// mostLentShare bounds the outcome of a rank, in bytes, that has no result of its own to put it in.
const mostLentShare = 4 << 20

// mostPieces is the largest number of pieces, of which as many as there are cells are published at once.
// Longer data would take less time in pieces, too, but its owner would have to be in the library again and
// again; a message is copied out of its memory while it computes.
const mostPieces = 64

// reduceStub is how many bytes package fast combines at most by itself: more elements are left to the
// kernels.
const reduceStub = 8 << 10

// isAtOnce reports whether contributions of n bytes are published in cells.
func isAtOnce(a *collseg.Segment, n int64) bool { return n*int64(a.Size()) <= maxCombined }

// reducesShared reports whether a reduction goes through shared memory: published at once or in steps.
func reducesShared(a *collseg.Segment, b datatype.Buffer) bool {
	if isAtOnce(a, b.Bytes()) {
		return b.Contiguous()
	}
	return reducesInSteps(b)
}

// isReducedAtRoot reports whether one rank combines contributions of n bytes.
func isReducedAtRoot(a *collseg.Segment, n int64) bool {
	return a.Crowded() && !isAtOnce(a, n) &&
		min(n, collseg.MaxData)*int64(a.Size()) <= int64(a.PerCore())*atRootMost
}

// reducesAtRoot reports whether one rank combines contributions like b.
func reducesAtRoot(a *collseg.Segment, b datatype.Buffer) bool {
	return isReducedAtRoot(a, b.Bytes()) && reducesInSteps(b)
}

// reducesAtRootAtOnce reports whether it does so with contributions that are published at once.
func reducesAtRootAtOnce(a *collseg.Segment, b datatype.Buffer) bool {
	return b.Bytes() <= collseg.MaxData && reducesAtRoot(a, b)
}

// reducesInSteps reports whether a reduction of b, too long to be published at once, goes in steps.
func reducesInSteps(b datatype.Buffer) bool { return b.Type.Dense() && b.Type.Size() <= largestElement }

// gathersAtOnce is how many bytes of each rank a gather or an allgather always publishes at once.
func gathersAtOnce(a *collseg.Segment) int64 {
	if a.ChoosesAll() {
		return collseg.LeastSingle
	}
	return maxGathered
}

// firstOfAlltoall is the route by which an alltoall begins whose blocks have at most n bytes.
func firstOfAlltoall(a *collseg.Segment, n int64) collseg.Route {
	if !a.Crowded() && a.Size() > alltoallInSteps && n > 2*a.Chunk() {
		return collseg.Single
	}
	return collseg.Shared
}

// fitsCell reports whether contributions of n bytes are for the nonblocking segment.
func fitsCell(n int64) bool { return n > 0 && n <= fast.MaxNbcData }

// isReducedInCells reports whether contributions like b are, which ranks read that combine them.
func isReducedInCells(size int, b datatype.Buffer) bool {
	n := b.Bytes()
	return n > 0 && n*int64(size) <= maxCombined && b.Contiguous()
}

// spreads reports whether the blocks for all ranks but me are published themselves.
func spreads(a *collseg.Segment, b *Blocks, me int) bool {
	if b.Counts == nil {
		x := b.Of(0)
		// by what package fast goes as well, and all ranks alike
		return x.Bytes()*int64(a.Size()) <= maxSpread
	}
	return b.others(a.Size(), me) <= collseg.MaxData-headOf(a, b)
}
