package main

import "C"

import (
	"runtime"
	"runtime/debug"
	"strings"

	"gompi/runtime/mpierr"
)

// What happens when a call panics: at a bad address of the program's, or by a bug of the library. No panic goes into C.

// gompi_prepare_thread makes a fault in Go code of the calling thread a panic. C calls it once in each thread.
//
//export gompi_prepare_thread
func gompi_prepare_thread() { debug.SetPanicOnFault(true) }

// panicked reports a panic of the call. It runs on top of the frames that panicked.
func (a *args) panicked(p any) int32 {
	if f, ok := p.(interface{ Addr() uintptr }); ok {
		a.err = mpierr.New(mpierr.ErrBuffer, "address %#x cannot be read or written", f.Addr())
	} else {
		a.err = mpierr.New(mpierr.ErrIntern, "internal error of gompi: %v", p)
	}
	if l := library.Load(); l != nil && l.level == threadMultiple && inEngine() {
		// The engine's lock is held and nobody will give it back: end rather than hang.
		code := record(a.name, a.err)
		die(int(code), textOf(mpierr.Class(code)))
	}
	return a.fail()
}

// inEngine tells whether the frames that panicked include some of the message engine.
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

// corrupted ends the process because another one has written what gompi never writes: nothing is worth trusting any more.
func corrupted(err error) { die(int(mpierr.ErrIntern), err.Error()) }
