package fast

import "sync/atomic"

// Type is the record of a datatype that the program has made and committed and whose data lie one behind the
// other, however it was built. Other types have none. It does not change.
type Type struct {
	Handle uintptr // by which the program names it; 0 when it is none. Written last
	Bytes  uint64  // of an element, which is its extent as well
}

// made is the size in bytes of an element of a made type without gaps; 0 for all others.
//
//fast:cold
func (e *Endpoint) made(datatype uintptr) uint64 {
	chunk := e.Types[datatype&objectMask>>ChunkBits]
	if chunk == nil {
		return 0
	}
	t := typeOf(chunk, datatype&chunkMask)
	if atomic.LoadUintptr(&t.Handle) != datatype {
		return 0
	}
	return t.Bytes
}

// dense is the size in bytes of an element of a type without gaps; 0 for all others.
func (e *Endpoint) dense(datatype uintptr) uint64 {
	kind := datatype - FirstType
	if kind >= 256 {
		return e.made(datatype)
	}
	return uint64(e.Sizes[kind])
}

// noSize is the size of what is no dense buffer.
const noSize uint32 = 1<<32 - 1

// size is the size in bytes of a dense buffer; noSize for all others.
func (e *Endpoint) size(buf uintptr, count int32, datatype uintptr) uint32 {
	each := e.dense(datatype)
	size := each * uint64(uint32(count))
	if each == 0 || count < 0 || size > 1<<31-1 || count > 0 && buf < Lowest {
		return noSize
	}
	return uint32(size)
}
