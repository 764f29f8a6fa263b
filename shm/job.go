package shm

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// CreateJob makes the segment of a job with n ranks on this node and writes its header.
func CreateJob(n int) (*Segment, error) {
	if n < 1 || n > MaxNodeSize {
		return nil, fmt.Errorf("%d ranks on one node: from 1 to %d are possible", n, MaxNodeSize)
	}
	return createHeaded(n, collBlocksWithin(n, fileLimit()))
}

// collBlocksWithin is how many coll blocks a job of n ranks has when its file may have limit bytes: of what
// is left behind the first one they get a quarter, so that windows find room as well.
func collBlocksWithin(n int, limit uint64) int {
	rest := max(int64(min(limit, math.MaxInt64))-ReportOffset(n, 1, n), 0)
	return int(min(1+rest/4/CollBlockSize(n), MaxCollBlocks))
}

// createHeaded makes a segment that n processes share, with its header: that of a job, or of a bridge, which
// has no coll blocks.
func createHeaded(n, collBlocks int) (*Segment, error) {
	s, err := Create(SegmentSize(n))
	if err != nil {
		return nil, err
	}
	whole := ReportOffset(n, collBlocks, n)
	if err := s.extend(whole); err != nil {
		s.Close()
		return nil, err
	}
	*Word32(s.Base + HdrRanks) = uint32(n)
	*Word64(s.Base + HdrSize) = uint64(s.Size)
	*Word32(s.Base + HdrCollBlocks) = uint32(collBlocks)
	*Word32(s.Base + HdrDeadRank) = math.MaxUint32
	*Word64(s.Base + HdrAllocations) = uint64(whole)
	if err := Random(Bytes(s.Base+HdrJob, JobIDSize)); err != nil {
		s.Close()
		return nil, err
	}
	atomic.StoreUint64(Word64(s.Base+HdrMagic), Magic)
	return s, nil
}

// CheckJob reports whether s is the segment of a job with n ranks on this node, made by the same layout.
func CheckJob(s *Segment, n int) error {
	if s.Size < HeaderSize || atomic.LoadUint64(Word64(s.Base+HdrMagic)) != Magic {
		return fmt.Errorf("the shared segment has another layout: launcher and library are of different versions")
	}
	if got := int(*Word32(s.Base + HdrRanks)); got != n || s.Size != SegmentSize(n) {
		return fmt.Errorf("the shared segment is for %d ranks, this node has %d", got, n)
	}
	return nil
}

// Epoch is the failure epoch: 0 while all ranks live.
func Epoch(s *Segment) uint32 { return atomic.LoadUint32(Word32(s.Base + HdrEpoch)) }

// DeadRank is the job rank that died first, -1 when none has.
func DeadRank(s *Segment) int { return int(int32(atomic.LoadUint32(Word32(s.Base + HdrDeadRank)))) }

// MarkDead tells all ranks of the node that the given job rank is dead and wakes those that sleep. It may be
// called by any process that has the segment, more than once.
func MarkDead(s *Segment, jobRank int) {
	NameDead(s, jobRank)
	Alarm(s)
}

// Alarm moves the failure epoch and ends every sleep: what is said of deaths has changed.
func Alarm(s *Segment) {
	atomic.AddUint32(Word32(s.Base+HdrEpoch), 1) // pairs with the load in every wait loop
	Rouse(s)
	FutexWake(Word32(s.Base+HdrGate), math.MaxInt32)
	FutexWake(Word32(s.Base+HdrStarted), math.MaxInt32)
}

// Rouse ends every sleep of the ranks: something has changed that they look at when they wake.
func Rouse(s *Segment) {
	for r := range s.Ranks() {
		BellOf(s, r).Wake()
	}
}

// NameDead notes which rank has died first, ahead of MarkDead, and reports whether it is this one. Who has
// named it tells the user.
func NameDead(s *Segment, jobRank int) (first bool) {
	return atomic.CompareAndSwapUint32(Word32(s.Base+HdrDeadRank), math.MaxUint32, uint32(jobRank))
}

// SetExitCode notes the exit code with which this process is about to end the job, unless another one has
// noted its own. It goes ahead of MarkDead.
func SetExitCode(s *Segment, code uint8) {
	atomic.CompareAndSwapUint32(Word32(s.Base+HdrExitCode), 0, uint32(code)+1)
}

// ExitCode is the code that SetExitCode has noted; ok is false when the job lives, or a rank has died
// without a word.
func ExitCode(s *Segment) (code int, ok bool) {
	word := atomic.LoadUint32(Word32(s.Base + HdrExitCode))
	return int(word&0x1ff) - 1, word != 0
}

// SetStarted notes that the launcher has started all ranks, and lets those go on who wait for that.
func SetStarted(s *Segment) {
	atomic.StoreUint32(Word32(s.Base+HdrStarted), 1) // pairs with AwaitStart
	FutexWake(Word32(s.Base+HdrStarted), math.MaxInt32)
}

// startNap bounds each sleep in AwaitStart, as a guard against faults outside the protocol.
const startNap = time.Second

// AwaitStart waits until all ranks have been started, or one has died. A rank that computed meanwhile would
// take the processor from those that are still to come.
func AwaitStart(s *Segment) {
	word := Word32(s.Base + HdrStarted)
	for atomic.LoadUint32(word) == 0 && !Broken(s) {
		FutexWait(word, 0, startNap)
	}
}
