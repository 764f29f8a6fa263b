package main

import (
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
)

// Arguments that mean something at the root of a collective call alone. What is wrong with them the root has
// to tell the others, who wait for it.

// rootText is a string by its name in the call and its address.
type rootText struct {
	name string
	addr uintptr
}

// get is the string. Preconditions: this rank is the root.
func (t rootText) get() (s string, err error) {
	defer guard(mpierr.ErrArg, t.name, &err)
	var a args
	return a.text(t.name, t.addr), a.err
}

// rootInfo is an info object by its name in the call and its handle.
type rootInfo struct {
	name   string
	handle uintptr
}

// get is the info object, nil for MPI_INFO_NULL. Preconditions: this rank is the root.
func (i rootInfo) get() (*info.Info, error) {
	var a args
	return a.info(i.name, i.handle), a.err
}
