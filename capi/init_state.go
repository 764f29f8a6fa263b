package main

// #include <stdint.h>
// #include "init_state.h"
// #include "start.h"
// #include "thread.h"
import "C"

import (
	"runtime/debug"

	"gompi/capi/asm"
	"gompi/mpi"
)

// initState is the process (mpi.InitState). Strings for C are never freed: it gets few, most of them at the
// end.
type initState struct{}

// init_state.h numbers the stages like this.
var (
	_ = [1]struct{}{}[C.GOMPI_BEFORE-mpi.StageBefore]
	_ = [1]struct{}{}[C.GOMPI_ACTIVE-mpi.StageActive]
	_ = [1]struct{}{}[C.GOMPI_FINISHED-mpi.StageFinished]
)

func (initState) SetStage(s mpi.Stage) { C.gompi_set_stage(C.int(s)) }

func (initState) SetWorld(s mpi.Stage) {
	C.gompi_set_world(C.int(s))
}

func (initState) SetEndpoint(address uintptr) {
	C.gompi_set_main()
	C.gompi_set_endpoint(C.uintptr_t(address))
}

func (initState) Say(line string) { C.gompi_say(C.CString(line)) }

func (initState) LastWords(line string, code int) { C.gompi_last_words(C.CString(line), C.int(code)) }

func (initState) Exit(code int) { C.gompi_exit(C.int(code)) }

func (initState) OutliveDeaths() { C.gompi_outlive_deaths() }

func (initState) CalledFrom() uintptr { return uintptr(C.gompi_called_from()) }

func (initState) LibraryFile() string { return C.GoString(C.gompi_library_file()) }

// gompi_prepare_thread makes a fault in Go code of the calling thread a panic, and gives the program's
// signal handlers room: a handler without SA_ONSTACK runs on the stack of the goroutine that the thread is
// in. Stacks never shrink, as the library is linked with gcshrinkstackoff=1. C calls it once in each thread
// (capi/thread.c).
//
//export gompi_prepare_thread
func gompi_prepare_thread() {
	debug.SetPanicOnFault(true)
	asm.GrowStack()
}

// gompi_untimely is called for a function that is not legal before MPI_Init or after MPI_Finalize.
//
//export gompi_untimely
func gompi_untimely(name uintptr, finished int32) int32 { return mpi.Untimely(name, finished != 0) }

// gompi_bad_address is called by C functions that are given an address of the first page.
//
//export gompi_bad_address
func gompi_bad_address(name, argument, address uintptr) int32 {
	return mpi.RefuseAddress(name, argument, address)
}

// gompi_unsupported is what every function calls that is not written yet.
//
//export gompi_unsupported
func gompi_unsupported(name uintptr, object int32, handle uintptr) int32 {
	return mpi.Unsupported(name, object, handle)
}
