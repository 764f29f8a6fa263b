package main

import "C"

import (
	"unsafe"

	"github.com/mattn/go-pointer"
)

// values are Go values behind C's void * (mpi.Values).
type values struct{}

func (values) Save(v any) uintptr { return uintptr(pointer.Save(v)) }

func (values) Restore(h uintptr) any { return pointer.Restore(unsafe.Add(nil, h)) }

func (values) Unref(h uintptr) { pointer.Unref(unsafe.Add(nil, h)) }
