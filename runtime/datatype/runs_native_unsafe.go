package datatype

import (
	"unsafe"

	"gompi/native"
)

// Copies by the library's C, where that is there. Their preconditions are those of runs_unsafe.go, whose
// loops in Go do what these leave: where there is no memory, they find out.

// byNative reports whether runs of size bytes that make so many together are copied by C. It takes longer to
// call than a loop in Go does for few bytes. Long runs go by string moves, which take over the lines of
// shared memory without reading them.
func byNative(size, bytes int64) bool {
	const longest, least = 2 << 10, 256
	return size <= longest && bytes >= least && native.HasRuns()
}

// fastRuns moves n runs of size bytes each at equal distances; false when the loops in Go are to.
func fastRuns(to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, size, n int64) bool {
	if !byNative(size, size*n) {
		return false
	}
	r := native.Runs{Stream: to, StreamStride: toStride, Base: from, BaseStride: fromStride, Size: size,
		Rows: 1, Form: native.Strided}
	for k := native.AtOnce / size; n > 0; n -= k {
		r.N = min(n, k)
		if !r.Copy() {
			return false
		}
		r.Stream, r.Base = advance(r.Stream, k*toStride), advance(r.Base, k*fromStride)
	}
	return true
}

// fastRows moves rows of n runs of size bytes each; false when the loops in Go are to.
func fastRows(to unsafe.Pointer, toRow, toStride int64, from unsafe.Pointer, fromRow, fromStride, size, n,
	rows int64) bool {
	row := size * n
	if row > native.AtOnce || !byNative(size, row*rows) {
		return false
	}
	r := native.Runs{Stream: to, StreamRow: toRow, StreamStride: toStride, Base: from, BaseRow: fromRow,
		BaseStride: fromStride, Size: size, N: n, Form: native.Strided}
	for k := native.AtOnce / row; rows > 0; rows -= k {
		r.Rows = min(rows, k)
		if !r.Copy() {
			return false
		}
		r.Stream, r.Base = advance(r.Stream, k*toRow), advance(r.Base, k*fromRow)
	}
	return true
}

// fastIndexed moves runs of size bytes at listed displacements; false when the loops in Go are to.
func fastIndexed(stream, base unsafe.Pointer, offs []int64, size int64, dir direction) bool {
	if !byNative(size, size*int64(len(offs))) {
		return false
	}
	r := native.Runs{Stream: stream, Base: base, Size: size, Form: native.Indexed, Unpack: dir.word()}
	for len(offs) > 0 {
		k := min(native.AtOnce/size, int64(len(offs)))
		r.List, r.N = unsafe.Pointer(unsafe.SliceData(offs)), k
		if !r.Copy() {
			return false
		}
		r.Stream, offs = advance(r.Stream, k*size), offs[k:]
	}
	return true
}

// fastListed moves the runs of a list; false when the loop in Go is to.
func fastListed(stream, base unsafe.Pointer, list []listedRun, begin int64, dir direction) bool {
	if len(list) == 0 || !byNative(0, list[len(list)-1].end-begin) {
		return false
	}
	r := native.Runs{Base: base, Form: native.Listed, Unpack: dir.word()}
	for len(list) > 0 {
		k := len(list)
		if list[k-1].end-begin > native.AtOnce {
			k = holder(list, begin+native.AtOnce)
		}
		if k == 0 {
			n, mem := list[0].end-begin, uintptr(base)+uintptr(list[0].off)
			move(mem, unsafe.Slice((*byte)(stream), n), dir)
			stream, begin, list = advance(stream, n), list[0].end, list[1:]
			continue
		}
		r.Stream, r.List, r.N, r.Begin = stream, unsafe.Pointer(unsafe.SliceData(list)), int64(k), begin
		if !r.Copy() {
			return false
		}
		stream = advance(stream, list[k-1].end-begin)
		begin, list = list[k-1].end, list[k:]
	}
	return true
}

// word is 1 for unpack.
func (d direction) word() int32 {
	if d == unpack {
		return 1
	}
	return 0
}

//go:nocheckptr
func advance(p unsafe.Pointer, n int64) unsafe.Pointer { return unsafe.Add(p, n) }
