package mpi

import (
	"strings"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// The memory of arguments is tried ahead of the operation, so that a bad address is found while nothing has
// been done and nothing is locked, and the error names the argument.

// readable tries to read the memory of an argument.
func (a *Args) readable(name string, addr uintptr) {
	if a.Err == nil {
		a.tried = name
		touch(addr)
		a.tried = ""
	}
}

// writable tries to write the memory of an argument, which keeps its content.
func (a *Args) writable(name string, addr uintptr) {
	if a.Err == nil {
		a.tried = name
		touchForWriting(addr)
		a.tried = ""
	}
}

// Argument is an address that the operation interprets, so that it cannot be tried ahead of it.
type Argument struct {
	Name  string
	Addr  uintptr
	Class mpierr.Class // of the error that it is bad
}

// blamed is the argument that an address belongs to at which there is no memory.
func (a *Args) blamed(addr uintptr) (string, mpierr.Class) {
	const near = 1 << 20 // further behind its begin an array hardly ends
	if buffer, _, ok := strings.Cut(a.tried, " "); ok {
		return buffer, mpierr.ErrBuffer
	}
	if a.tried != "" {
		return a.tried, a.argument()
	}
	best := Argument{Class: mpierr.ErrBuffer}
	for _, l := range a.Later {
		if l.Addr <= addr && addr-l.Addr < near && l.Addr >= best.Addr {
			best = l
		}
	}
	if best.Class == mpierr.ErrArg {
		best.Class = a.argument()
	}
	return best.Name, best.Class
}

// Result checks the address of a result.
func (a *Args) Result(name string, addr uintptr) {
	if addr == 0 {
		a.null(name)
	} else {
		a.writable(name, addr)
	}
}

// Cell checks the address of a variable that the call reads, and may write.
func (a *Args) Cell(name string, addr uintptr) {
	if addr == 0 {
		a.null(name)
	} else {
		a.readable(name, addr)
	}
}

// ResultOrNull is result where NULL says that the program does not want it.
func (a *Args) ResultOrNull(name string, addr uintptr) {
	if addr != 0 {
		a.writable(name, addr)
	}
	if a.noted != nil && addr != 0 && name == "status" {
		a.noted.writes(name, addr, statusSize)
	}
}

// CellOrNull is cell where NULL says that there is no variable.
func (a *Args) CellOrNull(name string, addr uintptr) {
	if addr != 0 {
		a.readable(name, addr)
	}
}

// Array checks the address of an array of n elements of size bytes that the call reads: its begin, its end,
// and whether there is memory for what the library makes of it.
func (a *Args) Array(name string, addr uintptr, n int64, size uintptr) {
	if n <= 0 {
		return
	}
	if n > datatype.MostBytes/int64(size) {
		a.wrong(mpierr.ErrCount, "%s has %d elements, more than fit into an address space", name, n)
	}
	a.Cell(name, addr)
	if last := uintptr(n-1) * size; last >= lowest && a.Err == nil {
		a.readable(name, addr+last)
		a.afford(n)
	}
}

// perElement is how many bytes the library may need for an element of an array of arguments.
const perElement = 64

func (a *Args) afford(n int64) {
	if err := shm.Afford(n * perElement); err != nil && a.Err == nil {
		a.Err = mpierr.Memory(err)
	}
}

// affordable panics with a *shm.NoMemory where there is no memory for n elements.
func affordable(n int64) {
	if err := shm.Afford(n * perElement); err != nil {
		panic(err)
	}
}

// Results checks the address of an array of n elements that the call writes.
func (a *Args) Results(name string, addr uintptr, n int64) {
	if n > 0 {
		a.Result(name, addr)
	}
}

// Room checks the address of room for results, and that of the variable that says how much there is; either
// may be NULL.
func (a *Args) Room(name string, addr uintptr, lengthName string, length uintptr) {
	if a.CellOrNull(lengthName, length); a.Err == nil && length != 0 && addr != 0 && loadInt32(length) > 0 {
		a.writable(name, addr)
	}
}

// Statuses checks the address of an array of n statuses that the call writes.
func (a *Args) Statuses(name string, addr uintptr, n int64) {
	if n > 0 {
		a.ResultOrNull(name, addr)
	}
	if a.noted != nil && n > 0 && addr != 0 {
		a.noted.writes(name, addr, n*statusSize)
	}
}

func (a *Args) null(name string) { a.wrong(a.argument(), "%s is NULL", name) }

// argument is the class of errors of arguments that have no class of their own.
func (a *Args) argument() mpierr.Class {
	if isTool(a.Name) {
		return mpierr.TErrInvalid
	}
	return mpierr.ErrArg
}

// guard is deferred by functions that read arguments on the root's behalf, or after the checks: a bad address
// of the argument becomes their error.
func guard(class mpierr.Class, name string, err *error) {
	p := recover()
	if p == nil {
		return
	}
	if *err = misfortune(p, func(uintptr) (string, mpierr.Class) { return name, class }); *err == nil {
		panic(p)
	}
}

// guard is the same for functions that check several arguments.
func (a *Args) guard(err *error) {
	p := recover()
	if p == nil {
		return
	}
	if *err = misfortune(p, a.blamed); *err == nil {
		panic(p)
	}
}

// reach tries the first and the last of n bytes of an argument.
func reach(class mpierr.Class, name string, addr uintptr, n int64, try func(uintptr)) (err error) {
	if n <= 0 {
		return nil
	}
	defer guard(class, name, &err)
	try(addr)
	try(addr + uintptr(n) - 1)
	return nil
}
