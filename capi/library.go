package main

import (
	"sync/atomic"

	mpi "gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
)

// library is the state of the one MPI process that this library is in; nil before MPI_Init. It stays after
// MPI_Finalize, so that a call that comes too late finds who it is.
var library atomic.Pointer[state]

type state struct {
	process *mpi.Process
	job     *boot.Job
	level   int // thread level that MPI_Init_thread granted
	main    int // thread id of the thread that initialized MPI

	finalized bool // guarded by starting
}

// engine carries out all messages of this process. Preconditions: MPI is initialized.
func engine() *p2p.Engine { return library.Load().process.Engine }

// self is MPI_COMM_SELF as the holder of an error handler, nil before MPI_Init.
func self() *object.Base {
	if l := library.Load(); l != nil {
		return &l.process.Self.Base
	}
	return nil
}

// ownerOf finds the communicator that owns a message context, for errors of requests; nil when it is gone.
func ownerOf(context uint32) *object.Base {
	if c := registry().Of(context); c != nil {
		return &c.Base
	}
	return nil
}
