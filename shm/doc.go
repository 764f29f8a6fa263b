// Package shm is mechanism without MPI: memory segments that processes share, the rings in them, the
// doorbells on which a process sleeps, single copy between address spaces, and the few instructions that Go
// has no words for (release stores, PAUSE, fast copies). It must not know what a rank, a tag or a
// communicator means beyond "number of a process on this node".
//
// Files are split by kind of danger: *_unsafe.go holds every pointer cast, *_linux.go every system call, *.s
// the assembly leaves, each with a plain Go twin.
package shm
