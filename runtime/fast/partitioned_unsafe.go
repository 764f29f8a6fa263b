//fast:go

package fast

import (
	"unsafe"

	"gompi/shm"
)

// parts is the partitions of a send.
//
//fast:c ((struct fast_parts *)(uintptr_t)%0->order)
func (r *Request) parts() *Parts { return PartsAt(uintptr(r.Order)) }

// MarkAt is the mark of partition i.
//
//fast:c ((uint32_t *)(%0 + 1) + %1)
func (p *Parts) MarkAt(i uint32) *uint32 {
	return (*uint32)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(Parts{})+4*uintptr(i)))
}

// PartsAt is the partitions at an address, which NewParts has returned.
//
//fast:c ((struct fast_parts *)(%0))
func PartsAt(addr uintptr) *Parts { return (*Parts)(at(addr)) }

// NewParts is the address of n partitions, 0 when there is no memory.
func NewParts(n uint32) uintptr {
	addr, err := shm.Obtain(partsSize(n))
	if err != nil {
		return 0
	}
	PartsAt(addr).Count = n
	return addr
}

// FreeParts gives the memory of partitions back.
func FreeParts(addr uintptr) { shm.Return(addr, partsSize(PartsAt(addr).Count)) }

func partsSize(n uint32) int64 { return int64(unsafe.Sizeof(Parts{})) + 4*int64(n) }
