package mpi

import (
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

// Arguments that mean something at the root of a collective call alone. What is wrong with them the root has
// to tell the others, who wait for it.

// RootText is a string by its name in the call and its address.
type RootText struct {
	Name string
	Addr uintptr
}

// get is the string. Preconditions: this rank is the root.
func (t RootText) get() (s string, err error) {
	defer guard(mpierr.ErrArg, t.Name, &err)
	var a Args
	return a.Text(t.Name, t.Addr), a.Err
}

// RootInfo is an info object by its name in the call and its handle.
type RootInfo struct {
	Name   string
	Handle uintptr
}

// get is the info object, nil for MPI_INFO_NULL. Preconditions: this rank is the root.
func (i RootInfo) get() (*info.Info, error) {
	var a Args
	return a.Info(i.Name, i.Handle), a.Err
}
