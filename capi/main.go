// Package main is libgompi.so: the C functions of MPI over the packages of runtime/. C stubs call the
// exported Go functions with numbers only; these turn handles into objects, check the arguments, call the
// operation, and send errors to the right handler. The operations (mpiSend, ...) stand in one file per
// chapter of the standard; stubs and exports are generated from api/. No meaning of MPI is decided here, and
// nothing of cgo exists below.
//
// Buffers and handles are uintptr throughout: they may be sentinels such as MPI_IN_PLACE (1) or
// MPI_COMM_WORLD (0x101), and the Go runtime ends the process when it finds such a value in a slot of pointer
// type.
package main

// #cgo CFLAGS: -I${SRCDIR}/../include -O2 -fexceptions -Wall -Wextra -Wno-unused-parameter
// #include "start.h"
import "C"

import _ "gompi/capi/asm" // the constructor

//go:generate go run gompi/internal/apigen ..
//go:generate go run gompi/internal/fastgen ../runtime/fast zz_fast.h

// The constructor jumps to gompi_start, which the linker knows by this mention.
var _ = C.gompi_constructor(C.gompi_start)

func init() {
	Use(struct {
		life
		cards
		callbacks
	}{})
}

// main is never called; the build mode c-shared wants it.
func main() {}
