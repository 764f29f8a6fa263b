package shm

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"
)

// A bridge is the segment through which processes of different jobs talk: laid out like a job's for the
// processes of both sides, but for the areas. Of the pairs only those across are used. The members of a
// bridge are numbered like node ranks. Their doorbells are those of their own jobs, so that a process sleeps
// in one place whatever it is connected with.

// CreateBridge makes a bridge of n processes.
func CreateBridge(n int) (*Segment, error) {
	if n < 2 || n > MaxNodeSize {
		return nil, fmt.Errorf("a bridge of %d processes: from 2 to %d are possible", n, MaxNodeSize)
	}
	return createHeaded(n, 0)
}

// OpenBridge maps the bridge of n processes behind a descriptor, which it then owns.
func OpenBridge(fd, n int) (*Segment, error) {
	s, err := Open(fd)
	if err != nil {
		return nil, err
	}
	if atomic.LoadUint64(Word64(s.Base+HdrMagic)) != Magic || s.Size != SegmentSize(n) {
		s.Close()
		return nil, fmt.Errorf("the descriptor received is not that of a bridge of %d processes", n)
	}
	return s, nil
}

// JobIDSize is the number of bytes of a JobID.
const JobIDSize = 16

// JobID tells a job, or a bridge, from all others.
type JobID [JobIDSize]byte

// ID is that of the job whose segment it is.
func (s *Segment) ID() JobID { return JobID(Bytes(s.Base+HdrJob, JobIDSize)) }

// SetID gives the segment the ID that the job has on another machine. One process of the node does so, before
// the others use the ID.
func SetID(s *Segment, id JobID) { copy(Bytes(s.Base+HdrJob, JobIDSize), id[:]) }

// ErrOtherKind says that a descriptor is one of something else than what it should be.
var ErrOtherKind = errors.New("it is of another kind")

// OpenJob maps the header and the rank blocks of the segment of another job behind a descriptor, which it
// then owns: what one needs to wake its processes and to hear of their death. Shared allocations of it can be
// mapped as well.
func OpenJob(fd int) (*Segment, error) {
	fd = MoveUp(fd)
	h, err := openPart(fd, HeaderSize)
	if err != nil {
		return nil, err
	}
	n := int(*Word32(h.Base + HdrRanks))
	if atomic.LoadUint64(Word64(h.Base+HdrMagic)) != Magic || n < 1 || n > MaxNodeSize {
		h.Close()
		return nil, fmt.Errorf("the descriptor received is not that of a job, or of one with another version of the library: %w", ErrOtherKind)
	}
	Unmap(h.Base, h.Size)
	s, err := openPart(fd, int64(RankOffset(n)))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Ranks is the number of ranks that the segment is for, no more than it has room for: every process that has
// mapped the segment can write to its header.
func (s *Segment) Ranks() int {
	return int(min(int64(*Word32(s.Base + HdrRanks)), (s.Size-HeaderSize)/RankStride))
}

// Attach says that a member has entered the bridge: from then on the lock reports whether it lives. Pairs
// with Attached.
func Attach(s *Segment, member int) {
	atomic.StoreUint32(Word32(s.Base+RankOffset(member)+RankPid), uint32(os.Getpid()))
}

// Attached is the process id of a member of a bridge, 0 when it has not entered yet.
func Attached(s *Segment, member int) int {
	return int(atomic.LoadUint32(Word32(s.Base + RankOffset(member) + RankPid)))
}

// What RankLeft says.
const (
	hasLeft   = 1
	isLeaving = 2
)

// Leave says that a member uses the bridge no longer, or that a rank has left MPI. Pairs with Left.
func Leave(s *Segment, member int) {
	atomic.StoreUint32(Word32(s.Base+RankOffset(member)+RankLeft), hasLeft)
}

// Linger says that a member of a bridge uses it no longer but to answer what others ask over it. Leave
// follows. Pairs with Left and Departed.
func Linger(s *Segment, member int) {
	atomic.StoreUint32(Word32(s.Base+RankOffset(member)+RankLeft), isLeaving)
}

// Left reports whether a member has left, or is about to.
func Left(s *Segment, member int) bool {
	return atomic.LoadUint32(Word32(s.Base+RankOffset(member)+RankLeft)) != 0
}

// Departed reports whether a member has left, and answers no more.
func Departed(s *Segment, member int) bool {
	return atomic.LoadUint32(Word32(s.Base+RankOffset(member)+RankLeft)) == hasLeft
}

// Reenter says that a rank that had left MPI begins it again.
func Reenter(s *Segment, rank int) {
	atomic.StoreUint32(Word32(s.Base+RankOffset(rank)+RankLeft), 0)
}

// MarkLost tells the members of a bridge that one has died without leaving, or hears the others no more, and
// wakes none of them: their bells are elsewhere.
func MarkLost(s *Segment, member int) {
	atomic.OrUint64(failedWord(s, member/64), 1<<(member%64))
	atomic.CompareAndSwapUint32(Word32(s.Base+HdrDeadRank), math.MaxUint32, uint32(member))
	atomic.AddUint32(Word32(s.Base+HdrEpoch), 1) // pairs with the load in every wait loop
}

// IsLost reports whether MarkLost has named a member of a bridge.
func IsLost(s *Segment, member int) bool { return HasFailed(s, member) }
