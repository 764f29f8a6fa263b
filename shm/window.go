package shm

// What the ranks of a one-sided window share beside its memory: an extent that begins with a header page, followed by
// one block per rank in the order of the window's group. Byte offsets in the header:
const (
	WinLeft   = 0 // uint32 ranks that have left the window for good. Written by all ranks
	WinHeader = PageSize
)

// Block of one rank, its owner. A word stands at a distance from words of other writers.
const (
	WinFence   = 0    // uint32 fences that the owner has entered. Written by the owner, read by all
	WinOwing   = 8    // uint64 ranks for which the owner has errands under way as it enters that fence. Written by the owner, before WinFence
	WinCarried = 64   // uint32 fences before whose end the owner has carried out what others want of it. Written by the owner, read by all
	WinTicket  = 128  // uint32 next ticket of the owner's lock. Written by origins
	WinWrite   = 132  // uint32 ticket that may be held exclusively (TicketLock). Written by origins
	WinRead    = 136  // uint32 ticket that may be held in common (TicketLock). Written by origins
	WinGuard   = 256  // uint32 lock of accumulates that the processor has no instruction for. Written by origins
	WinVersion = 384  // uint32 odd while the owner changes its table of attached memory. Written by the owner
	WinRegions = 388  // uint32 entries of the table. Written by the owner
	WinState   = 512  // uint32 futex: what the owner's mailbox holds. Written by origins and the owner
	WinDoor    = 640  // uint32 lock of the mailbox. Written by origins
	WinBulk    = 768  // uint32 1 while the holder of the guard combines elements without atomic instructions. Written by that one, read by all origins
	WinCallers = 896  // uint64 ranks that have errands for the owner, by their rank in the window. Written by origins, each once
	WinPairs   = 1024 // one line of WinPairSize bytes per rank of the group, then the turns
)

// Line of a rank in the block of another one. Written by that rank, read by the owner of the block.
const (
	PairPosted    = 0 // uint32 exposures of the rank's memory to the owner (MPI_Win_post)
	PairCompleted = 4 // uint32 accesses to the owner's memory that the rank has ended (MPI_Win_complete)
	PairBusy      = 8 // uint32 threads of the rank that change elements of the owner by atomic instructions. Pairs with WinBulk
	WinPairSize   = CacheLine
)

// WinRankSize is the size in bytes of a rank's block in a window of n ranks. Behind the lines of the other ranks stand
// the turns of its lock: uint32 node rank + 1 of the holder of each ticket, by ticket modulo WinTurns.
func WinRankSize(n int) uintptr {
	return (WinTurnsOffset(n) + uintptr(WinTurns(n))*4 + FalseShare - 1) &^ (FalseShare - 1)
}

// WinTurnsOffset is where the turns stand in a rank's block.
func WinTurnsOffset(n int) uintptr { return WinPairs + uintptr(n)*WinPairSize }

// WinTurns is the number of turns: a power of two, so that tickets may run over, and no less than the ranks that can
// wait at once.
func WinTurns(n int) uint32 {
	turns := uint32(1)
	for turns < uint32(n) {
		turns <<= 1
	}
	return turns
}

// WinControlSize is the size in bytes of header and blocks, a multiple of PageSize.
func WinControlSize(n int) int64 {
	return (WinHeader + int64(n)*int64(WinRankSize(n)) + PageSize - 1) &^ (PageSize - 1)
}

// Epochs in which this rank may access a target, in Target.Open. 0 is none.
const (
	OpenFence     = 1 + iota // between fences
	OpenStart                // between MPI_Win_start and MPI_Win_complete
	OpenShared               // the target is locked, with others
	OpenExclusive            // the target is locked by this rank alone
	OpenAll                  // MPI_Win_lock_all
	OpenUnchecked            // the target is locked with MPI_MODE_NOCHECK: there is no lock to give back
)

// BulkLeast is how many elements an accumulate has at least for which nobody is to use atomic instructions meanwhile: one of
// fewer elements takes less time with them than the keeping away does.
const BulkLeast = 64

// What a window is open for, in Window.Mode.
const (
	ModeNone  = iota
	ModeFence // between fences; nothing may have been done yet
	ModeStart // MPI_Win_start
	ModeLock  // Window.Locked targets are locked
	ModeAll   // MPI_Win_lock_all
)

// Ways of an operation to the target's memory, in Window.Operations.
const (
	PathMapped  = iota // by loads and stores: it is mapped here
	PathKernel         // by copies of the kernel
	PathErrand         // by errands
	PathHelper         // by the target's helper
	PathPackets        // by packets, to ranks with which there is no memory in common
	Paths
)

// Window is what this rank knows of a window, as far as the C stubs need it to carry out simple operations without a
// call into Go. It stands outside Go's heap and is private to the process. The stubs' view of it (capi/zz_window.h) is
// generated from these definitions.
type Window struct {
	Handle  uintptr // by which the program knows the window; 0 when it is gone
	Me, N   uint32  // rank in the window's group, its size
	Mode    uint32  // see ModeNone; of the access epoch
	Issued  uint32  // 1 when an operation has been carried out since the last fence
	Locked  uint32  // targets that are locked, in ModeLock
	Single  uint32  // 1 when one thread at a time calls: the stubs may synchronize
	Plain   uint32  // 1 when the stubs may also lock and fence: besides, nothing is exposed, and Locks
	Locks   uint32  // 1 unless Go wants to see all locks and fences, to compare them with what the program has promised
	Posted  uint32  // 1 while this rank's memory is exposed (MPI_Win_post)
	Turns   uint32  // turns of each lock, less one
	Nodes   uint32  // node ranks, whose bells stand behind Target.Bells
	Fences  uint32  // that this rank has entered
	Entered uint32  // 1 when a stub has entered a fence and left the waiting to Go
	Pending uint32  // 1 when errands may be under way
	Hosts   uint32  // 1 when other ranks may have errands for this one: it had better wait in Go, which carries them out
	Callers *uint64 // WinCallers of this rank if Hosts, nil otherwise
	Lazy    uint32  // ModeFence: 1 when the others may not have entered the last fence yet
	Targets *Target
	Started *uint32 // ranks of the access epoch, in ModeStart
	Exposed *uint32 // ranks of the exposure epoch
	Starts  uint32  // how many
	Exposes uint32

	Asked     uint64 // group of the present call of MPI_Win_post or MPI_Win_start, as the stub names it (gompi_group_key); 0 when it does not
	StartedBy uint64 // group that Started was made from, and Exposed; 0 when the stubs do not know it
	ExposedBy uint64

	Folds     uint32  // 1 when the ranks end what they want of each other in fences (WinOwing), 0 when there is no third one or no such thing
	Guard     *uint32 // WinGuard of this rank
	Touchable uint32  // 1 when all of this rank's private memory is known to be there: the stubs may carry out errands in it

	Operations [Paths]uint64 // of this rank, by the way to the target's memory
	Moved      [Paths]uint64 // bytes of that memory that they were about

	Base   uintptr // what the window's predefined attributes point to (MPI 5.0, 12.2.6)
	Size   int64
	Unit   int32
	Flavor int32
	Model  int32
}

// Target is one rank of a window's group.
type Target struct {
	Open   uint32    // 0 when this rank may not access the target now; see OpenFence
	Atomic uint32    // 1 when accumulates use the processor's atomic instructions
	Base   uintptr   // where the target's memory is mapped here; 0 when only Go can reach it
	Size   uint64    // bytes
	Unit   int64     // bytes per displacement
	Lock   *uint32   // TicketLock
	Turn   *uint32   // its turns
	Bells  uintptr   // RankSleeping of node rank 0; those of the others follow at RankStride
	Bulk   *uint32   // WinBulk of the target
	Fence  *uint32   // WinFence of the target
	Bell   *uint32   // RankSleeping of the target
	Own    *uint32   // this rank's line in the target's block: PairPosted, PairCompleted and PairBusy
	Line   *uint32   // the target's line in this rank's block
	Seen   [2]uint32 // of each of the two: how many this rank has waited for

	Errands uintptr // this rank's ring of errands for the target; 0 when there is none
	Remote  uintptr // where the target's memory begins in its own address space
	Inside  *uint32 // RankInside of the target
	Sent    uint32  // number of the last errand for the target
	Done    uint32  // and of the last one of which this rank knows that it is done
	Skip    uint32  // operations that go other ways before errands are tried again
	Shy     uint32  // as many, the last time that the target did not come
	Away    uint32  // 1 when it did not wait inside MPI then: as soon as it does, errands are tried again
	Naps    uint32  // operations that have found the target asleep since it was last woken
	Doze    uint32  // as many may go by until it is woken again
	Owed    uint32  // 1 when a stub has sent an errand and left the waiting to Go
	Late    uint32  // 1 when errands are only for what the target may do when it ends the epoch: where ranks share cores

	Calls uintptr // the target's ring of errands for this rank
	Next  uint32  // number of the next one
}
