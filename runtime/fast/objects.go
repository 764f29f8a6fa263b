package fast

import "sync/atomic"

// What a handle names is a record: a struct outside of Go's heap, which C and Go both read. The records of a
// kind stand in chunks, which are made when they are needed and never move, at the index that the handle has.
// A record begins with the handle, generation included, so a freed handle names nothing.
//
// Whoever makes a record fills it in and writes the handle last, with release order. So those who read it
// take no lock. They find the handle first, with acquire order.

// The shape of handles but those of requests (mpi/handle.go).
const (
	ObjectBits = 18 // of the index
	ChunkBits  = 8  // of the index in a chunk
	Chunks     = 1 << (ObjectBits - ChunkBits)

	objectMask = 1<<ObjectBits - 1
	chunkMask  = 1<<ChunkBits - 1
)

// FirstObject is the lowest index of an object that the program makes. The index of a predefined object is
// its handle.
const FirstObject = 4096

// Objects is the records of all kinds, by the index that a handle has, and what is known of predefined ones.
type Objects struct {
	Comms      [Chunks]*Comm
	Windows    [Chunks]*Win
	Groups     [Chunks]*Group
	Operations [Chunks]*Op
	Infos      [Chunks]*Info
	Datatypes
	NumericTable
	Keyvals
	Errhandlers
	Files
	Retired uint64 // handle of the object that C has freed last; the others follow by Next. 0: none
	// of the free records of each kind, the handle that the next object is to have; above, how often it has
	// changed
	Prepared    [kinds]uint64
	FreedGroups uint64  // how many groups have been freed
	Parent      uintptr // what MPI_Comm_get_parent says as long as it is a communicator; 0 for none
	Facts       Facts
	Codes
	Combining
	arena arena
}

// arena is memory outside of Go's heap that records point to.
type arena struct {
	lock uint32 // see acquire
	pieces
}

// acquire takes the lock, which is 0 while it is free, 1 while it is held, and 2 while somebody may sleep
// besides.
func (a *arena) acquire() {
	if !atomic.CompareAndSwapUint32(&a.lock, 0, 1) {
		for atomic.SwapUint32(&a.lock, 2) != 0 {
			futexWait(&a.lock, 2)
		}
	}
	acquired()
}

// unlock gives the lock back.
func (a *arena) unlock() {
	releasing()
	if atomic.SwapUint32(&a.lock, 0) == 2 {
		futexWake(&a.lock)
	}
}

// piece is memory for n bytes, which holds anything; 0 where Go has to see whether there is any.
func (a *arena) piece(n uint64) uintptr {
	if n > mostPiece {
		return 0
	}
	class := pieceClass(uint32(n))
	a.acquire()
	at := a.take(class)
	a.unlock()
	return at
}

// putPiece gives a piece of n bytes back; 0 is none.
func (a *arena) putPiece(at uintptr, n uint64) {
	if at != 0 {
		class := pieceClass(uint32(n))
		a.acquire()
		a.give(class, at)
		a.unlock()
	}
}

// pieces is memory that is handed out in pieces, which are used again. A piece is a power of two in size,
// from leastPiece to mostPiece bytes; the first class of sizes is 0.
type pieces struct {
	next, end uintptr               // what is left of the last block
	free      [pieceClasses]uintptr // the first free piece of each size; it holds the next one
}

const (
	leastPiece   = 1 << 6
	pieceClasses = 11
	mostPiece    = leastPiece << (pieceClasses - 1)
	pieceBlock   = 1 << 18
)

// pieceClass is the class of pieces for n bytes, n at most mostPiece.
func pieceClass(n uint32) uint32 {
	class := uint32(0)
	for size := uint32(leastPiece); size < n; size *= 2 {
		class++
	}
	return class
}

// take is a piece of a class; 0 when there has to be another block.
func (p *pieces) take(class uint32) uintptr {
	at := p.free[class]
	if at != 0 {
		p.free[class] = *wordAt(at)
		return at
	}
	size := uintptr(leastPiece) * uintptr(bit(class))
	at = p.next
	if p.end-at < size {
		return 0
	}
	p.next += size
	return at
}

// give takes a piece back.
func (p *pieces) give(class uint32, at uintptr) {
	*wordAt(at) = p.free[class]
	p.free[class] = at
}
