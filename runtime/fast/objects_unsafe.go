//fast:go

package fast

import (
	"sync/atomic"
	"unsafe"

	"gompi/shm"
)

// must is take with another block where there has to be one; an error, which is a *shm.NoMemory, where there
// is no memory.
func (p *pieces) must(class uint32) (uintptr, error) {
	if at := p.take(class); at != 0 {
		return at, nil
	}
	block, err := shm.Private(pieceBlock)
	if err != nil {
		return 0, err
	}
	p.next, p.end = block, block+pieceBlock
	return p.take(class), nil
}

// get is n zeroed bytes, n above 0; an error, which is a *shm.NoMemory, where there are none. More than
// mostPiece bytes are mapped by themselves.
func (a *arena) get(n uintptr) (uintptr, error) {
	if n > mostPiece {
		return shm.Private(n)
	}
	a.acquire()
	defer a.unlock()
	at, err := a.must(pieceClass(uint32(n)))
	if err == nil {
		clear(shm.Bytes(at, int64(n)))
	}
	return at, err
}

// put gives back the n bytes at an address, which may be 0.
func (a *arena) put(at, n uintptr) {
	if at != 0 && n > mostPiece {
		shm.Unmap(at, int64(n))
		return
	}
	a.putPiece(at, uint64(n))
}

// ints is a copy of some numbers, of several lists one behind the other; nil where there are none.
func (a *arena) ints(lists ...[]int32) (*int32, error) {
	n := 0
	for _, l := range lists {
		n += len(l)
	}
	if n == 0 {
		return nil, nil
	}
	at, err := a.get(uintptr(n) * unsafe.Sizeof(int32(0)))
	if err != nil {
		return nil, err
	}
	all := unsafe.Slice((*int32)(unsafe.Pointer(shm.Word32(at))), n)[:0]
	for _, l := range lists {
		all = append(all, l...)
	}
	return (*int32)(unsafe.Pointer(shm.Word32(at))), nil
}

// putInts gives back n numbers that ints made, or nil.
func (a *arena) putInts(at *int32, n int) {
	a.put(uintptr(unsafe.Pointer(at)), uintptr(n)*unsafe.Sizeof(int32(0)))
}

// addressOf is where something outside of Go's heap stands.
//
//fast:c ((uintptr_t)(%0))
func addressOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// grow makes the chunk of records for an index, each of that size, unless it is there.
func grow[T any](chunks *[Chunks]*T, index uintptr) error {
	at := (*unsafe.Pointer)(unsafe.Pointer(&chunks[index>>ChunkBits]))
	if atomic.LoadPointer(at) != nil {
		return nil
	}
	var record T
	size := unsafe.Sizeof(record) << ChunkBits
	chunk, err := shm.Private(size)
	if err != nil {
		return err
	}
	if index>>ChunkBits == 0 {
		*wordAt(chunk) = 1 // 0 is no handle, and names nothing
	}
	if !atomic.CompareAndSwapPointer(at, nil, unsafe.Pointer(shm.Word64(chunk))) {
		shm.Unmap(chunk, int64(size)) // another thread was first
	}
	return nil
}

// commOf is record number i of a chunk.
//
//fast:c (%0 + %1)
func commOf(chunk *Comm, i uintptr) *Comm {
	return (*Comm)(unsafe.Add(unsafe.Pointer(chunk), i*unsafe.Sizeof(*chunk)))
}
