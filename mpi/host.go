package mpi

import (
	"gompi/fabric"
	"gompi/runtime/boot"
)

// Host is what the library needs of C. capi gives it at the start.
type Host interface {
	InitState
	Callbacks
	Values
	Launchers
	Guards
	// OpenFabric is a fabric.Opener. PrepareFabric changes the environment as it will be wanted then.
	OpenFabric(fabric.Opening) (fabric.Opened, error)
	PrepareFabric()
}

// host is that of this process.
var host Host

// Use names the host, ahead of everything else.
func Use(h Host) { host = h }

// Stage is what the library may do at a moment of the process's life.
type Stage int

// The stages, with the values of capi/init_state.h.
const (
	StageBefore   Stage = 1 + iota // neither MPI nor a session is initialized
	StageActive                    // MPI or a session is
	StageFinished                  // MPI is finalized, and no session is there
)

// InitState is the process as C sees it.
type InitState interface {
	SetStage(s Stage)
	// SetWorld tells the stubs whether there is MPI_COMM_WORLD.
	SetWorld(s Stage)
	// SetEndpoint tells the stubs where the fast engine's endpoint is.
	SetEndpoint(address uintptr)
	// Say writes a line to stderr without touching any lock.
	Say(line string)
	// LastWords writes a line to stderr behind all that the program has written, and ends the process with
	// the code if that takes too long.
	LastWords(line string, code int)
	// Exit ends the process without more ado.
	Exit(code int)
	// OutliveDeaths has the process live on with SIGUSR1, by which hydra tells of a death, where the program
	// leaves that to the default action.
	OutliveDeaths()
	// CalledFrom is where the stub that the calling thread is in returns to.
	CalledFrom() uintptr
	// LibraryFile is the file that the library was loaded from, "" when it is not known.
	LibraryFile() string
}

// Launchers are those of which the library is a client by a library of theirs.
type Launchers interface {
	OpenPMIx(file string) (boot.PMIx, error)
}

// Values gives values of Go's a handle for C that is no integer of the standard's.
type Values interface {
	Save(v any) uintptr
	// Restore is the value behind a handle, nil when there is none.
	Restore(h uintptr) any
	Unref(h uintptr)
}

// AttributeResult is what a function of an attribute key did.
type AttributeResult struct {
	Asked  bool // nothing yet: the stub has to call it first
	Code   int32
	Copied uintptr
	Flag   bool
}

// Caller is who has called the library.
type Caller struct {
	Table    uintptr // of the callers of its functions (callers.h); 0 for C
	Integers bool    // values of attributes are integers to it, and no pointers
}

// Function is a function of the program's: its address, and the table of callers that it is called by.
type Function struct{ Addr, By uintptr }

// Callbacks calls the program's functions, or notes them for the stub.
type Callbacks interface {
	Caller() Caller
	CopyAttribute(f Function, handle uintptr, keyval int, extra, value uintptr) AttributeResult
	DeleteAttribute(f Function, handle uintptr, keyval int, value, extra uintptr) AttributeResult
	// CloseCallbacks says that the operation under way cannot be started again.
	CloseCallbacks()
	// SetHandler has the stub call an error handler at the end of the call.
	SetHandler(function, handle uintptr, code int32)
	Reduce(function, in, inout uintptr, count int, datatype uintptr)
	ReduceLarge(function, in, inout uintptr, count int64, datatype uintptr)
	DatarepExtent(f Function, datatype, extra uintptr) (extent int64, code int)
	// DatarepConvert calls a conversion function; a wide one takes an MPI_Count.
	DatarepConvert(f Function, wide bool, buf, datatype uintptr, count int64, file,
		extra uintptr) (code int)
	// QueryRequest also returns the words of the status.
	QueryRequest(f Function, extra uintptr) (status [8]int32, code int32)
	FreeRequest(f Function, extra uintptr) (code int32)
	CancelRequest(f Function, extra uintptr, complete bool) (code int32)
	// Follow calls a function that goes along with an operation.
	Follow(function, arg uintptr, what int)
	TellEvent(function, instance, registration, userData uintptr)
	TellDropped(function uintptr, count int64, registration, userData uintptr)
	TellFreed(function, registration, userData uintptr)
}
