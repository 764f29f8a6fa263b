package fast

import (
	"math"

	"gompi/shm"
)

// Kinds of elements that kernels combine here, beginning with 1: signed and unsigned integers of 1, 2, 4 and
// 8 bytes, float, double, pairs, complex numbers, and those of the processor's own long format.
const (
	ElementInt8 = 1 + iota
	ElementUint8
	ElementInt16
	ElementUint16
	ElementInt32
	ElementUint32
	ElementInt64
	ElementUint64
	ElementFloat
	ElementDouble
	ElementShortInt // a value and its index, as MPI_MINLOC and MPI_MAXLOC combine them
	ElementIntInt
	ElementLongInt
	ElementFloatInt
	ElementDoubleInt
	ElementFloatPair
	ElementDoublePair
	ElementComplexFloat
	ElementComplexDouble
	ElementLongDouble // the format of x87, in 16 bytes
	ElementComplexLongDouble
	ElementLongDoubleInt
	Elements
)

// byFunction is the kind of elements that a function of the program's combines.
const byFunction = Elements

// FirstOp is the first handle of a predefined operation.
const FirstOp uintptr = 0x20

// Ops is how many handles predefined operations may have.
const Ops = 32

// Combining is what combines elements.
type Combining struct {
	Kernel    uintptr    // what combines elements in Go; C has kernels of its own
	Functions uintptr    // what stands for the functions of the program in Go
	Room      uintptr    // for what has to be copied first (images)
	RoomTaken uint32     // 1: a thread uses it
	Calling   uint32     // 1: a function of the program's is called for a nonblocking operation
	Elements  [256]uint8 // kinds of element that accumulates combine here, as in Datatypes.Sizes
	// the kind of element, by operation and datatype; 0 where it is not combined here
	Reductions [Ops][256]uint8
}

// reduction is what a reduction does with elements.
type reduction struct {
	op    uint32 // number of a predefined operation
	kind  uint32 // of element; 0 when the elements are not combined here
	size  uint32 // data of an element, in bytes
	bytes uint32 // of a contribution

	// Of those that no kernel combines where they stand:
	span uint32 // bytes from the first to the last of a contribution with gaps
	gaps *Type  // the datatype, if there are gaps in its elements or between them
	by   *Op    // the operation, if it is one of the program's
}

// reduction is what a reduction does with contributions like the one in buf.
//
//fast:hot
func (o *Objects) reduction(buf uintptr, count int32, datatype, op uintptr) reduction {
	bytes := o.size(buf, count, datatype)
	if op-FirstOp >= Ops || datatype-FirstType >= 256 || bytes == 0 || bytes == noSize {
		r := reduction{}
		o.others(&r, buf, count, datatype, op)
		return r
	}
	return o.elements(datatype, op, uint32(count))
}

// elements is what a reduction of that many elements of a dense predefined datatype does.
//
//fast:hot
func (o *Objects) elements(datatype, op uintptr, count uint32) reduction {
	kind := uint32(o.Reductions[op-FirstOp][datatype-FirstType])
	size := uint32(o.Sizes[datatype-FirstType])
	return reduction{op: uint32(op - FirstOp), kind: kind, size: size, bytes: size * count}
}

// shares are how many elements all of n ranks together get of a result that is divided by counts, and where
// those of rank me begin; -1 when the counts are not plain.
func shares(counts *int32, n, me uint32) (total, first int32) {
	if nowhere(counts) {
		return -1, 0
	}
	sum := int64(0)
	begin := int64(0)
	for r := uint32(0); r < n; r++ {
		count := *intAt(counts, int32(r))
		if count < 0 {
			return -1, 0
		}
		if r == me {
			begin = sum
		}
		sum += int64(count)
	}
	if sum > math.MaxInt32 {
		return -1, 0
	}
	return int32(sum), int32(begin)
}

// combiner is memory for combining the contributions of ranks.
type combiner struct {
	values [shm.CollRanks]uintptr // where they stand
	room   [combineLevels * combineStep / 8]uint64
}

const (
	combineStep   = 512 // so many bytes of each contribution are combined at a time
	combineLevels = 7   // levels of the tree of the largest number of ranks
)

// all combines that many bytes of n contributions. out may be one of them.
//
//fast:hot
func (c *combiner) all(e *Endpoint, r *reduction, n uint32, out uintptr, bytes uint32) {
	if n == 2 {
		combine(e, r.op, r.kind, out, c.values[0], c.values[1], bytes/r.size)
		return
	}
	for at := uint32(0); at < bytes; at += combineStep {
		c.tree(e, r, n, out, at, min(bytes-at, combineStep)/r.size)
	}
}

// tree combines elements of n contributions, from byte at on, in the tree that package coll describes
// (groups.combine).
//
//fast:cold
func (c *combiner) tree(e *Endpoint, r *reduction, n uint32, out uintptr, at, elements uint32) {
	var value [combineLevels]uintptr
	groups, pairs := groupsOf(n)
	depth := uint32(0)
	for group := uint32(0); group < groups; group++ {
		if group < pairs {
			value[depth] = c.level(depth)
			a := c.values[2*group] + uintptr(at)
			b := c.values[2*group+1] + uintptr(at)
			combine(e, r.op, r.kind, value[depth], a, b, elements)
		} else {
			value[depth] = c.values[group+pairs] + uintptr(at)
		}
		depth++
		// As many halves end here as the number of groups so far has zero bits at its end.
		for whole := group + 1; whole&1 == 0; whole >>= 1 {
			to := c.level(depth - 2)
			if depth == 2 && group+1 == groups {
				to = out + uintptr(at)
			}
			combine(e, r.op, r.kind, to, value[depth-2], value[depth-1], elements)
			value[depth-2] = to
			depth--
		}
	}
}

// prefix combines the contributions of the ranks below end, from the highest down, each with all above it.
func (c *combiner) prefix(e *Endpoint, r *reduction, end uint32, out uintptr) {
	if end == 1 {
		if out != c.values[0] {
			move(out, c.values[0], r.bytes)
		}
		return
	}
	elements := r.bytes / r.size
	combine(e, r.op, r.kind, out, c.values[end-2], c.values[end-1], elements)
	for i := end - 2; i > 0; i-- {
		combine(e, r.op, r.kind, out, c.values[i-1], out, elements)
	}
}
