package mpi

import (
	"sync/atomic"
	"unsafe"
)

// Access to the program's memory by address. A bad address faults, which becomes an MPI error at the export
// (fault.go).

func loadInt32(addr uintptr) int32        { return *(*int32)(at(addr)) }
func storeInt32(addr uintptr, v int32)    { *(*int32)(at(addr)) = v }
func loadInt64(addr uintptr) int64        { return *(*int64)(at(addr)) }
func StoreInt64(addr uintptr, v int64)    { *(*int64)(at(addr)) = v }
func LoadWord(addr uintptr) uintptr       { return *(*uintptr)(at(addr)) }
func StoreWord(addr uintptr, v uintptr)   { *(*uintptr)(at(addr)) = v }
func storeStatus(addr uintptr, s cStatus) { *(*cStatus)(at(addr)) = s }
func loadStatus(addr uintptr) cStatus     { return *(*cStatus)(at(addr)) }

// at turns an address of C memory into a pointer, which must not be kept. The detour by a variable's address
// is how one says so without a complaint: the memory is not Go's, so it cannot move. An address of the first
// page is refused here, because the Go runtime reports a fault there as a nil pointer of its own, without the
// address.
func at(addr uintptr) unsafe.Pointer {
	if addr < lowest {
		panic(badAddress(addr))
	}
	return *(*unsafe.Pointer)(unsafe.Pointer(&addr))
}

// memory is n bytes at addr.
func memory(addr uintptr, n int) []byte { return unsafe.Slice((*byte)(at(addr)), n) }

// touch reads one byte of the word around addr, so that a bad address faults here, while nothing is locked.
func touch(addr uintptr) { atomic.LoadUint32((*uint32)(at(addr &^ 3))) }

// touchForWriting writes the byte at addr as it is. The byte must be the caller's alone. It is taken out of a
// wider load so that the compiler cannot see that the store changes nothing (the machines that gompi runs on
// are little-endian).
func touchForWriting(addr uintptr) {
	word := atomic.LoadUint32((*uint32)(at(addr &^ 3)))
	*(*byte)(at(addr)) = byte(word >> (addr & 3 * 8))
}

// cString copies the string at addr, which ends with a zero.
func cString(addr uintptr) string {
	n := 0
	for *(*byte)(at(addr + uintptr(n))) != 0 {
		n++
	}
	affordable(int64(n) / perElement)
	return string(memory(addr, n))
}

// addressOf is where a variable of the library's own lies, for C to read. It must be a variable of a package
// or one that new has made, and something of the library's must refer to it as long as C may read it: those
// stay where they are.
func addressOf[T atomic.Uint64 | atomic.Int64 | atomic.Int32](v *T) uintptr {
	return uintptr(unsafe.Pointer(v))
}
