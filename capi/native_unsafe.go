package main

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
