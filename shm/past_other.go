//go:build !amd64

package shm

// CopyPast is Copy where there is no store past the caches.
func CopyPast(dst, src uintptr, n int64) { Copy(dst, src, n) }
