package fast

import "sync/atomic"

// blocks are the blocks of dense data of all ranks in a buffer, as the v and w forms of collective operations
// have them.
type blocks struct {
	Base           uintptr
	counts, displs *int32
	types          *uintptr // of each, with displs in bytes; nil when all are of one type
	each           uint32   // size of an element of that type, in which displs count
}

// elementSize is the size of an element of a dense predefined datatype; 0 for all others. A list of types is
// looked at again when a nonblocking operation ends, when the program may have freed those that it has made.
func (d *Datatypes) elementSize(datatype uintptr) uint32 {
	kind := datatype - FirstType
	if kind >= 256 {
		return 0
	}
	return uint32(d.Sizes[kind])
}

// blocks are the blocks of one datatype in a buffer.
func (d *Datatypes) blocks(buf uintptr, counts, displs *int32, datatype uintptr) blocks {
	return blocks{Base: buf, counts: counts, displs: displs, each: uint32(d.dense(datatype))}
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
	if b.types != nil {
		each = d.elementSize(*handleAt(b.types, int32(r)))
	}
	count := *intAt(b.counts, int32(r))
	size := uint64(each) * uint64(count)
	if each == 0 || count < 0 || size > 1<<31-1 || count > 0 && b.Base < Lowest {
		return noSize
	}
	return uint32(size)
}

// at is where the block for rank r begins.
func (b *blocks) at(r uint32) uintptr {
	unit := int64(1)
	if b.types == nil {
		unit = int64(b.each)
	}
	return b.Base + uintptr(int64(*intAt(b.displs, int32(r)))*unit)
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
