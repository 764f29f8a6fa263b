//fast:go

package fast

import (
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"
)

// typeOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func typeOf(chunk *Type, i uintptr) *Type {
	return (*Type)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}

// loopsOf is how many loops move the data of an element; 0 when they are not known.
//
//fast:c __atomic_load_n(&%0->loops, __ATOMIC_ACQUIRE)
func loopsOf(t *Type) int64 { return atomic.LoadInt64(&t.Loops) }

// loopAt is loop i of a row.
//
//fast:c (%0 + %1)
func loopAt(first *Loop, i int64) *Loop {
	return (*Loop)(unsafe.Add(unsafe.Pointer(first), uintptr(i)*loopSize))
}

// loopsFrom is the loops at an address.
//
//fast:c ((struct fast_loop *)(%0))
func loopsFrom(addr uintptr) *Loop { return (*Loop)(at(addr)) }

const loopSize = 40

var _ = [1]struct{}{}[unsafe.Sizeof(Loop{})-loopSize]

// loopsAt is n loops in a row.
func loopsAt(first *Loop, n int64) body { return unsafe.Slice(first, n) }

// longAt is element i of an array.
//
//fast:c (%0 + %1)
func longAt(list *int64, i int32) *int64 {
	return (*int64)(unsafe.Add(unsafe.Pointer(list), uintptr(i)*8))
}

// longsAt is the numbers at an address.
//
//fast:c ((int64_t *)(%0))
func longsAt(addr uintptr) *int64 { return (*int64)(at(addr)) }

// contentsOf is the contents of a type; nil as long as they are not known here.
//
//fast:c __atomic_load_n(&%0->contents, __ATOMIC_ACQUIRE)
func contentsOf(t *Type) *int64 {
	return (*int64)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&t.Contents))))
}

// quotient is x / y where y is a power of two.
//
//fast:c (%0 >> __builtin_ctzll(%1))
func quotient(x, y uint64) uint64 { return x >> bits.TrailingZeros64(y) }

// commit publishes the loops of a type.
//
//fast:c __atomic_store_n(&%0->loops, %1, __ATOMIC_RELEASE)
func commit(t *Type, loops int64) { atomic.StoreInt64(&t.Loops, loops) }

// NewType is an empty record for the datatype with a handle, which AddType completes; nil where there is no
// memory, so that package mpi deals with the datatype.
func (d *Datatypes) NewType(handle uintptr) *Type {
	if grow(&d.Types, handle&objectMask) != nil {
		return nil
	}
	return recordOf(&d.Types, typeOf, handle)
}

// AddType gives a record its handle.
func (d *Datatypes) AddType(t *Type, handle uintptr) { atomic.StoreUintptr(&t.Handle, handle) }

// SetLoop is what a type of one loop has when it is committed: the loop, the size in bytes of an element
// without gaps, 0 for all others, and Unit. commitment is a word in Go's memory, 0 for a predefined type.
func (t *Type) SetLoop(l Loop, bytes int64, unit uint32, commitment *uint32) {
	t.First, t.All, t.Unit, t.Found = l, &t.First, unit, 1
	if bytes <= mostBytes {
		t.Dense = uint64(bytes)
	}
	if commitment == nil || *commitment != 0 {
		t.Bytes = t.Dense
		commit(t, 1)
		return
	}
	atomic.StoreUintptr(&t.Commitment, uintptr(unsafe.Pointer(commitment)))
}

// CommitType notes that a datatype with a record has been committed: the loops that move its data, and Unit.
func (o *Objects) CommitType(handle uintptr, unit uint32, loops []Loop) {
	t := o.datatype(handle)
	if t == nil || t.Loops != 0 || len(loops) == 0 {
		return
	}
	at, err := o.arena.get(loopBytes(int64(len(loops))))
	if err != nil {
		return
	}
	t.All, t.Unit = (*Loop)(unsafe.Pointer(wordAt(at))), unit
	copy(unsafe.Slice(t.All, len(loops)), loops)
	commit(t, int64(len(loops)))
}

func loopBytes(loops int64) uintptr { return uintptr(loops) * loopSize }

// OuterType is the type that C has made of another one, and for which Go has no object; 0 when there is none.
func (d *Datatypes) OuterType(handle uintptr) uintptr {
	if t := d.datatype(handle); t != nil {
		return atomic.LoadUintptr(&t.Outer)
	}
	return 0
}

// LoneType is the record of a datatype for which Go has no object; nil when there is none.
func (o *Objects) LoneType(handle uintptr) *Type {
	if t := o.datatype(handle); t != nil && t.isLone() {
		return t
	}
	return nil
}

// Arguments is a copy of the contents of a type that C has made.
func (t *Type) Arguments() (integers, addresses, types []int64) {
	n := t.Lengths
	all := slices.Clone(unsafe.Slice(t.Contents, n.Integers+n.Addresses+n.Types))
	return all[:n.Integers], all[n.Integers : n.Integers+n.Addresses], all[n.Integers+n.Addresses:]
}

// SetContents lets MPI_Type_get_contents find the contents of a datatype with a record here: all arrays, one
// behind the other.
func (o *Objects) SetContents(handle uintptr, contents []int64) {
	t := o.datatype(handle)
	if t == nil || len(contents) == 0 || contentsOf(t) != nil {
		return
	}
	at, err := o.arena.get(uintptr(len(contents)) * 8)
	if err != nil {
		return
	}
	list := (*int64)(unsafe.Pointer(wordAt(at)))
	copy(unsafe.Slice(list, len(contents)), contents)
	if !atomic.CompareAndSwapPointer((*unsafe.Pointer)(unsafe.Pointer(&t.Contents)), nil,
		unsafe.Pointer(list)) {
		o.arena.put(at, uintptr(len(contents))*8) // another thread was first
	}
}

// contentsBytes is the size of the contents of a type.
func (t *Type) contentsBytes() uint64 {
	n := &t.Lengths
	return uint64(n.Integers+n.Addresses+n.Counts+n.Types) * 8
}

// DropType ends the record of the datatype behind a handle.
func (o *Objects) DropType(handle uintptr) {
	t := recordOf(&o.Types, typeOf, handle)
	if t == nil || !t.drop(handle) {
		return
	}
	if t.Memory != 0 {
		o.putContents(t)
	} else {
		if t.Loops > 0 && t.All != &t.First {
			o.arena.put(addressOf(t.All), loopBytes(t.Loops))
		}
		o.arena.put(addressOf(t.Contents), uintptr(t.contentsBytes()))
	}
	*t = Type{}
}
