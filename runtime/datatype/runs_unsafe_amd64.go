//go:build !race && !purego

package datatype

import "unsafe"

// The loops of runs_amd64.s. Their preconditions are those of runs_unsafe.go; under the race detector, and on
// other processors, its loops in Go do the work.

//go:noescape
func copyRuns(to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, size, n int64)

//go:noescape
func copyListed(stream, base, list unsafe.Pointer, n, begin int64, out bool)

//go:noescape
func copyIndexed(stream, base, offs unsafe.Pointer, size, n int64, out bool)

const (
	// longer ones go by string moves, which take over the lines of shared memory without reading them
	longestRun = 2 << 10
	atOnce     = 256 << 10 // bytes that one call moves at most: the Go scheduler cannot interrupt it
)

// fastRuns moves n runs of size bytes each at equal distances; false when it is not made for the size.
func fastRuns(to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, size, n int64) bool {
	if size > longestRun {
		return false
	}
	for n > atOnce/size {
		k := atOnce / size
		copyRuns(to, toStride, from, fromStride, size, k)
		to, from, n = advance(to, k*toStride), advance(from, k*fromStride), n-k
	}
	copyRuns(to, toStride, from, fromStride, size, n)
	return true
}

// fastIndexed moves runs of size bytes at listed displacements; false when it is not made for the size.
func fastIndexed(stream, base unsafe.Pointer, offs []int64, size int64, dir direction) bool {
	if size != 8 && (size < 16 || size > 64) {
		return false
	}
	for int64(len(offs)) > atOnce/size {
		k := atOnce / size
		copyIndexed(stream, base, unsafe.Pointer(unsafe.SliceData(offs)), size, k, bool(dir))
		stream, offs = advance(stream, k*size), offs[k:]
	}
	copyIndexed(stream, base, unsafe.Pointer(unsafe.SliceData(offs)), size, int64(len(offs)), bool(dir))
	return true
}

// fastListed moves the runs of a list.
func fastListed(stream, base unsafe.Pointer, list []listedRun, begin int64, dir direction) bool {
	for len(list) > 0 {
		k := len(list)
		if list[k-1].end-begin > atOnce {
			k = holder(list, begin+atOnce)
		}
		if k == 0 {
			n, mem := list[0].end-begin, uintptr(base)+uintptr(list[0].off)
			move(mem, unsafe.Slice((*byte)(stream), n), dir)
			stream, begin, list = advance(stream, n), list[0].end, list[1:]
			continue
		}
		copyListed(stream, base, unsafe.Pointer(unsafe.SliceData(list)), int64(k), begin, bool(dir))
		if k == len(list) {
			break
		}
		stream = advance(stream, list[k-1].end-begin)
		begin, list = list[k-1].end, list[k:]
	}
	return true
}

//go:nocheckptr
func advance(p unsafe.Pointer, n int64) unsafe.Pointer { return unsafe.Add(p, n) }
