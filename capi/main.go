// Package main is libgompi.so: the C functions of MPI over package mpi. C stubs call the exported Go
// functions with numbers only; these check the arguments and call the operation. Stubs and exports are
// generated from api/. By hand stands what has to be C or cgo: how the library comes up and ends, threads,
// fork, the fast paths of the stubs, and calls of the program's functions (mpi.Host).
//
// Buffers and handles are uintptr throughout, as package mpi says.
package main

// #cgo CFLAGS: -O2 -fexceptions -Wall -Wextra -Wno-unused-parameter
// #include "start.h"
import "C"

import (
	_ "gompi/capi/asm" // the constructor
	"gompi/fabric"
	"gompi/fabric/libfabric"
	"gompi/mpi"
	"gompi/native"
	"gompi/pmix"
	"gompi/runtime/boot"
)

//go:generate go run gompi/internal/apigen ..
//go:generate go run gompi/internal/fastgen ../runtime/fast zz_fast.h

// The constructor jumps to gompi_start, which the linker knows by this mention.
var _ = C.gompi_constructor(C.gompi_start)

// launchers are other rooms with C (mpi.Launchers).
type launchers struct{}

func (launchers) OpenPMIx(file string) (boot.PMIx, error) {
	p, err := pmix.Open(file)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// init must not do more: it runs in every program that loads the library.
func init() {
	native.Use(functions)
	mpi.Use(struct {
		initState
		callbacks
		values
		launchers
		fabrics
		guards
	}{})
}

// fabrics opens networks, by the C of libfabric.
type fabrics struct{}

// OpenFabric implements mpi.Host.
func (fabrics) OpenFabric(o fabric.Opening) (fabric.Opened, error) { return libfabric.Connect(o) }

// PrepareFabric implements mpi.Host.
func (fabrics) PrepareFabric() { libfabric.Prepare() }

// main is never called; the build mode c-shared wants it.
func main() {}
