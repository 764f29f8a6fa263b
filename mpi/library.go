package mpi

import (
	"os"
	"sync"
	"sync/atomic"

	core "gompi/runtime"
	"gompi/runtime/boot"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/p2p/partitioned"
	"gompi/runtime/tool"
)

// library is the state of the one MPI process that this library is in; nil before the first MPI_Init or
// MPI_Session_init. It stays after the end, so that a call that comes too late finds who it is.
var library atomic.Pointer[state]

type state struct {
	process  *core.Process
	job      *boot.Job
	level    int // thread level that was granted when it was set up
	main     int // thread id of the thread that did so
	settings tool.Settings

	// handle of the intercommunicator with those who had this job started; 0 when nobody did
	parent   uintptr
	world    worldStage  // guarded by starting
	sessions int         // open ones; guarded by starting
	opened   uint32      // sessions ever opened; guarded by starting
	open     atomic.Bool // world is worldOpen
}

// worldStage says whether there is MPI_COMM_WORLD (MPI 5.0, 11.2).
type worldStage uint8

// The stages of the World Model.
const (
	worldBefore worldStage = iota
	worldOpen
	worldFinished
)

// engine carries out all messages of this process. Preconditions: MPI is initialized.
func engine() *p2p.Engine { return library.Load().process.Engine }

// buffers are the buffers that the program has attached. Preconditions: MPI is initialized.
func buffers() *buffered.Buffers { return library.Load().process.Buffers }

// partitioning has the partitioned operations of this process. Preconditions: MPI is initialized.
func partitioning() *partitioned.Space { return library.Load().process.Partitions }

// self is what hears of errors that belong to no other object: MPI_COMM_SELF where there is one, otherwise
// the initial error handler (MPI 5.0, 9.3).
func self() *object.Base {
	if l := library.Load(); l != nil && l.open.Load() {
		return &l.process.Self.Base
	}
	return initial()
}

// initial holds the error handler that was chosen when the program was started.
var initial = sync.OnceValue(func() *object.Base {
	b := &object.Base{Kind: object.Comm, Origin: "MPI_Init"}
	if s, err := tool.Read(os.Getenv); err == nil {
		b.SetErrhandler(object.Errhandler{Mode: map[string]object.Mode{
			tool.ErrorsAreFatal: object.Fatal, tool.ErrorsAbort: object.Abort,
			tool.ErrorsReturn: object.Return,
		}[s.Errhandler]})
	}
	return b
})

// ownerOf finds the communicator that owns a message context, for errors of requests; nil when it is gone.
func ownerOf(context uint32) *object.Base {
	if c := registry().Of(context); c != nil {
		return &c.Base
	}
	return nil
}
