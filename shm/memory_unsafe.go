package shm

import "unsafe"

// pointer turns an address outside Go's heap into a pointer. The address must be that of mapped memory: small
// numbers such as MPI_IN_PLACE in a pointer-typed slot make the Go runtime throw. Tests use Go memory as
// well, which the checks that come with the race detector would take for an error.
//
//go:nocheckptr
func pointer(addr uintptr) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(nil), addr) }

// Lowest is the address below which a program has no memory: NULL plus a small offset.
const Lowest = 4096

// Bytes is the memory [addr, addr+n) as a slice. For n == 0 it is empty and addr is not looked at.
func Bytes(addr uintptr, n int64) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(pointer(addr)), n)
}

// Word32 is the 32-bit word at addr, which must be a multiple of 4.
func Word32(addr uintptr) *uint32 { return (*uint32)(pointer(addr)) }

// Word64 is the 64-bit word at addr, which must be a multiple of 8.
func Word64(addr uintptr) *uint64 { return (*uint64)(pointer(addr)) }

// heap makes the compiler put memory whose address is taken as a number where it does not move: not on a
// goroutine's stack. Nothing is ever stored there.
var heap struct {
	bytes []byte
	word  *uint64
	never bool
}

// Address is where b begins; 0 for an empty slice. The caller keeps b alive for as long as it uses the
// address.
func Address(b []byte) uintptr {
	if len(b) == 0 {
		return 0
	}
	if heap.never {
		heap.bytes = b
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}

func addressOf32(p *uint32) uintptr { return uintptr(unsafe.Pointer(p)) }

// AddressOf is the address of a word, which the caller keeps alive.
func AddressOf(p *uint64) uintptr {
	if heap.never {
		heap.word = p
	}
	return uintptr(unsafe.Pointer(p))
}

// Next32 is the n-th word behind p.
func Next32(p *uint32, n uint32) *uint32 {
	return (*uint32)(unsafe.Add(unsafe.Pointer(p), uintptr(n)*4))
}

// Rung is when the bell of which the word is bell was rung last.
func Rung(bell *uint32) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(bell), RankRung-RankSleeping))
}
