//go:build !amd64 || race || purego

package datatype

import "unsafe"

func fastRuns(to unsafe.Pointer, toStride int64, from unsafe.Pointer, fromStride, size, n int64) bool {
	return false
}

func fastIndexed(stream, base unsafe.Pointer, offs []int64, size int64, dir direction) bool {
	return false
}

func fastListed(stream, base unsafe.Pointer, list []listedRun, begin int64, dir direction) bool {
	return false
}
