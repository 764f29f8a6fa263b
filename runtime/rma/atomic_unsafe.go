package rma

import (
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// Elements of 4 or 8 bytes in mapped memory, aligned to their size, are changed by the processor's atomic instructions.

// at makes an address outside Go's heap a pointer.
func at[T any](addr uintptr) *T { return *(**T)(unsafe.Pointer(&addr)) }

// load reads the element of size bytes at addr, as the low bits of a word.
func load(addr uintptr, size int64) uint64 {
	if size == 8 {
		return atomic.LoadUint64(at[uint64](addr))
	}
	return uint64(atomic.LoadUint32(at[uint32](addr)))
}

// swap replaces old by v at addr if it is there.
func swap(addr uintptr, size int64, old, v uint64) bool {
	if size == 8 {
		return atomic.CompareAndSwapUint64(at[uint64](addr), old, v)
	}
	return atomic.CompareAndSwapUint32(at[uint32](addr), uint32(old), uint32(v))
}

// get and put move an element of private memory.
func get(addr uintptr, size int64) uint64 {
	if size == 8 {
		return *at[uint64](addr)
	}
	return uint64(*at[uint32](addr))
}

func put(addr uintptr, size int64, v uint64) {
	if size == 8 {
		*at[uint64](addr) = v
	} else {
		*at[uint32](addr) = uint32(v)
	}
}

// exchange is a compare-and-swap of one element. compare, origin and result are addresses of private memory.
func exchange(addr uintptr, size int64, compare, origin, result uintptr) {
	want, v := get(compare, size), get(origin, size)
	for {
		old := load(addr, size)
		if old != want || swap(addr, size, want, v) {
			put(result, size, old)
			return
		}
	}
}

// atomicBatch is how many elements are combined ahead of being exchanged.
const atomicBatch = 256

// atomically combines n elements at addr. They are read and combined some at a time, by the loops that reductions use;
// then each is exchanged, and combined once more by itself where somebody was faster.
func (j *job) atomically(addr uintptr, n int64) {
	size := j.basic.Size()
	in, old := j.in, j.old
	handle := j.f.Handle()
	before, after := j.work, j.work+atomicBatch*8
	if n == 1 && handle != opNoOp {
		j.settle(addr, before, in, size)
		if old != 0 {
			put(old, size, get(before, size))
		}
		return
	}
	for n > 0 {
		k := min(n, atomicBatch)
		for i := range k {
			put(before+uintptr(i*size), size, load(addr+uintptr(i*size), size))
		}
		switch handle {
		case opNoOp:
		case opReplace:
			for i := range k {
				j.settle(addr+uintptr(i*size), before+uintptr(i*size), in+uintptr(i*size), size)
			}
		default:
			shm.Copy(after, before, k*size)
			j.f.Apply(in, after, k, j.basic)
			for i := range k {
				d := uintptr(i * size)
				if !swap(addr+d, size, get(before+d, size), get(after+d, size)) {
					j.settle(addr+d, before+d, in+d, size)
				}
			}
		}
		if old != 0 {
			shm.Copy(old, before, k*size)
			old += uintptr(k * size)
		}
		addr, in, n = addr+uintptr(k*size), in+uintptr(k*size), n-k
	}
}

// settle combines the element at addr with the operand at in until nobody is faster, and leaves at before what was there
// before.
func (j *job) settle(addr, before, in uintptr, size int64) {
	last := j.work + 2*atomicBatch*8
	for {
		old := load(addr, size)
		put(last, size, old)
		if j.f.Handle() == opReplace {
			put(last, size, get(in, size))
		} else {
			j.f.Apply(in, last, 1, j.basic)
		}
		if swap(addr, size, old, get(last, size)) {
			put(before, size, old)
			return
		}
	}
}
