package shm

import "unsafe"

// A slot is exactly one cache line and the slots fit into the first page of a pair block.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Slot{})-SlotSize]
	_ = [1]struct{}{}[unsafe.Offsetof(Slot{}.Data)+InlineSize-SlotSize]
)

func slotsAt(addr uintptr) *[RingSlots]Slot { return (*[RingSlots]Slot)(pointer(addr)) }

func inlineAddress(s *Slot) uintptr { return uintptr(unsafe.Pointer(&s.Data)) }

// SlotAddress is where a slot stands.
func SlotAddress(s *Slot) uintptr { return uintptr(unsafe.Pointer(s)) }
