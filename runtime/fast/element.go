package fast

import (
	"math"
	"sync/atomic"

	"gompi/shm"
)

// Elements of 4 and 8 bytes that accumulates change by the processor's atomic instructions (MPI 5.0, 12.7.1).

// Handles of the predefined operations (MPI 5.0, 20.3).
const (
	OpSum     = 0x21
	OpMin     = 0x22
	OpMax     = 0x23
	OpProd    = 0x24
	OpBand    = 0x28
	OpBor     = 0x29
	OpBxor    = 0x2a
	OpLand    = 0x30
	OpLor     = 0x31
	OpLxor    = 0x32
	OpMinloc  = 0x38
	OpMaxloc  = 0x39
	OpReplace = 0x3c
	OpNoOp    = 0x3d
)

// Element is the kind of element that a datatype is, of those that are combined here; 0 for all others.
func (c *Combining) Element(datatype uintptr) uint32 {
	if datatype-FirstType > 0xff {
		return 0
	}
	return uint32(c.Elements[datatype-FirstType])
}

// elementSize is the size of an element of those kinds in bytes.
func elementSize(kind uint32) uint32 {
	if kind == ElementInt32 || kind == ElementUint32 || kind == ElementFloat {
		return 4
	}
	return 8
}

// Combines reports whether elements of a kind are combined here by an operation.
func Combines(kind uint32, op uintptr) bool {
	switch op {
	case OpSum, OpMin, OpMax, OpReplace, OpNoOp:
		return kind != 0
	case OpBand, OpBor, OpBxor:
		return kind != 0 && kind < ElementFloat
	}
	return false
}

// combined is what an operation makes of an element and an operand, which stand in the low bits.
// Minimum and maximum prefer the present value, as reductions do.
func combined(kind uint32, op uintptr, old, v uint64) uint64 {
	less := v < old
	more := v > old
	switch op {
	case OpSum:
		if kind == ElementFloat {
			sum := math.Float32frombits(uint32(v)) + math.Float32frombits(uint32(old))
			return uint64(math.Float32bits(sum))
		}
		return math.Float64bits(math.Float64frombits(v) + math.Float64frombits(old))
	case OpBand:
		return v & old
	case OpBor:
		return v | old
	case OpBxor:
		return v ^ old
	}
	switch kind {
	case ElementInt32:
		less = int32(v) < int32(old)
		more = int32(v) > int32(old)
	case ElementInt64:
		less = int64(v) < int64(old)
		more = int64(v) > int64(old)
	case ElementFloat:
		less = math.Float32frombits(uint32(v)) < math.Float32frombits(uint32(old))
		more = math.Float32frombits(uint32(v)) > math.Float32frombits(uint32(old))
	case ElementDouble:
		less = math.Float64frombits(v) < math.Float64frombits(old)
		more = math.Float64frombits(v) > math.Float64frombits(old)
	}
	if op == OpMin && less || op == OpMax && more {
		return v
	}
	return old
}

// combine32 changes an element of 4 bytes and gives what it was.
func combine32(kind uint32, op uintptr, to *uint32, v uint32) uint32 {
	switch {
	case op == OpSum && kind < ElementFloat:
		return atomic.AddUint32(to, v) - v
	case op == OpReplace:
		return atomic.SwapUint32(to, v)
	case op == OpNoOp:
		return atomic.LoadUint32(to)
	}
	for {
		old := atomic.LoadUint32(to)
		if atomic.CompareAndSwapUint32(to, old, uint32(combined(kind, op, uint64(old), uint64(v)))) {
			return old
		}
	}
}

func combine64(kind uint32, op uintptr, to *uint64, v uint64) uint64 {
	switch {
	case op == OpSum && kind < ElementFloat:
		return atomic.AddUint64(to, v) - v
	case op == OpReplace:
		return atomic.SwapUint64(to, v)
	case op == OpNoOp:
		return atomic.LoadUint64(to)
	}
	for {
		old := atomic.LoadUint64(to)
		if atomic.CompareAndSwapUint64(to, old, combined(kind, op, old, v)) {
			return old
		}
	}
}

// CombineRow changes bytes of elements of a kind that it Combines, aligned to their size, by as
// many operands in memory of any alignment. What they were before goes to before, which may be the
// operands' memory; 0 when nobody wants it.
//
//fast:hot
func CombineRow(kind uint32, op, to, operands, before uintptr, bytes uint64) {
	if elementSize(kind) == 4 {
		for at := uintptr(0); at < uintptr(bytes); at += 4 {
			old := combine32(kind, op, shm.Word32(to+at), load32(operands+at))
			if before != 0 {
				store32(before+at, old)
			}
		}
		return
	}
	for at := uintptr(0); at < uintptr(bytes); at += 8 {
		old := combine64(kind, op, shm.Word64(to+at), load64(operands+at))
		if before != 0 {
			store64(before+at, old)
		}
	}
}

// SwapElement replaces an element of 4 or 8 bytes, aligned to its size, by another one if it equals
// the one to compare with. What it was before goes to before. All but the element may have any
// alignment.
func SwapElement(to, origin, compare, before uintptr, bytes uint32) {
	if bytes == 4 {
		want := load32(compare)
		v := load32(origin)
		for {
			old := atomic.LoadUint32(shm.Word32(to))
			if old != want || atomic.CompareAndSwapUint32(shm.Word32(to), want, v) {
				store32(before, old)
				return
			}
		}
	}
	want := load64(compare)
	v := load64(origin)
	for {
		old := atomic.LoadUint64(shm.Word64(to))
		if old != want || atomic.CompareAndSwapUint64(shm.Word64(to), want, v) {
			store64(before, old)
			return
		}
	}
}
