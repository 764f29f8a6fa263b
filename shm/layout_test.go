package shm

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// word is one entry of the layout table.
type word struct {
	name     string
	at, size uintptr
	writer   string // processes that write it at different times in a job's life; "once" before anybody reads
}

var blocks = map[string][]word{
	"header": {
		{"HdrMagic", HdrMagic, 8, "once"},
		{"HdrRanks", HdrRanks, 4, "once"},
		{"HdrSize", HdrSize, 8, "once"},
		{"HdrJob", HdrJob, JobIDSize, "once"},
		{"HdrCollBlocks", HdrCollBlocks, 4, "once"},
		{"HdrEpoch", HdrEpoch, 4, "launcher"},
		{"HdrDeadRank", HdrDeadRank, 4, "launcher"},
		{"HdrStarted", HdrStarted, 4, "launcher"},
		{"HdrExitCode", HdrExitCode, 4, "launcher"},
		{"HdrBarrier", HdrBarrier, 4, "arrivals"},
		{"HdrGate", HdrGate, 4, "last arrival"},
		{"HdrAllocations", HdrAllocations, 8, "all"},
		{"HdrNetwork", HdrNetwork, 4, "launcher"},
		{"HdrCards", HdrCards, 8, "node rank 0"},
		{"HdrCardsSize", HdrCardsSize, 8, "node rank 0"},
		{"HdrAsked", HdrAsked, 4, "launcher"},
		{"HdrRang", HdrRang, 4, "launcher"},
		{"HdrFreed", HdrFreed, 8 * freedWords, "all"},
		{"HdrCores", HdrCores, 4 * CoreWords, "all"},
	},
	"rank": {
		{"RankSleeping", RankSleeping, 4, "owner and peers"},
		{"RankRung", RankRung, 8, "owner and peers"},
		{"RankCalls", RankCalls, MaxNodeSize / 8, "peers"},
		{"RankPid", RankPid, 4, "owner once"},
		{"RankProbe", RankProbe, 8, "owner once"},
		{"RankProbeVal", RankProbeVal, 8, "owner once"},
		{"RankJobRank", RankJobRank, 4, "owner once"},
		{"RankKept", RankKept, 4, "owner once"},
		{"RankProcess", RankProcess, 4, "owner once"},
		{"RankSpace", RankSpace, 4, "owner once"},
		{"RankCores", RankCores, 4, "owner once"},
		{"RankChunks", RankChunks, 4, "owner once"},
		{"RankPins", RankPins, 8, "owner once"},
		{"RankGauges", RankGauges, 8 * MaxGauges, "owner once"},
		{"RankCard", RankCard, 4, "owner once"},
		{"RankCardData", RankCardData, MaxCard, "owner once"},
		{"RankInside", RankInside, 4, "owner"},
		{"RankLeft", RankLeft, 4, "owner"},
		{"RankReported", RankReported, 4, "owner"},
		{"RankAsks", RankAsks, 4, "owner"},
		{"RankSummons", RankSummons, 4, "origins and owner"},
	},
	"coll segment": {
		{"CollDone", CollDone, 8, "owner"},
		{"CollRoutes", CollRoutes, 8, "owner"},
		{"CollCells", CollCells, CollCellCount * CellSize, "owner"},
		{"CollSteps", CollSteps, CollStepCount * StepSize, "owner"},
		{"CollPayload", CollPayload, CollPayloadSize, "owner"},
		{"CollChunks", CollChunks, max(CollChunkCount*CollChunkSize, CollWideCount*CollWideSize), "owner"},
	},
	"cell": {
		{"CellNumber", CellNumber, 8, "owner"},
		{"CellLength", CellLength, 8, "owner"},
		{"CellData", CellData, CellInline, "owner"},
	},
	"cell, data in payload": {
		{"CellNumber", CellNumber, 8, "owner"},
		{"CellLength", CellLength, 8, "owner"},
		{"CellWhere", CellWhere, 8, "owner"},
	},
	"step": {
		{"StepNumber", StepNumber, 8, "owner"},
		{"StepBytes", StepBytes, 8, "owner"},
		{"StepWhat", StepWhat, 8, "owner"},
		{"StepAddress", StepAddress, 8, "owner"},
		{"StepWhere", StepWhere, 8, "owner"},
	},
	"nonblocking cell": {
		{"CellNumber", CellNumber, 8, "owner"},
		{"CellLength", CellLength, 8, "owner"},
		{"CellData", CellData, NbcCellSize - CellData, "owner"},
	},
	"nonblocking cell, data in pieces": {
		{"CellNumber", CellNumber, 8, "owner"},
		{"CellLength", CellLength, 8, "owner"},
		{"PieceCount", PieceCount, 8, "owner"},
		{"PiecePlaces", PiecePlaces, MostPieces * 8, "owner"},
	},
	"nonblocking segment": {
		{"NbcDone", NbcDone, NbcRings * 8, "owner"},
		{"NbcBlocked", NbcBlocked, 4, "owner when short of room"},
		{"NbcReads", NbcReads, (NbcCellCount + (NbcRings-1)*NbcPersistentCells) * 8, "owner"},
		{"NbcCells", NbcCells, (NbcCellCount + (NbcRings-1)*NbcPersistentCells) * NbcCellSize, "owner"},
		{"NbcChunks", NbcChunks, CollChunkCount * CollChunkSize, "owner"},
		{"NbcWide", NbcWide, CollWideSize, "owner"},
	},
	"pair": {
		{"PairConsumed", PairConsumed, 4, "receiver"},
		{"PairAnnounce", PairAnnounce, 4, "receiver"},
		{"PairArea", PairArea, 4, "receiver"},
		{"PairBlocked", PairBlocked, 4, "sender when full"},
		{"PairShares", PairShares, Shares * 8, "both"},
		{"PairSlots", PairSlots, RingSlots * SlotSize, "sender"},
		{"PairGrown", PairGrown, 8, "sender"},
		{"PairBulk", PairBulk, BulkSize, "sender"},
	},
}

var blockSize = map[string]uintptr{"header": HeaderSize, "rank": RankStride, "pair": PairStride,
	"coll segment": CollStride, "cell": CellSize, "cell, data in payload": CellSize, "step": StepSize,
	"nonblocking segment": NbcStride, "nonblocking cell": NbcCellSize,
	"nonblocking cell, data in pieces": NbcCellSize}

func checkWords(t *testing.T, words []word, size uintptr, name string) {
	t.Helper()
	for i, w := range words {
		if w.at%min(w.size, 8) != 0 {
			t.Errorf("%s is not aligned", w.name)
		}
		if w.at+w.size > size {
			t.Errorf("%s reaches beyond its %s block", w.name, name)
		}
		for _, v := range words[:i] {
			if w.at < v.at+v.size && v.at < w.at+w.size {
				t.Errorf("%s and %s overlap", w.name, v.name)
			}
			sameLine := w.at/FalseShare == (v.at+v.size-1)/FalseShare ||
				v.at/FalseShare == (w.at+w.size-1)/FalseShare
			if sameLine && w.writer != v.writer {
				t.Errorf("%s and %s have different writers (%s, %s) and share a pair of cache lines", w.name, v.name, w.writer, v.writer)
			}
		}
	}
}

func TestLayout(t *testing.T) {
	for name, words := range blocks {
		checkWords(t, words, blockSize[name], name)
	}
	if PairOffset(3, 0, 0)%PageSize != 0 || RankOffset(5)%PageSize != 0 {
		t.Error("blocks do not begin on a page")
	}
	if PairOffset(3, 2, 2)+PairStride != AreaOffset(3, 0) || PairOffset(3, 0, 0) != uintptr(SegmentSize(3)) {
		t.Error("the pair blocks are not what is between the end of what all ranks map and the first area")
	}
	if AreaOffset(3, 2)+AreaStride != ChunkAreaOffset(3, 0) || AreaOffset(3, 1)%PageSize != 0 {
		t.Error("the areas are not what is between the last pair block and the first chunk area")
	}
	if ChunkAreaOffset(3, 2)+ChunkAreaStride != uintptr(CollBlockOffset(3, 0)) ||
		ChunkAreaOffset(3, 1)%PageSize != 0 || ChunkAreaData+ChunkAreaSize > ChunkAreaStride {
		t.Error("the chunk areas are not what is between the last area and the first coll block")
	}
	if CollOffset(2)+CollStride != NbcOffset(3, 0) || NbcOffset(3, 2)+NbcStride != uintptr(CollBlockSize(3)) {
		t.Error("coll segments do not fill a coll block")
	}
	if CollBlockOffset(3, 1)%PageSize != 0 || CollOffset(1)%PageSize != 0 || NbcOffset(3, 1)%PageSize != 0 {
		t.Error("coll segments do not begin on a page")
	}
}

func TestJobSegment(t *testing.T) {
	s, err := CreateJob(3)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := CheckJob(s, 3); err != nil {
		t.Error(err)
	}
	if CheckJob(s, 4) == nil {
		t.Error("a segment for 3 ranks passes for one for 4")
	}
	if Epoch(s) != 0 || DeadRank(s) != -1 {
		t.Error("a new job has a dead rank")
	}
	MarkDead(s, 2)
	MarkDead(s, 1)
	if Epoch(s) != 2 || DeadRank(s) != 2 {
		t.Errorf("epoch %d, dead rank %d", Epoch(s), DeadRank(s))
	}
	for _, n := range []int{0, -1, MaxNodeSize + 1} {
		if _, err := CreateJob(n); err == nil {
			t.Errorf("CreateJob(%d) succeeds", n)
		}
	}
}

// Where files may not be large, there are fewer coll blocks, and at least the first one.
func TestCollBlocksWithin(t *testing.T) {
	for n := range 70 {
		n++
		first := uint64(CollBlockOffset(n, 1))
		for _, limit := range []uint64{0, 1 << 20, first, 1 << 30, 1 << 40, 1<<64 - 1} {
			blocks := collBlocksWithin(n, limit)
			if end := uint64(CollBlockOffset(n, blocks)); blocks < 1 || blocks > MaxCollBlocks ||
				blocks > 1 && end > limit {
				t.Errorf("a job of %d ranks has %d coll blocks where files may have %d bytes", n, blocks, limit)
			}
		}
		if collBlocksWithin(n, 1<<64-1) != MaxCollBlocks {
			t.Errorf("a job of %d ranks has %d coll blocks without a limit", n, collBlocksWithin(n, 1<<64-1))
		}
	}
	if at := CollBlockOffset(MaxNodeSize, MaxCollBlocks); at < 0 || at > 1<<60 {
		t.Errorf("the last coll block of the largest job ends at %d", at)
	}
}

// A segment of many ranks is large but costs no memory before somebody uses it.
func TestOpenForeignDescriptor(t *testing.T) {
	for _, fd := range []int{-1, 0, 12345} {
		if s, err := Open(fd); err == nil {
			s.CloseFD()
			t.Errorf("descriptor %d passes for a segment", fd)
		}
	}
}

// TestBellInC compares where C notes when a bell was rung with the layout.
func TestBellInC(t *testing.T) {
	header, err := os.ReadFile("bell.h")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("BELL_RUNG = %d ", RankRung-RankSleeping); !strings.Contains(string(header), want) {
		t.Errorf("bell.h does not say %q", want)
	}
}
