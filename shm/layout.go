package shm

// The job segment, one per job and node. All ranks of the node map the same memfd; it is sparse, so a page
// costs memory only once somebody touches it. Byte offsets from the start of the segment:
//
//	0                     job header, one page
//	RanksOffset           one rank block of RankStride bytes per rank of the node, in node-rank order
//	PairsOffset           one pair block of PairStride bytes per ordered pair, receiver-major: (receiver*n
//	                      + sender)
//	AreaOffset            one area of AreaStride bytes per rank, for the long payloads that it sends
//	ChunkAreaOffset       one area of ChunkAreaStride bytes per rank, for its long data in collectives
//	CollBlockOffset       one coll block of CollBlockSize bytes for the collectives of each of up to
//	                      MaxCollBlocks communicators, MPI_COMM_WORLD's first: a coll segment of CollStride
//	                      bytes per rank, for operations that block, and behind these a segment of
//	                      NbcStride bytes per rank, for those that do not
//	ReportOffset          ReportStride bytes per rank, in which it writes what it waits for, when asked
//
// All ranks map the header and the rank blocks (SegmentSize). A pair block is mapped by its two ranks when
// they first talk, and the area of the sender with it (pair_linux.go), a coll block when there is a
// communicator for it, and the chunk areas of all ranks at the start (coll_block_linux.go), so what a rank
// maps grows with what it uses. Reports are written and read through the descriptor (report_linux.go). Behind
// them are the allocations (allocation_linux.go).
//
// Every word that two processes share is named once, in the tables below, with who writes it, who reads it
// and what it pairs with; layout_test.go checks that no two words overlap and that words of different writers
// do not share a cache line.

// Sizes, in bytes.
const (
	CacheLine = 64
	// words of different writers stand this far apart: adjacent lines are prefetched in pairs
	FalseShare  = 128
	PageSize    = 4096
	HeaderSize  = PageSize
	RankStride  = PageSize
	RingSlots   = 32
	SlotSize    = CacheLine
	BulkSize    = 256 << 10 // payload area of a pair, for messages that do not fit in a slot
	AreaStride  = 4 << 20   // area of a rank, of which it uses as much as suits the caches
	PairStride  = PageSize + BulkSize
	Magic       = 0x67_6f_6d_70_69_00_00_0d // "gompi", layout version 13
	MaxNodeSize = 4096                      // ranks on one node
)

// Job header. Written by the launcher (or by the rank that made the segment) before any rank starts, except
// for the failure words.
const (
	HdrMagic      = 0   // uint64 Magic. Read by all ranks when they attach
	HdrRanks      = 8   // uint32 ranks on this node
	HdrSize       = 16  // uint64 size in bytes of what all ranks map: the header and the rank blocks
	HdrJob        = 24  // 16 random bytes that tell the job from all others
	HdrCollBlocks = 40  // uint32 coll blocks that the file has room for
	HdrEpoch      = 128 // uint32 failure epoch. Written by the launcher at each death, read in each wait
	HdrDeadRank   = 132 // int32 job rank that died first, -1 before. The launcher, ahead of HdrEpoch
	HdrStarted    = 136 // uint32 1 once the launcher has started all ranks; futex. Written by the launcher
	// uint32 one more than the exit code with which the first rank that failed ends, 0 when it has ended
	// without saying one. Written by that rank, ahead of HdrEpoch
	HdrExitCode = 140
	// uint32 whether the job uses the network between its machines (NetworkState). Written by the launcher
	HdrNetwork     = 144
	HdrBarrier     = 256 // uint32 arrivals at the start-up barrier. Written by all ranks
	HdrGate        = 384 // uint32 start-up barriers passed; futex. Written by the last to arrive
	HdrAllocations = 512 // uint64 where the next allocation begins. Written by all ranks (Reserve)
	HdrCards       = 640 // uint64 where the card table begins (cards.go). Written by node rank 0
	HdrCardsSize   = 648 // uint64 how many bytes they take. Written by node rank 0, ahead of HdrCards
	HdrAsked       = 768 // uint32 number of the last report that was asked for. Written by the launcher
	HdrRang        = 772 // uint32 number of the last for which all bells have rung. Written by the launcher
	// freedWords uint64: allocations to be used again (freed_linux.go). Written by all ranks
	HdrFreed = 896
	// CoreWords uint32, by processor modulo CoreWords: one more than the rank that waits there, 0 for nobody.
	// Written by all ranks, seldom
	HdrCores  = 1024
	CoreWords = 256
	// bitmap of the job's ranks that have failed, where the job goes on without them, to the end of the page.
	// Written by the launcher, or by the ranks that watch each other, ahead of HdrEpoch
	HdrFailed = 2048
)

// Rank block. "Owner" is the rank whose block it is.
const (
	// uint32 futex: not 0 while the owner sleeps or is about to (Bell). Written by owner and peers
	RankSleeping = 0
	// uint64 when the owner was woken last, in ns of shm.Now. Written by those who wake it
	RankRung  = 8
	RankCalls = 128  // bitmap, one bit per node rank: "I send to you". Set by peers, cleared by the owner
	RankPid   = 1024 // int32 process id of the owner, 0 before it has attached. Written once by the owner
	// uint64 address in the owner's memory of a word that holds RankProbeVal. Written once
	RankProbe    = 1032
	RankProbeVal = 1040 // uint64 random value. Written once by the owner
	RankJobRank  = 1048 // int32 rank in the job. Written once by the owner
	// uint32 1 if the launcher keeps the owner's process id until no rank of its job is left. Written once by
	// the owner
	RankKept = 1052
	// uint32 process id of the owner, and the inode of the name space that it is of, for those who watch the
	// owner (runtime/boot). The process id is 0 before. Written once by the owner, the process id last
	RankProcess = 1056
	RankSpace   = 1060
	RankChunks  = 1064 // uint32 1 if the owner has mapped the chunk areas of all. Written once by the owner
	RankCores   = 1068 // uint32 how many processors the owner may use. Written once by the owner
	// uint64 a hash of the algorithms that the owner's user has chosen for collective operations, 0 before.
	// Written once by the owner
	RankPins = 1072
	// uint32 1 while the owner waits inside MPI, with sends under way or for active messages. Written by the
	// owner, read by peers as a hint
	RankInside = 1152
	// uint32 1 once the owner has left: the bridge, or in a job's segment MPI, to which it may come back.
	// Written by the owner, read by the others
	RankLeft     = 1156
	RankReported = 1280 // uint32 number of the last report that the owner has written. Written by the owner
	// uint32 how often calls of the owner have asked for something in vain, modulo 2^32. Written by the owner
	RankAsks = 1284
	// uint32 futex: summons of the owner's progress thread for windows. Written by origins and the owner,
	// seldom
	RankSummons = 1408
	// MaxGauges uint64: addresses in the owner's memory of words that count (gauges_linux.go), 0 for none.
	// Written once by the owner
	RankGauges = 1536
	MaxGauges  = 32
	// The owner's card (cards.go): uint32 one more than its bytes, 0 before it is there; then up to MaxCard
	// bytes. Written once by the owner
	RankCard     = 2048
	RankCardData = 2056
	MaxCard      = 512
)

// Pair block: the ring from one sender to one receiver.
const (
	PairConsumed = 0 // uint32 slots that the receiver has emptied, modulo 2^32. Written by the receiver
	// uint32 one more than the size in bytes from which on the receiver wants messages announced, 0 for none.
	// Written by the receiver, read by the sender with PairConsumed
	PairAnnounce = 4
	// uint32 1 once the receiver has mapped the sender's area. Written once by the receiver
	PairArea = 8
	// uint32 1 while the sender waits for room. Written by the sender, read by the receiver
	PairBlocked = 128
	PairShares  = 256 // Shares words of 64 bits, one per copy that both carry out. Written by both
	PairSlots   = 768 // RingSlots slots of SlotSize bytes. Written by the sender
	// uint64 how many bytes of the payload of a packet are there that was published early, above which stands
	// one more than its position. Written by the sender, read by the receiver
	PairGrown = PairSlots + RingSlots*SlotSize
	PairBulk  = PageSize
)

// Coll segment: where one rank publishes what it contributes to the blocking collectives of one communicator.
// Written by its owner, read by its peers.
const (
	CollRanks       = 64  // ranks of a communicator that has some
	CollDone        = 0   // uint64 operations that the owner is done with
	CollRoutes      = 64  // uint64 by which ways long data goes where the owner decides that
	CollCells       = 128 // CollCellCount cells of CellSize bytes
	CollCellCount   = 128
	CellSize        = CacheLine
	CollSteps       = 3 * PageSize // CollStepCount slots of StepSize bytes, for what goes in steps
	CollStepCount   = 64
	StepSize        = CacheLine
	CollPayload     = 4 * PageSize // CollPayloadSize bytes for data that does not fit into a cell
	CollPayloadSize = 256 << 10
	// Chunks of this communicator alone, where the chunk area of the owner has no room: CollChunkCount of
	// CollChunkSize bytes, or where ranks share cores CollWideCount of CollWideSize
	CollChunks     = CollPayload + CollPayloadSize + 3*CacheLine
	CollChunkCount = 4
	CollChunkSize  = 32 << 10
	CollWideCount  = 2
	CollWideSize   = 1<<20 + PageSize
	CollStride     = CollPayload + CollPayloadSize + PageSize + CollWideCount*CollWideSize

	// In a cell:
	CellNumber = 0 // uint64 number of the operation. Written last
	// uint64 size of the data in bytes, and what it is (CellInPayload, CellPipelined, CellPointers)
	CellLength = 8
	CellData   = 16 // the data if it is short, aligned for every C type; otherwise:
	CellWhere  = 16 // uint64 offset in CollPayload
	CellInline = CellSize - CellData

	// In the slot of a step:
	StepNumber  = 0  // uint64 number of the step. Written last
	StepBytes   = 8  // uint64 what the owner says with it
	StepWhat    = 16 // uint64 what it is
	StepAddress = 24 // uint64 address of data in the owner's memory, in step 0
	// uint64 where the data stands: offset in the chunk area of the owner, or ChunkAreaSize more than that in
	// CollChunks, NbcChunks or NbcWide
	StepWhere = 32

	// In CellLength:
	CellMessage   = 1 << (CellShift + 3) // the data comes as a message
	CellInPayload = 1 << (CellShift + 2) // the data stands in CollPayload
	CellPipelined = 1 << (CellShift + 1) // the data is published in steps or pieces, in the chunks
	CellPointers  = 1 << CellShift       // the data is a table of addresses in the owner's memory
	CellShift     = 60
	CellBytes     = CellPointers - 1
)

// Chunk area of a rank: chunks of whole units, of which it uses as many as suits the caches, for all
// communicators. Written by its owner, read by its peers.
const (
	ChunkAreaData   = 3 * CacheLine // where the first unit begins
	ChunkAreaSize   = 4 << 20
	ChunkUnits      = ChunkAreaSize / CollChunkSize
	ChunkAreaStride = ChunkAreaSize + PageSize
)

// Segment for nonblocking collectives, likewise: rings of cells. Ring 0 is for nonblocking operations, each
// other one for one persistent operation. Written by its owner, read by its peers.
const (
	NbcDone = 0 // NbcRings words of 64 bits: operations of each ring that the owner is done with
	// uint32 1 while the owner waits for room in a cell. Read by those who are done with something
	NbcBlocked = 256
	// uint64 for each cell: how many pieces the owner has read in the operation of that number, which stands
	// above bit NbcReadShift
	NbcReads           = 512
	NbcReadShift       = 16
	NbcCells           = 1152 // the cells of all rings, of NbcCellSize bytes
	NbcRings           = 1 + 31
	NbcCellCount       = 16                   // cells of ring 0
	NbcPersistentCells = 2                    // cells of the others
	NbcCellSize        = 16<<10 + 3*CacheLine // cells begin in different sets of the caches
	// Chunks of ring 0, where the chunk area of the owner has no room: CollChunkCount of CollChunkSize bytes,
	// and one of CollWideSize
	NbcChunks = NbcCells + nbcCells*NbcCellSize
	NbcWide   = NbcChunks + CollChunkCount*CollChunkSize
	NbcStride = (NbcWide + CollWideSize + PageSize - 1) / PageSize * PageSize
	nbcCells  = NbcCellCount + (NbcRings-1)*NbcPersistentCells

	// In a cell of NbcCells whose data is published in pieces:
	PieceCount  = CellData     // uint64 how many there are. Written last
	PiecePlaces = CellData + 8 // uint64 for each: where its chunk stands, as StepWhere says it
	MostPieces  = (NbcCellSize - PiecePlaces) / 8
)

// RanksOffset is where the rank blocks begin.
const RanksOffset = HeaderSize

// RankOffset is where the block of node rank r begins.
func RankOffset(r int) uintptr { return RanksOffset + uintptr(r)*RankStride }

// PairOffset is where the ring of a sender to a receiver begins, both node ranks, on a node of n ranks.
func PairOffset(n, receiver, sender int) uintptr {
	return RankOffset(n) + uintptr(receiver*n+sender)*PairStride
}

// AreaOffset is where the area of node rank r begins, on a node of n ranks.
func AreaOffset(n, r int) uintptr { return PairOffset(n, n, 0) + uintptr(r)*AreaStride }

// ChunkAreaOffset is where the chunk area of node rank r begins, on a node of n ranks.
func ChunkAreaOffset(n, r int) uintptr { return AreaOffset(n, n) + uintptr(r)*ChunkAreaStride }

// MaxCollBlocks is how many communicators can have coll segments at a time, at most: Segment.CollBlocks.
const MaxCollBlocks = 4096

// CollBlockSize is the size in bytes of a coll block, on a node of n ranks.
func CollBlockSize(n int) int64 { return int64(n) * (CollStride + NbcStride) }

// CollBlockOffset is where a coll block begins, on a node of n ranks.
func CollBlockOffset(n, block int) int64 {
	return int64(ChunkAreaOffset(n, n)) + int64(block)*CollBlockSize(n)
}

// ReportStride is the room for the report of one rank in bytes.
const ReportStride = 16 << 10

// ReportOffset is where the report of node rank r stands, on a node of n ranks with so many coll blocks.
func ReportOffset(n, blocks, r int) int64 { return CollBlockOffset(n, blocks) + int64(r)*ReportStride }

// CollOffset is where the coll segment of node rank r begins in a coll block.
func CollOffset(r int) uintptr { return uintptr(r) * CollStride }

// NbcOffset is where the segment of node rank r for nonblocking collectives begins in a coll block, on a node
// of n ranks.
func NbcOffset(n, r int) uintptr { return CollOffset(n) + uintptr(r)*NbcStride }

// SegmentSize is the size in bytes of what all ranks of a node with n ranks map.
func SegmentSize(n int) int64 { return int64(RankOffset(n)) }
