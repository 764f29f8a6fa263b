package fast

import "gompi/shm"

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

// arena is memory outside of Go's heap that records point to. It comes in pieces, which are used again.
type arena struct {
	lock      shm.Mutex
	next, end uintptr               // what is left of the last block
	free      [arenaClasses]uintptr // the first piece of each size that nobody uses; it holds the next one
}

// Pieces are powers of two in size, from 1 << arenaLeast bytes on. Larger ones are mapped by themselves.
const (
	arenaLeast   = 6
	arenaClasses = 11
	arenaBlock   = 1 << 18
)
