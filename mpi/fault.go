package mpi

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"gompi/runtime/mpierr"
	"gompi/shm"
)

// What happens when a call panics: at a bad address of the program's, for want of memory, or by a bug of the
// library. No panic goes into C.

const lowest = shm.Lowest

// badAddress is what an access below lowest panics with.
type badAddress uintptr

// Addr is the address, as the runtime's own errors for other addresses tell it.
func (b badAddress) Addr() uintptr { return uintptr(b) }

func (b badAddress) Error() string { return fmt.Sprintf("address %#x is no memory", uintptr(b)) }

// misfortune is the error for a panic that is no bug of the library; nil for one that is. blame is the
// argument that an address belongs to, "" if it is not known, and the class of the error.
func misfortune(p any, blame func(addr uintptr) (name string, class mpierr.Class)) error {
	if f, ok := p.(interface{ Addr() uintptr }); ok {
		name, class := blame(f.Addr())
		if name == "" {
			return mpierr.New(class, "address %#x cannot be read or written", f.Addr())
		}
		return mpierr.New(class, "%s: address %#x cannot be read or written", name, f.Addr())
	}
	var none *shm.NoMemory
	if err, ok := p.(error); ok && errors.As(err, &none) {
		return mpierr.Memory(none)
	}
	return nil
}

// panicked reports a panic of the call. It runs on top of the frames that panicked.
func (a *Args) panicked(p any) int32 {
	if a.Err = misfortune(p, a.blamed); a.Err == nil {
		a.Err = mpierr.New(mpierr.ErrIntern, "internal error of gompi: %v", p)
	}
	if l := library.Load(); l != nil && l.level == threadMultiple && inEngine() {
		// The engine's lock is held and nobody will give it back: end rather than hang.
		code := record(a.called(), a.Err)
		die(int(code), textOf(mpierr.Class(code)))
	}
	return a.Fail()
}

// inEngine reports whether the frames that panicked include some of the message engine.
func inEngine() bool {
	const deepest = 64
	var pcs [deepest]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "gompi/runtime/p2p.") {
			return true
		}
		if !more {
			return false
		}
	}
}

// unreportable ends the process with an error that no operation can report: another process has written what
// gompi never writes, so that nothing is worth trusting any more, or the network cannot be opened.
func unreportable(err error) { die(mpierr.CodeOf(err), err.Error()) }
