package mpi

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// What datatype calls read and write through the program's pointers.

func (a IntArray) at(i int) int64 {
	if a.Wide {
		return loadInt64(a.Addr + uintptr(i)*8)
	}
	return int64(loadInt32(a.Addr + uintptr(i)*4))
}

// few is room for the numbers that most calls have, so that they need no memory.
type few [16]int64

// list is the first n numbers of the array, in the room if there is enough.
func (a IntArray) list(room *few, n int64) []int64 {
	all := room[:0]
	if n > int64(len(room)) {
		all = make([]int64, 0, n)
	}
	for i := range n {
		all = append(all, a.at(int(i)))
	}
	return all
}

// TypeArray is an array of datatype handles.
type TypeArray uintptr

func (a TypeArray) at(i int) uintptr { return LoadWord(uintptr(a) + uintptr(i)*handleSize) }

func (a TypeArray) set(i int, handle uintptr) { StoreWord(uintptr(a)+uintptr(i)*handleSize, handle) }

// list is the types that the first n handles name.
func (a TypeArray) list(name string, n int64) ([]*datatype.Type, error) {
	all := make([]*datatype.Type, n)
	for i := range all {
		h := LoadWord(uintptr(a) + uintptr(i)*handleSize)
		if all[i] = lookupType(h); all[i] != nil {
			continue
		}
		if h == TypeNull {
			return nil, mpierr.New(mpierr.ErrType, "%s[%d] is MPI_DATATYPE_NULL", name, i)
		}
		return nil, mpierr.New(mpierr.ErrType, "%s[%d]: handle %#x is not a datatype, or it has been freed", name, i, h)
	}
	return all, nil
}

func PutType(addr, handle uintptr) { PutAddress(addr, handle) }

// load is the type that the cell names.
func (c TypeCell) load() (*datatype.Type, error) {
	h := LoadWord(uintptr(c))
	if t := lookupType(h); t != nil {
		return t, nil
	}
	if h == TypeNull {
		return nil, mpierr.New(mpierr.ErrType, "datatype is MPI_DATATYPE_NULL")
	}
	return nil, badHandle(mpierr.ErrType, "datatype", h, "a datatype")
}

// CountCell is a number that a call reads and writes: an int, or an int64 when wide.
type CountCell struct {
	Addr uintptr
	Wide bool
}

func (c CountCell) load() int64   { return IntArray(c).at(0) }
func (c CountCell) store(v int64) { PutCount(c.Addr, v, c.Wide) }

// StatusCell is a status that a call changes.
type StatusCell uintptr

func (c StatusCell) load() request.Status    { return getStatus(uintptr(c)) }
func (c StatusCell) store(st request.Status) { PutStatus(uintptr(c), &st) }
