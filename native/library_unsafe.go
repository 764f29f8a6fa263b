// Package native calls functions of C as functions of Go are called, and knows those of the library: what
// combines elements, and what copies runs of bytes. They are there where package capi is. In the tests of
// most packages there are none, and loops in Go do the same.
package native

import "unsafe"

// Library is where the functions of the library's C stand; nil where there is none.
type Library struct {
	Kernels  unsafe.Pointer // the variable fast_kernels of capi/combine.c
	Combine  unsafe.Pointer // int f(struct gompi_combination *)
	CopyRuns unsafe.Pointer // int f(struct gompi_runs *)
}

var library Library

// Use says where the functions are, ahead of everything else.
func Use(l Library) { library = l }

// Kernel is what combines elements of a kind by an operation, by its place in a table with that many kinds;
// nil where there is none.
func Kernel(operation, kind, kinds uintptr) unsafe.Pointer {
	if library.Kernels == nil {
		return nil
	}
	table := *(*unsafe.Pointer)(library.Kernels)
	return *(*unsafe.Pointer)(unsafe.Add(table, (operation*kinds+kind)*unsafe.Sizeof(table)))
}

// AtOnce is how many bytes one call moves or combines at most, which takes some microseconds: Go's collector
// waits for its end.
const AtOnce = 128 << 10

// combination is struct gompi_combination of capi/native.h.
type combination struct {
	kernel    unsafe.Pointer
	out, a, b uintptr
	n         int64
}

// Combine computes out[i] = a[i] op b[i] for n elements of size bytes, a power of two, by a kernel. It is how
// many of them are done ahead of some without memory.
func Combine(kernel unsafe.Pointer, out, a, b uintptr, n, size int64) (done int64) {
	c := combination{kernel: kernel, out: out, a: a, b: b}
	for most := AtOnce / size; done < n; done += c.n {
		c.n = min(n-done, most)
		if Call(library.Combine, unsafe.Pointer(&c)) != 0 {
			return done
		}
		c.out, c.a, c.b = c.out+AtOnce, c.a+AtOnce, c.b+AtOnce
	}
	return n
}

// Form says where runs are.
type Form int32

// The forms of runs.
const (
	Strided Form = iota // at equal distances on both sides
	Indexed             // of equal sizes, at the displacements of a list
	Listed              // at the displacements of a list, which has their ends in the stream as well
)

// Runs is struct gompi_runs of capi/native.h: N runs that are copied between the stream and what lies about a
// base.
type Runs struct {
	Stream, Base             unsafe.Pointer
	StreamStride, BaseStride int64 // of strided ones, which are copied to what is called the stream
	StreamRow, BaseRow, Rows int64 // of these, that many rows of N runs
	Size                     int64 // of a run, in bytes, but for listed ones
	N                        int64
	List                     unsafe.Pointer // int64: displacements from the base, or pairs of these and ends
	Begin                    int64          // what the first end is counted from
	Form                     Form
	Unpack                   int32 // 1: from the stream, 0: to it
}

// HasRuns reports whether there is a function that copies runs.
func HasRuns() bool { return library.CopyRuns != nil }

// Copy copies the runs, and is false where some have no memory.
func (r *Runs) Copy() bool { return Call(library.CopyRuns, unsafe.Pointer(r)) == 0 }
