package main

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// What datatype calls read and write through the program's pointers.

func (a intArray) at(i int) int64 {
	if a.wide {
		return loadInt64(a.addr + uintptr(i)*8)
	}
	return int64(loadInt32(a.addr + uintptr(i)*4))
}

// list is the first n numbers of the array.
func (a intArray) list(n int64) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = a.at(i)
	}
	return all
}

// typeArray is an array of datatype handles.
type typeArray uintptr

func (a typeArray) at(i int) uintptr { return loadWord(uintptr(a) + uintptr(i)*handleSize) }

func (a typeArray) set(i int, handle uintptr) { storeWord(uintptr(a)+uintptr(i)*handleSize, handle) }

// list is the types that the first n handles name.
func (a typeArray) list(name string, n int64) ([]*datatype.Type, error) {
	all := make([]*datatype.Type, n)
	for i := range all {
		h := loadWord(uintptr(a) + uintptr(i)*handleSize)
		if all[i] = lookupType(h); all[i] != nil {
			continue
		}
		if h == typeNull {
			return nil, mpierr.New(mpierr.ErrType, "%s[%d] is MPI_DATATYPE_NULL", name, i)
		}
		return nil, mpierr.New(mpierr.ErrType, "%s[%d]: handle %#x is not a datatype, or it has been freed", name, i, h)
	}
	return all, nil
}

func putType(addr, handle uintptr) { putAddress(addr, handle) }

// load is the type that the cell names.
func (c typeCell) load() (*datatype.Type, error) {
	h := loadWord(uintptr(c))
	if t := lookupType(h); t != nil {
		return t, nil
	}
	if h == typeNull {
		return nil, mpierr.New(mpierr.ErrType, "datatype is MPI_DATATYPE_NULL")
	}
	return nil, badHandle(mpierr.ErrType, "datatype", h, "a datatype")
}

// countCell is a number that a call reads and writes: an int, or an int64 when wide.
type countCell struct {
	addr uintptr
	wide bool
}

func (c countCell) load() int64   { return intArray(c).at(0) }
func (c countCell) store(v int64) { putCount(c.addr, v, c.wide) }

// statusCell is a status that a call changes.
type statusCell uintptr

func (c statusCell) load() request.Status    { return getStatus(uintptr(c)) }
func (c statusCell) store(st request.Status) { putStatus(uintptr(c), &st) }
