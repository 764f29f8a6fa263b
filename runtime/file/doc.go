// Package file is input and output (MPI 5.0, chapter 14): files opened by a group, views, and the data
// accesses. It knows communicators, datatypes and the operating system's files; handles, error handlers and
// functions of the user's are above.
//
// # The way of an access
//
// An access is a buffer in memory, an offset in the stream of bytes that the view shows, and a direction.
// Where the data lies in one run of the file it is one pread or pwrite (flat.go), or a copy to or from pages
// of the file (near.go). Otherwise the file is
// mapped and the datatype engine moves the data straight between the buffer and the pages of the file
// (mapped.go): the page cache is the buffer that all ranks of the node share, so nothing is exchanged,
// nothing is read in order to be written back, and no byte in a gap is touched. Where the file cannot be
// mapped, or a mapped access fails half-way, the same bytes go by system calls (pieces.go), which find out
// exactly what is wrong. Ranks of a collective access then collect small interleaved pieces in memory that
// they share (twophase.go).
//
// # What ranks have in common
//
// The ranks of a file share a few words (sharedmem.Memory): the shared file pointer, which an access advances
// by one fetch-and-add, and those of a barrier (barrier.go). The last rank to arrive there does what has to
// be done once.
//
// # Parts
//
// A File is made of parts that have their own state:
//
//	storage            one rank's reads and writes, with the pages of the file that it has mapped (windows)
//	fileBarrier        where ranks agree
//	aggregators        ranks that read and write for all, and their buffers
//	individualPointer  where this rank stands
//	sharedPointer      where all of them stand, and the offsets of ordered accesses
//	splitAccess        the split collective access that has begun
//	jobs               nonblocking accesses under way
//
// # Failure
//
// Collective calls end with a barrier at which failures are told: when an access fails on one rank, all ranks
// return an error, and none waits for ever. What had been written by then stays.
package file
