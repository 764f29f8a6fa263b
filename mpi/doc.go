// Package mpi is the functions of MPI in Go: handles become objects, arguments are checked, the operation is
// called, and errors go to the right handler. The operations (Send, CommDup, ...) stand in one file per
// chapter of the standard. What they mean is decided in the packages of runtime/.
//
// The exports of capi, which are generated from api/, make an Args for each call from C, check the arguments
// by its methods, and call the operation. Nothing here needs cgo: what only C can do is asked of a Host.
//
// Buffers and handles are uintptr throughout: they may be sentinels such as MPI_IN_PLACE (1) or
// MPI_COMM_WORLD (0x101), and the Go runtime ends the process when it finds such a value in a slot of pointer
// type.
package mpi
