package lines

import (
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// The accesses of package fast. Functions of the names that package sync/atomic has stand for those.

func address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// LoadUint32 reads a word.
func LoadUint32(p *uint32) uint32 {
	running.reads(address(p))
	return atomic.LoadUint32(p)
}

// LoadUint64 reads a word.
func LoadUint64(p *uint64) uint64 {
	running.reads(address(p))
	return atomic.LoadUint64(p)
}

// LoadUintptr reads a word.
func LoadUintptr(p *uintptr) uintptr {
	running.reads(address(p))
	return atomic.LoadUintptr(p)
}

// LoadPointer reads a word.
func LoadPointer(p *unsafe.Pointer) unsafe.Pointer {
	running.reads(address(p))
	return atomic.LoadPointer(p)
}

// StoreUintptr writes a word.
func StoreUintptr(p *uintptr, v uintptr) {
	running.writes(address(p))
	atomic.StoreUintptr(p, v)
}

// StoreUint32 writes a word.
func StoreUint32(p *uint32, v uint32) {
	running.writes(address(p))
	atomic.StoreUint32(p, v)
}

// StoreUint64 writes a word.
func StoreUint64(p *uint64, v uint64) {
	running.writes(address(p))
	atomic.StoreUint64(p, v)
}

// StoreRel32 writes a word.
func StoreRel32(p *uint32, v uint32) {
	running.writes(address(p))
	shm.StoreRel32(p, v)
}

// StoreRel64 writes a word.
func StoreRel64(p *uint64, v uint64) {
	running.writes(address(p))
	shm.StoreRel64(p, v)
}

// AddUint32 changes a word.
func AddUint32(p *uint32, delta uint32) uint32 {
	running.changes(address(p))
	return atomic.AddUint32(p, delta)
}

// AddUint64 changes a word.
func AddUint64(p *uint64, delta uint64) uint64 {
	running.changes(address(p))
	return atomic.AddUint64(p, delta)
}

// CompareAndSwapUint32 changes a word.
func CompareAndSwapUint32(p *uint32, before, after uint32) bool {
	running.changes(address(p))
	return atomic.CompareAndSwapUint32(p, before, after)
}

// CompareAndSwapUint64 changes a word.
func CompareAndSwapUint64(p *uint64, before, after uint64) bool {
	running.changes(address(p))
	return atomic.CompareAndSwapUint64(p, before, after)
}

// CompareAndSwapUintptr changes a word.
func CompareAndSwapUintptr(p *uintptr, before, after uintptr) bool {
	running.changes(address(p))
	return atomic.CompareAndSwapUintptr(p, before, after)
}

// CompareAndSwapPointer changes a word.
func CompareAndSwapPointer(p *unsafe.Pointer, before, after unsafe.Pointer) bool {
	running.changes(address(p))
	return atomic.CompareAndSwapPointer(p, before, after)
}

// SwapUint32 changes a word.
func SwapUint32(p *uint32, v uint32) uint32 {
	running.changes(address(p))
	return atomic.SwapUint32(p, v)
}

// SwapUint64 changes a word.
func SwapUint64(p *uint64, v uint64) uint64 {
	running.changes(address(p))
	return atomic.SwapUint64(p, v)
}

func (m *Machine) changes(addr uintptr) {
	m.reads(addr)
	m.writes(addr)
}

// Wrote counts a plain store.
func Wrote[T any](p *T) *T {
	running.writes(address(p))
	return p
}

// Copied counts a copy of n bytes.
func Copied(to, from uintptr, n uint64) {
	running.each(from, n, running.reads)
	running.each(to, n, running.writes)
}

// Combined counts a combination of two operands of n bytes.
func Combined(to, a, b uintptr, n uint64) {
	running.each(a, n, running.reads)
	running.each(b, n, running.reads)
	running.each(to, n, running.writes)
}

// LoadInt32 reads a word.
func LoadInt32(p *int32) int32 {
	running.reads(address(p))
	return atomic.LoadInt32(p)
}

// LoadInt64 reads a word.
func LoadInt64(p *int64) int64 {
	running.reads(address(p))
	return atomic.LoadInt64(p)
}

// OrUint64 changes a word.
func OrUint64(p *uint64, mask uint64) uint64 {
	running.changes(address(p))
	return atomic.OrUint64(p, mask)
}

// StoreInt32 writes a word.
func StoreInt32(p *int32, v int32) {
	running.writes(address(p))
	atomic.StoreInt32(p, v)
}

// StoreInt64 writes a word.
func StoreInt64(p *int64, v int64) {
	running.writes(address(p))
	atomic.StoreInt64(p, v)
}

// OrUint32 changes a word.
func OrUint32(p *uint32, mask uint32) uint32 {
	running.changes(address(p))
	return atomic.OrUint32(p, mask)
}

// AndUint32 changes a word.
func AndUint32(p *uint32, mask uint32) uint32 {
	running.changes(address(p))
	return atomic.AndUint32(p, mask)
}
