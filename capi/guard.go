package main

// #include "guard.h"
import "C"

import "gompi/mpi"

// guards is mpi.Guards.
type guards struct{}

// guard.h numbers the uses like this.
var (
	_ = [1]struct{}{}[C.GOMPI_UNUSED-mpi.Unused]
	_ = [1]struct{}{}[C.GOMPI_USED-mpi.Used]
	_ = [1]struct{}{}[C.GOMPI_READ-mpi.Read]
	_ = [1]struct{}{}[C.GOMPI_WRITTEN-mpi.Written]
)

func (guards) Guard(lo, hi uintptr) int { return int(C.gompi_guard(C.uintptr_t(lo), C.uintptr_t(hi))) }

func (guards) Unguard(guard int) (mpi.Usage, uintptr) {
	var at C.uintptr_t
	how := C.gompi_unguard(C.int(guard), &at)
	return mpi.Usage(how), uintptr(at)
}

func (guards) GuardsHit() uint32 { return uint32(C.gompi_guards_hit()) }
