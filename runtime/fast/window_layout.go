package fast

import "gompi/shm"

// What the ranks of a window share beside its memory: an allocation that begins with a header page,
// followed by one block per rank in the order of the window's group. Byte offsets in the header:
const (
	WindowLeft   = 0 // uint32 ranks that have left the window for good. Written by all ranks
	WindowHeader = shm.PageSize
)

// Block of one rank, its owner: words at these offsets, and who writes them. A word stands at a distance
// from words of other writers.
const (
	BlockFence = 0 // uint32 fences that the owner has entered. Owner
	// uint64 ranks that have not done what the owner asked for. Owner, ahead of BlockFence
	BlockOwing   = 8
	BlockCarried = 64   // uint32 the last fence for which the owner has carried out all. Owner
	BlockTicket  = 128  // uint32 next ticket of the owner's lock. Written by origins
	BlockWrite   = 132  // uint32 ticket that may be held exclusively (lock.go). Written by origins
	BlockRead    = 136  // uint32 ticket that may be held in common (lock.go). Written by origins
	BlockGuard   = 256  // uint32 lock of accumulates without atomic instructions. Origins
	BlockVersion = 384  // uint32 odd while the owner changes its table of attached memory. Owner
	BlockRegions = 388  // uint32 entries of the table. Written by the owner
	BlockBulk    = 768  // uint32 1 while atomic instructions have to keep away. Holder of the guard
	BlockCallers = 896  // uint64 classes of ranks that send the owner active messages. Origins, each once
	BlockLines   = 1024 // one line of LineSize bytes per rank of the group, then the turns
)

// Line of a rank in the block of another one, in words. Written by that rank, read by the owner of the block.
const (
	LinePosted    = 0 // exposures of the rank's memory to the owner (MPI_Win_post)
	LineCompleted = 1 // accesses to the owner's memory that the rank has ended (MPI_Win_complete)
	LineBusy      = 2 // threads of the rank in atomic instructions there. Pairs with BlockBulk
	LineSize      = shm.CacheLine
)

// MostCallers is the number of classes of ranks, which are bits of a word: the rank modulo this. It
// bounds the ranks of windows that have active messages though the kernel copies as well, as the
// rings take memory by its square.
const MostCallers = 64

// word is a word of the target's block.
func (t *Target) word(offset uintptr) *uint32 { return shm.Word32(t.Block + offset) }

// line is the line of rank r in the target's block.
func (t *Target) line(r uint32) *uint32 { return t.word(BlockLines + uintptr(r)*LineSize) }

// own is this rank's own block.
func (w *Window) own() *Target { return w.Target(w.Me) }
