package main

// #include "typecache.h"
import "C"

import (
	"sync/atomic"

	"gompi/mpi"
	"gompi/runtime/datatype"
)

// typeCache is what typecache.h tells the stubs (mpi.TypeCache).
type typeCache struct{}

// typecache.h knows the shape of handles by numbers of its own, which have to be these.
var (
	_ = [1]struct{}{}[C.GOMPI_TYPECACHE_KIND-mpi.KindDatatype]
	_ = [1]struct{}{}[C.GOMPI_TYPECACHE_KIND_SHIFT-mpi.KindShift]
	_ = [1]struct{}{}[1<<C.GOMPI_TYPECACHE_INDEX_BITS-1-mpi.IndexMask]
)

// cacheChunks are the addresses of the chunks of entries that were made, by number.
var cacheChunks [C.GOMPI_TYPECACHE_CHUNKS]atomic.Uintptr

// entryAt is the address of the entry of the type with handle h; 0 when there is no memory for it, in which
// case the stubs ask Go.
func entryAt(h uintptr) uintptr {
	index := h & mpi.IndexMask
	number := index >> C.GOMPI_TYPECACHE_CHUNK_BITS
	chunk := cacheChunks[number].Load()
	if chunk == 0 {
		chunk = uintptr(C.gompi_typecache_chunk(C.uint32_t(number)))
		cacheChunks[number].Store(chunk)
	}
	if chunk == 0 {
		return 0
	}
	return chunk + index%C.GOMPI_TYPECACHE_ENTRIES*C.sizeof_struct_gompi_cached_type
}

// Write lets the stubs tell of the type with handle h.
func (typeCache) Write(h uintptr, t *datatype.Type) { writeEntry(entryAt(h), h, t) }

func writeEntry(entry, h uintptr, t *datatype.Type) {
	if entry == 0 {
		return
	}
	elements, _ := t.Elements(t.Size())
	for i, v := range [...]int64{t.Size(), t.LB(), t.Extent(), t.TrueLB(), t.TrueExtent(), elements} {
		mpi.StoreInt64(entry+C.GOMPI_TYPECACHE_SIZES+uintptr(i)*8, v)
	}
	if t.Committed() {
		writeLoops(entry, t)
	}
	mpi.PublishWord(entry, h)
}

// Where in an entry the layout of a type stands, in bytes.
const (
	loopSize                         = C.sizeof_struct_gompi_loop
	entryFirst, entryAll, entryLoops = C.GOMPI_TYPECACHE_FIRST, C.GOMPI_TYPECACHE_ALL, C.GOMPI_TYPECACHE_COUNT
)

// WriteLoops lets the stubs move data of a type that has been committed. One loop stands in the entry itself.
func (typeCache) WriteLoops(h uintptr, t *datatype.Type) { writeLoops(entryAt(h), t) }

func writeLoops(entry uintptr, t *datatype.Type) {
	if entry == 0 || mpi.LoadWord(entry+entryLoops) != 0 {
		return
	}
	loops := t.Loops(C.GOMPI_TYPECACHE_LOOPS)
	all := entry + entryFirst
	if len(loops) > 1 {
		all = uintptr(C.gompi_typecache_loops(C.uint32_t(len(loops))))
	}
	if len(loops) == 0 || all == 0 {
		return
	}
	for i, l := range loops {
		for k, v := range [...]int64{l.Off, l.Count, l.Stride, l.Size, l.Inner} {
			mpi.StoreInt64(all+uintptr(i)*loopSize+uintptr(k)*8, v)
		}
	}
	mpi.StoreWord(entry+entryAll, all)
	mpi.PublishWord(entry+entryLoops, uintptr(len(loops)))
}

// Take keeps the stubs from telling of the type that had handle h. No call uses it any more.
func (typeCache) Take(h uintptr) {
	entry := entryAt(h)
	if entry == 0 {
		return
	}
	mpi.PublishWord(entry, 0)
	if mpi.LoadWord(entry+entryLoops) > 1 {
		C.gompi_typecache_loops_free(C.uintptr_t(mpi.LoadWord(entry + entryAll)))
	}
	mpi.PublishWord(entry+entryLoops, 0)
}

// WriteNamed writes the entries of the predefined types.
func (typeCache) WriteNamed() {
	for i := range uintptr(C.GOMPI_TYPECACHE_ENTRIES) {
		if t := datatype.ByHandle(uint32(mpi.TypeNull + i)); t != nil {
			writeEntry(uintptr(C.gompi_typecache_entry_named(C.uint32_t(i))), mpi.TypeNull+i, t)
		}
	}
}
