package shm

import "unsafe"

// An errand is one cache line.
var _ = [1]struct{}{}[unsafe.Sizeof(Errand{})-CacheLine]

// ErrandAt is the errand of that number in the ring at base.
func ErrandAt(base uintptr, number uint32) *Errand {
	return (*Errand)(pointer(base + uintptr(number%Errands)*ErrandStride))
}

// Data is where the data of an errand stands, which depends on its size in bytes.
func (e *Errand) Data(size int64) uintptr {
	if size <= ErrandSmall {
		return uintptr(unsafe.Pointer(&e.Small))
	}
	return uintptr(unsafe.Pointer(e)) + CacheLine
}
