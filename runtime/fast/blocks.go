package fast

import "sync/atomic"

// blocks are the blocks of all ranks, or neighbors, in a buffer. Among neighbors their data may have gaps.
type blocks struct {
	Base    uintptr
	counts  *int32   // elements of each; nil when all blocks have the same size and follow each other
	displs  *int32   // where each begins, in units
	offsets *int64   // the same in bytes, in place of displs; nil when there are none
	types   *uintptr // of each, 0 for bytes; nil when all are of one type
	gapped  uintptr  // handle of that type if it has gaps; else 0
	each    uint32   // size of an element of that type; without counts, of a block
	unit    int64    // of displs, in bytes; without counts, from one block to the next
}

// elementSize is the size in bytes of an element of a datatype without gaps; 0 for all others.
func (d *Datatypes) elementSize(datatype uintptr) uint32 {
	size := d.dense(datatype)
	if size > mostBytes {
		return 0
	}
	return uint32(size)
}

// blocks are the blocks of one datatype in a buffer.
func (d *Datatypes) blocks(buf uintptr, counts, displs *int32, datatype uintptr) blocks {
	each := d.elementSize(datatype)
	return blocks{Base: buf, counts: counts, displs: displs, each: each, unit: int64(each)}
}

// valid reports whether the blocks are written down.
func (b *blocks) valid() bool {
	return !nowhere(b.counts) && !nowhere(b.displs) && (b.types != nil || b.each != 0)
}

// blockSize is the size in bytes of the block for rank r; noSize when it is no dense data.
//
//fast:hot
func (d *Datatypes) blockSize(b *blocks, r uint32) uint32 {
	each := b.each
	if b.counts == nil {
		return each
	}
	if b.types != nil {
		datatype := *handleAt(b.types, int32(r))
		if datatype != 0 {
			each = d.elementSize(datatype)
		}
	}
	count := *intAt(b.counts, int32(r))
	size := uint64(each) * uint64(count)
	if each == 0 || count < 0 || size > 1<<31-1 || count > 0 && b.Base < Lowest {
		return noSize
	}
	return uint32(size)
}

// at is where the block for rank r begins.
//
//fast:hot
func (b *blocks) at(r uint32) uintptr {
	if b.offsets != nil {
		return b.Base + uintptr(*longAt(b.offsets, int32(r)))
	}
	index := int64(r)
	if b.counts != nil {
		index = int64(*intAt(b.displs, int32(r)))
	}
	return b.Base + uintptr(index*b.unit)
}

// within reports whether no block of n ranks is longer than most bytes, and all are dense.
//
//fast:hot
func (d *Datatypes) within(b *blocks, n, most uint32) bool {
	for r := uint32(0); r < n; r++ {
		if d.blockSize(b, r) > most {
			return false
		}
	}
	return true
}

// A contribution that consists of a block for each rank, which may differ in size, begins with a table: an
// entry for each rank, uint32, that says where behind the table its block ends. A block begins where the one
// before it ends. With an entry is said as well that the block comes as a message.
const (
	TableEntry            = 4 // bytes
	TableMessage   uint32 = 1 << 31
	tableMalformed uint32 = 1<<32 - 1
)

// tableSize is how many bytes the blocks for all of n ranks but me take together with their table; noSize
// when these are more than most.
//
//fast:hot
func (d *Datatypes) tableSize(b *blocks, n, me, most uint32) uint32 {
	total := n * TableEntry
	for r := uint32(0); r < n; r++ {
		size := d.blockSize(b, r)
		if size == noSize || r != me && size > most {
			return noSize
		}
		if r != me {
			total += size
		}
		if total > most {
			return noSize
		}
	}
	return total
}

// writeTable writes the blocks for all of n ranks but me behind their table.
//
//fast:hot
func (d *Datatypes) writeTable(b *blocks, table uintptr, n, me uint32) {
	head := n * TableEntry
	end := uint32(0)
	for r := uint32(0); r < n; r++ {
		if r != me {
			size := d.blockSize(b, r)
			move(table+uintptr(head+end), b.at(r), size)
			end += size
		}
		*EntryAt(table, r) = end
	}
}

// BlockIn is block i of a table of n entries in a contribution of length bytes: where it begins behind the
// table's begin, and its size. The size is TableMessage when it comes as a message, and more when the table
// is malformed.
//
//fast:hot
func BlockIn(table uintptr, length, n, i uint32) (offset, size uint32) {
	head := n * TableEntry
	if length < head || i >= n {
		return 0, tableMalformed
	}
	begin := uint32(0)
	if i > 0 {
		begin = atomic.LoadUint32(EntryAt(table, i-1)) &^ TableMessage
	}
	end := atomic.LoadUint32(EntryAt(table, i))
	if end&TableMessage != 0 {
		return 0, TableMessage
	}
	if end < begin || end > length-head {
		return 0, tableMalformed
	}
	return head + begin, end - begin
}
