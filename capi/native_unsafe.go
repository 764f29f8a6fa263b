package main

// #include "callback.h"
// #include "fast.h"
// #include "native.h"
import "C"

import (
	"unsafe"

	"gompi/native"
)

// functions are those in C that Go calls.
var functions = native.Library{
	Kernels:  unsafe.Pointer(&C.fast_kernels),
	Combine:  unsafe.Pointer(C.gompi_combine),
	CopyRuns: unsafe.Pointer(C.gompi_copy_runs),
}

// CloseCallbacks implements mpi.Callbacks.
func (callbacks) CloseCallbacks() { native.Call(unsafe.Pointer(C.gompi_close_callbacks), nil) }
