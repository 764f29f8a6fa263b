package main

import (
	"strings"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// The memory of arguments is tried ahead of the operation, so that a bad address is found while nothing has
// been done and nothing is locked, and the error names the argument.

// readable tries to read the memory of an argument.
func (a *args) readable(name string, addr uintptr) {
	if a.err == nil {
		a.tried = name
		touch(addr)
		a.tried = ""
	}
}

// writable tries to write the memory of an argument, which keeps its content.
func (a *args) writable(name string, addr uintptr) {
	if a.err == nil {
		a.tried = name
		touchForWriting(addr)
		a.tried = ""
	}
}

// argument is an address that the operation interprets, so that it cannot be tried ahead of it.
type argument struct {
	name  string
	addr  uintptr
	class mpierr.Class // of the error that it is bad
}

// blamed is the argument that an address belongs to at which there is no memory.
func (a *args) blamed(addr uintptr) (string, mpierr.Class) {
	const near = 1 << 20 // further behind its begin an array hardly ends
	if buffer, _, ok := strings.Cut(a.tried, " "); ok {
		return buffer, mpierr.ErrBuffer
	}
	if a.tried != "" {
		return a.tried, a.argument()
	}
	best := argument{class: mpierr.ErrBuffer}
	for _, l := range a.later {
		if l.addr <= addr && addr-l.addr < near && l.addr >= best.addr {
			best = l
		}
	}
	if best.class == mpierr.ErrArg {
		best.class = a.argument()
	}
	return best.name, best.class
}

// result checks the address of a result.
func (a *args) result(name string, addr uintptr) {
	if addr == 0 {
		a.null(name)
	} else {
		a.writable(name, addr)
	}
}

// cell checks the address of a variable that the call reads, and may write.
func (a *args) cell(name string, addr uintptr) {
	if addr == 0 {
		a.null(name)
	} else {
		a.readable(name, addr)
	}
}

// resultOrNull is result where NULL says that the program does not want it.
func (a *args) resultOrNull(name string, addr uintptr) {
	if addr != 0 {
		a.writable(name, addr)
	}
}

// cellOrNull is cell where NULL says that there is no variable.
func (a *args) cellOrNull(name string, addr uintptr) {
	if addr != 0 {
		a.readable(name, addr)
	}
}

// array checks the address of an array of n elements of size bytes that the call reads: its begin, its end,
// and whether there is memory for what the library makes of it.
func (a *args) array(name string, addr uintptr, n int64, size uintptr) {
	if n <= 0 {
		return
	}
	if n > datatype.MostBytes/int64(size) {
		a.wrong(mpierr.ErrCount, "%s has %d elements, more than fit into an address space", name, n)
	}
	a.cell(name, addr)
	if last := uintptr(n-1) * size; last >= lowest && a.err == nil {
		a.readable(name, addr+last)
		a.afford(n)
	}
}

// perElement is how many bytes the library may need for an element of an array of arguments.
const perElement = 64

func (a *args) afford(n int64) {
	if err := shm.Afford(n * perElement); err != nil && a.err == nil {
		a.err = mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
}

// affordable panics with a *shm.NoMemory where there is no memory for n elements.
func affordable(n int64) {
	if err := shm.Afford(n * perElement); err != nil {
		panic(err)
	}
}

// results checks the address of an array of n elements that the call writes.
func (a *args) results(name string, addr uintptr, n int64) {
	if n > 0 {
		a.result(name, addr)
	}
}

// room checks the address of room for results, and that of the variable that says how much there is; either
// may be NULL.
func (a *args) room(name string, addr uintptr, lengthName string, length uintptr) {
	if a.cellOrNull(lengthName, length); a.err == nil && length != 0 && addr != 0 && loadInt32(length) > 0 {
		a.writable(name, addr)
	}
}

// statuses checks the address of an array of n statuses that the call writes.
func (a *args) statuses(name string, addr uintptr, n int64) {
	if n > 0 {
		a.resultOrNull(name, addr)
	}
}

func (a *args) null(name string) { a.wrong(a.argument(), "%s is NULL", name) }

// argument is the class of errors of arguments that have no class of their own.
func (a *args) argument() mpierr.Class {
	if isTool(a.name) {
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
func (a *args) guard(err *error) {
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
