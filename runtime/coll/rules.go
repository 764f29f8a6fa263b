package coll

import (
	"slices"

	"gompi/runtime/coll/node"
	"gompi/runtime/coll/partition"
	"gompi/runtime/collseg"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
)

// Where algorithms change, in bytes. Below, the number of rounds counts; above, the number of times that a
// byte is copied. Messages of the lengths above go by single copy, for which larger pieces are better.

// Through shared memory.
const (
	// maxWhole is how much goes to or from a root at once where each rank has a core. What is longer is
	// copied in and out at the same time, in steps.
	maxWhole = 32 << 10

	// maxSpread is how much a rank publishes at once to all others together, whatever the table before it.
	maxSpread = collseg.MaxData - collseg.MaxRanks*node.EntrySize

	// maxCombined is how much data a rank reads at most when all combine everything by themselves.
	maxCombined = 16 << 10

	// maxReduceScattered is how much each rank contributes at most to a reduce-scatter that is published at
	// once.
	maxReduceScattered = 32 << 10

	// atRootMost is how many bytes one rank combines at a time, for each rank on a core.
	atRootMost = 256 << 10

	// largestElement bounds the elements of reductions in steps: shares and parts of a cell are made of whole
	// ones.
	largestElement = 256

	// inPiecesMost is the most that nonblocking operations publish in pieces where each rank has a core. Of
	// longer data a message is copied out of its owner's memory while that computes, and by the quickest way
	// between two cores.
	inPiecesMost = 512 << 10

	// inTurnsMost is the same where ranks share cores.
	inTurnsMost = 4 << 20

	// combinedMost is the same for reductions. Longer data takes less time in halves, each as one message.
	combinedMost = 128 << 10
)

// Over several nodes the largest contribution that leaders collect, and from where on all ranks of a node
// take part in what its leader would do alone. A network pays for each message more than pretended nodes do,
// where leaders do not pay for little data.
const (
	gatherLed    = 8 << 10
	allgatherLed = 4 << 10
	alltoallLed  = 1 << 10
	railsLong    = 32 << 10
)

// Reasons that several rules share.
const (
	inGroups    = "the groups exchange what they have"
	everybody   = "all publish at once, and take what they need"
	overlap     = "chunks are copied in and out at the same time"
	nbcCells    = "all publish in cells, and take when they are polled"
	nodeWise    = "of each node one rank deals with the other nodes"
	fewCombine  = "few ranks combine the pieces as they come"
	fewTurns    = "ranks share cores, each of which one rank's turn is enough for"
	noGaps      = "few rounds of the whole data"
	ownSizes    = "ranks know their own sizes alone"
	nbcOrSend   = "all publish in cells, or send what is longer than one"
	oncePerRoot = "the root publishes once for all"
	distances   = "the distance doubles in each round"
	noChains    = "nobody waits for a rank that has to wait itself"
	eachOnce    = "each rank sends each byte once"
	halves      = "ranks share the work of combining"
)

// together is a bound of what all ranks contribute together.
func together(all int64) func(q *question) int64 {
	return func(q *question) int64 { return all / int64(q.ranks) }
}

// upTo is a bound of one contribution.
func upTo(n int64) func(q *question) int64 { return func(*question) int64 { return n } }

// wholeUpTo is a bound of what goes to or from a root at once: n where ranks share cores, which steps take
// more turns.
func wholeUpTo(n int64) func(q *question) int64 {
	return func(q *question) int64 {
		if q.perCore > 1 {
			return n
		}
		return maxWhole
	}
}

// inPieces is what nonblocking operations publish, in pieces if it is more than a cell holds. Where ranks
// share cores pieces take them fewer turns than messages, and where all publish all copy at the same time.
// Elsewhere a message is not slower, and goes by the quickest way between two cores: where these are far
// apart, that is one copy by the kernel. The first operation of ranks may come before they know of each other
// how many cores they have, so the launcher has to say it. Persistent operations have no pieces.
func (q *question) inPieces() int64 {
	switch {
	case q.persistent || q.roomy && q.op != tool.Allgather:
		return fast.MaxNbcData
	case q.roomy:
		return inPiecesMost
	}
	return inTurnsMost
}

// inPiecesEach is the same for a block, where a rank has one for each: all are one piece.
func (q *question) inPiecesEach() int64 {
	return min(q.inPieces(), collseg.WideSize) / int64(q.ranks)
}

// combinedInPieces is the same for reductions. A root that combines alone what one other rank publishes is
// done as soon as with halves.
func (q *question) combinedInPieces() int64 {
	if q.op == tool.Reduce && q.ranks == 2 {
		return inPiecesMost
	}
	return combinedMost
}

// few is that there are not more ranks.
func few(n int) func(q *question) bool { return func(q *question) bool { return q.ranks <= n } }

// fitsCell is that a contribution can be published at once, spreads that blocks for all can.
func fitsCell(q *question) bool { return q.bytes <= collseg.MaxData }
func spreads(q *question) bool  { return q.bytes*int64(q.ranks) <= maxSpread }

// The same for the cells of nonblocking operations, and for data that goes in pieces.
func fitsNbc(q *question) bool    { return q.bytes <= fast.MaxNbcData }
func spreadsNbc(q *question) bool { return q.bytes*int64(q.ranks) <= fast.MaxNbcData }
func fitsPieces(q *question) bool { return fitsNbc(q) || !q.persistent }
func spreadsWide(q *question) bool {
	return spreadsNbc(q) || !q.persistent && q.bytes*int64(q.ranks) <= collseg.WideSize
}

// combinesPieces is that few ranks combine what all publish in pieces.
func combinesPieces(q *question) bool {
	return q.contiguous && !q.persistent && q.element <= largestElement && q.ranks <= node.CombineAll
}

func inChunks(q *question) bool   { return q.dense && q.element <= largestElement }
func oneNode(q *question) bool    { return q.oneNode }
func powerOfTwo(q *question) bool { return q.ranks&(q.ranks-1) == 0 }

// divides is that each group of the tree has an element at least.
func divides(q *question) bool { return q.elements >= int64(partition.TreeOf(q.ranks, -1).Count) }

// onRails is that each rank of a node has a partner and an element.
func onRails(q *question) bool { return q.evenNodes && q.elements >= int64(q.nodeSize) }

// inSteps is that a reduction goes in steps. To share the work takes more chunks than there are where ranks
// share cores; a few ranks do not share it.
func inSteps(q *question) bool {
	alone := node.CombineAll
	if q.op == tool.Reduce {
		alone = 2
	}
	return inChunks(q) && (q.perCore <= 1 || q.ranks <= alone)
}

// combinedAtRoot is that one rank combines what all contribute, where ranks share cores.
func combinedAtRoot(q *question) bool {
	return q.perCore > 1 &&
		(!inSteps(q) || min(q.bytes, collseg.MaxData)*int64(q.ranks) <= int64(q.perCore)*atRootMost)
}

// withRoot is how gathers and scatters go beyond the memory of a node: each is the other the way round.
var withRoot = []rule{
	{by: tool.OverNodes, at: onNodes, form: evenForm, most: upTo(gatherLed), why: nodeWise},
	{by: tool.Straight, at: messages, least: 1<<10 + 1, why: "nobody passes long data on"},
	{by: tool.Straight, at: messages, when: few(4), why: "the root deals with few ranks by itself"},
	{by: tool.Straight, at: messages, form: unevenForm, why: ownSizes},
	{by: tool.Binomial, at: messages, form: evenForm, why: "few rounds of short data"},
}

// rules is the table. Of an operation's rules the first one counts that fits and suits.
var rules = [tool.Operations][]rule{
	tool.Barrier: {
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, why: everybody},
		{by: tool.NbcCells, at: onNodeNbc, why: nbcCells},
		{by: tool.OverNodes, at: onNodes, why: nodeWise},
		{by: tool.Dissemination, at: messages, why: distances},
	},
	tool.Bcast: {
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, orSingle: true, can: fitsCell, most: wholeUpTo(collseg.MaxData),
			why: oncePerRoot},
		{by: tool.Steps, at: onNode, orSingle: true, why: overlap},
		{by: tool.NbcCells, at: onNodeNbc, can: fitsPieces, most: (*question).inPieces, why: nbcCells},
		{by: tool.OverNodes, at: onNodes, why: nodeWise},
		{by: tool.Straight, at: messages, least: 16 << 10, can: oneNode, when: few(8), why: "all read from the root at the same time"},
		{by: tool.Binomial, at: messages, most: upTo(64<<10 - 1), why: noGaps},
		{by: tool.Binomial, at: messages, when: few(3), why: "there is hardly anybody to share the work"},
		{by: tool.Ring, at: messages, why: eachOnce},
	},
	tool.Gather: slices.Concat([]rule{
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, form: evenForm, orSingle: true, can: fitsCell,
			most: wholeUpTo(node.MaxGathered), why: everybody},
		{by: tool.Cells, at: onNode, form: unevenForm, orSingle: true, why: "all publish at once, or send what is longer than 64 KiB"},
		{by: tool.Steps, at: onNode, form: evenForm, orSingle: true, why: overlap},
		{by: tool.NbcCells, at: onNodeNbc, form: evenForm, can: fitsPieces, most: (*question).inPieces,
			why: nbcCells},
		{by: tool.NbcCells, at: onNodeNbc, form: unevenForm, why: nbcOrSend},
	}, withRoot),
	tool.Scatter: slices.Concat([]rule{
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, orSingle: true, can: spreads, most: together(maxSpread),
			why: oncePerRoot},
		{by: tool.Steps, at: onNode, orSingle: true, why: overlap},
		{by: tool.NbcCells, at: onNodeNbc, form: evenForm, can: spreadsWide, most: (*question).inPiecesEach,
			why: nbcCells},
		{by: tool.NbcCells, at: onNodeNbc, form: unevenForm, why: "the root publishes in a cell, or sends what does not fit"},
	}, withRoot),
	tool.Allgather: {
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, orSingle: true, can: fitsCell, most: upTo(node.MaxGathered),
			why: everybody},
		{by: tool.Steps, at: onNode, orSingle: true, why: overlap},
		{by: tool.NbcCells, at: onNodeNbc, form: evenForm, can: fitsPieces, why: nbcOrSend},
		{by: tool.NbcCells, at: onNodeNbc, form: unevenForm, why: nbcOrSend},
		{by: tool.OverNodes, at: onNodes, most: upTo(allgatherLed), why: nodeWise},
		{by: tool.Ring, at: onNodes, why: "it enters each node once, and keeps all ranks busy"},
		{by: tool.Straight, at: messages, form: evenForm, can: oneNode, when: func(q *question) bool {
			return q.bytes*int64(q.ranks) > 256<<10
		}, why: noChains},
		{by: tool.Doubling, at: messages, form: evenForm, can: powerOfTwo, most: together(256 << 10),
			why: noGaps},
		{by: tool.Bruck, at: messages, form: evenForm, most: together(16 << 10), why: "few rounds for any number of ranks"},
		{by: tool.Straight, at: messages, form: unevenForm, most: together(16 << 10), why: "one round of short data"},
		{by: tool.Straight, at: messages, form: unevenForm, when: oneNode, why: noChains},
		{by: tool.Ring, at: messages, why: eachOnce},
	},
	tool.Alltoall: {
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, can: spreads, most: together(maxSpread), why: everybody},
		{by: tool.Steps, at: onNode, orSingle: true, why: overlap},
		{by: tool.NbcCells, at: onNodeNbc, form: evenForm, can: spreadsWide, most: (*question).inPiecesEach,
			why: nbcCells},
		{by: tool.NbcCells, at: onNodeNbc, form: unevenForm, why: "all publish in cells, or send what does not fit"},
		{by: tool.OverNodes, at: onNodes, form: evenForm, most: upTo(alltoallLed), why: nodeWise},
		{by: tool.Pairwise, at: messages, least: 256 + 1, why: "each block goes straight to where it belongs"},
		{by: tool.Pairwise, at: messages, when: few(7), why: "few ranks have few messages"},
		{by: tool.Bruck, at: messages, form: evenForm, why: "few rounds of short blocks together"},
		{by: tool.Pairwise, at: messages, why: ownSizes},
	},
	tool.Reduce: {
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, can: fitsCell, most: together(maxCombined), why: "the root combines what all publish"},
		{by: tool.AtRoot, at: onNode, can: inChunks, when: combinedAtRoot, why: fewTurns},
		{by: tool.Steps, at: onNode, can: inSteps, orSingle: true, why: halves},
		{by: tool.NbcCells, at: onNodeNbc, can: fitsNbc, most: together(maxCombined),
			why: nbcCells},
		{by: tool.NbcCells, at: onNodeNbc, can: combinesPieces, most: (*question).combinedInPieces,
			why: fewCombine},
		{by: tool.Halving, at: messages, can: divides, least: reduceLong, why: halves},
		{by: tool.OverNodes, at: onNodes, why: nodeWise},
		{by: tool.Binomial, at: messages, why: noGaps},
	},
	tool.Allreduce: {
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, can: fitsCell, most: together(maxCombined), why: "each rank combines what all publish"},
		{by: tool.AtRoot, at: onNode, can: inChunks, when: combinedAtRoot, why: fewTurns},
		{by: tool.Steps, at: onNode, can: inSteps, orSingle: true, why: halves},
		{by: tool.NbcCells, at: onNodeNbc, can: fitsNbc, most: together(maxCombined),
			why: nbcCells},
		{by: tool.NbcCells, at: onNodeNbc, can: combinesPieces, most: (*question).combinedInPieces,
			why: fewCombine},
		{by: tool.Halving, at: messages, can: divides, least: reduceLong, why: halves},
		{by: tool.Rails, at: onNodes, can: onRails, least: railsLong, why: "all ranks of a node work, each on its share"},
		{by: tool.OverNodes, at: onNodes, why: nodeWise},
		{by: tool.Doubling, at: messages, why: noGaps},
	},
	tool.ReduceScatter: {
		{by: tool.Across, at: across, why: inGroups},
		{by: tool.Cells, at: onNode, can: fitsCell, most: upTo(maxReduceScattered), why: "each rank combines its share of what all publish"},
		{by: tool.Steps, at: onNode, can: inChunks, why: overlap},
		{by: tool.NbcCells, at: onNodeNbc, can: fitsNbc, most: upTo(fast.MaxNbcData), why: nbcCells},
		{by: tool.OverNodes, at: onNodes, why: nodeWise},
		{by: tool.Pairwise, at: messages, why: "each rank collects what it combines"},
	},
	tool.Scan:   scans,
	tool.Exscan: scans,
	tool.Neighbor: {
		{by: tool.NbcCells, at: onNodeNbc, why: nbcOrSend},
		{by: tool.Straight, at: messages, why: "neighbors send to each other"},
	},
}

// scans is for inclusive and exclusive scans.
var scans = []rule{
	{by: tool.Cells, at: onNode, can: fitsCell, most: together(maxCombined), why: "each rank combines what those below it publish"},
	{by: tool.Steps, at: onNode, can: inChunks, why: "each rank passes on what it and those below it come to"},
	{by: tool.NbcCells, at: onNodeNbc, can: fitsNbc, most: together(maxCombined), why: nbcCells},
	{by: tool.OverNodes, at: onNodes, why: nodeWise},
	{by: tool.Chain, at: messages, can: oneNode, least: 64 << 10, why: "pieces go from rank to rank, all at work at once"},
	{by: tool.Chain, at: messages, can: oneNode, when: few(8), why: "few ranks, of which nobody waits in vain for long"},
	{by: tool.Doubling, at: messages, why: distances},
}

// reduceLong is from where on the ranks share the work of a reduction by messages among them.
const reduceLong = 16 << 10
