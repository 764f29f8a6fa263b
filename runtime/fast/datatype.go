package fast

import "sync/atomic"

// Type is the record of a datatype. It is written when the datatype gets its handle. Bytes, All and Loops
// follow at MPI_Type_commit, Contents when somebody has asked for them, Name and Attributes when there are
// any.
type Type struct {
	Record
	Bytes      uint64 // of an element that has been committed and has no gaps, its extent as well; else 0
	Size       int64  // bytes of data in an element
	LB, Extent int64
	Loops      int64 // that move the data of an element; 0 when there are none, or before MPI_Type_commit
	All        *Loop // these: First, or memory of their own, or behind the contents
	Elements   int64 // basic ones in an element

	TrueLB, TrueExtent int64
	First              Loop
	Contents           *int64  // integers, addresses, counts, handles of types; nil when not known here
	Name               uintptr // address of its Name; 0 as long as it has none
	Attributes         uintptr // address of its Attributes, likewise
	Freeable           uint32  // 1: the program has made it, and may free it
	Commitment         uintptr // address of a word that becomes 1 at MPI_Type_commit; 0 where Go does more
	Committed          uint32  // such a word, of a type that C has made
	Found              int64   // where there is such a word: what Loops becomes then
	Marked             uint32  // 1: its bounds were set, and do not follow the data
	Inner              uintptr // derived type of which C has made it, as long as Go has no object; 0 for none
	Outer              uintptr // type that C has made of this one, likewise
	Dense              uint64  // what Bytes becomes then
	Basic              uint32  // bytes of each basic element, if they are all alike; else 0
	Unit               uint32  // bytes of each number in its data, if external32 reverses all of them; else 0
	Align              uint32  // alignment that compilers give it, in bytes
	Memory             uint64  // bytes at Contents, where the loops of what C has made stand as well; else 0
	Combiner           int32   // MPI_COMBINER_NAMED, ...
	Lengths            TypeLengths
}

// TypeLengths are the lengths of the arrays of MPI_Type_get_contents.
type TypeLengths struct{ Integers, Addresses, Counts, Types int32 }

// Loop is one loop of a datatype's layout: the loops of an element stand in a row, each ahead of its body.
type Loop struct {
	Off    int64 // displacement of the first turn from the address of the enclosing turn
	Count  int64 // turns, > 0
	Stride int64 // bytes of memory from one turn to the next
	Size   int64 // bytes of data in one turn, > 0
	Inner  int64 // how many of the loops behind this one are its body; 0 where a turn moves one run
}

// MostPacked bounds the data, in bytes, that is packed by the loops of a record. For more a call into Go does
// not count.
const MostPacked = 64 << 10

// MostListed is MostPacked for types of more than FewLoops loops, for which package datatype has something
// quicker.
const (
	MostListed = 1 << 10
	FewLoops   = 16
)

// Datatypes is the records of datatypes.
type Datatypes struct {
	Types [Chunks]*Type
	Sizes [256]uint8 // of dense predefined datatypes in bytes, by the low byte of their handles; or 0
}

// datatype is the record of a datatype; nil when there is none.
func (d *Datatypes) datatype(handle uintptr) *Type {
	chunk := d.Types[handle&objectMask>>ChunkBits]
	if chunk == nil {
		return nil
	}
	t := typeOf(chunk, handle&chunkMask)
	if atomic.LoadUintptr(&t.Handle) != handle {
		return nil
	}
	return t
}

// made is the size in bytes of an element of a made type without gaps; 0 for all others.
//
//fast:cold
func (d *Datatypes) made(datatype uintptr) uint64 {
	t := d.datatype(datatype)
	if t == nil {
		return 0
	}
	return atomic.LoadUint64(&t.Bytes)
}

// dense is the size in bytes of an element of a type without gaps; 0 for all others.
func (d *Datatypes) dense(datatype uintptr) uint64 {
	kind := datatype - FirstType
	if kind >= 256 {
		return d.made(datatype)
	}
	return uint64(d.Sizes[kind])
}

// noSize is the size of what is no dense buffer.
const noSize uint32 = 1<<32 - 1

// size is the size in bytes of a dense buffer; noSize for all others.
func (d *Datatypes) size(buf uintptr, count int32, datatype uintptr) uint32 {
	each := d.dense(datatype)
	size := each * uint64(uint32(count))
	if each == 0 || count < 0 || size > mostBytes || count > 0 && buf < Lowest {
		return noSize
	}
	return uint32(size)
}

// mostBytes is the largest int.
const mostBytes = 1<<31 - 1

// TypeCommit is MPI_Type_commit (MPI 5.0, 5.1.9) of a datatype whose loops have been found, or that has been
// committed. Go finds the loops of others now: a request that is prepared before they are known would be Go's
// for good.
func TypeCommit(e *Endpoint, datatype uintptr) bool {
	if datatype < Lowest {
		return false
	}
	t := e.datatype(*wordAt(datatype))
	if t == nil {
		return false
	}
	if t.Loops == 0 {
		commitment := atomic.LoadUintptr(&t.Commitment)
		if commitment == 0 {
			return false
		}
		atomic.StoreUint32(word32At(commitment), 1)
		atomic.StoreUint64(&t.Bytes, t.Dense)
		commit(t, t.Found)
	}
	return true
}

// TypeSize is MPI_Type_size (MPI 5.0, 5.1.5).
func TypeSize(e *Endpoint, datatype uintptr, size *int32) bool {
	t := e.datatype(datatype)
	if t == nil || nowhere(size) || t.Size > mostBytes {
		return false
	}
	*size = int32(t.Size)
	return true
}

// TypeSizeC is MPI_Type_size_c.
func TypeSizeC(e *Endpoint, datatype uintptr, size *int64) bool {
	t := e.datatype(datatype)
	if t == nil || nowhere(size) {
		return false
	}
	*size = t.Size
	return true
}

// TypeGetExtent is MPI_Type_get_extent (MPI 5.0, 5.1.6) and its large-count twin.
func TypeGetExtent(e *Endpoint, datatype uintptr, lb, extent *int64) bool {
	t := e.datatype(datatype)
	if t == nil || nowhere(lb) || nowhere(extent) {
		return false
	}
	*lb = t.LB
	*extent = t.Extent
	return true
}

// TypeGetTrueExtent is MPI_Type_get_true_extent (MPI 5.0, 5.1.8) and its large-count twin.
func TypeGetTrueExtent(e *Endpoint, datatype uintptr, lb, extent *int64) bool {
	t := e.datatype(datatype)
	if t == nil || nowhere(lb) || nowhere(extent) {
		return false
	}
	*lb = t.TrueLB
	*extent = t.TrueExtent
	return true
}

// TypeGetEnvelope is MPI_Type_get_envelope (MPI 5.0, 5.1.13).
func TypeGetEnvelope(e *Endpoint, datatype uintptr, integers, addresses, types, combiner *int32) bool {
	t := e.datatype(datatype)
	if t == nil || t.Lengths.Counts != 0 || nowhere(integers) || nowhere(addresses) || nowhere(types) ||
		nowhere(combiner) {
		return false
	}
	*integers = t.Lengths.Integers
	*addresses = t.Lengths.Addresses
	*types = t.Lengths.Types
	*combiner = t.Combiner
	return true
}

// TypeGetEnvelopeC is MPI_Type_get_envelope_c.
func TypeGetEnvelopeC(e *Endpoint, datatype uintptr, integers, addresses, counts, types *int64,
	combiner *int32) bool {
	t := e.datatype(datatype)
	if t == nil || nowhere(integers) || nowhere(addresses) || nowhere(counts) || nowhere(types) ||
		nowhere(combiner) {
		return false
	}
	*integers = int64(t.Lengths.Integers)
	*addresses = int64(t.Lengths.Addresses)
	*counts = int64(t.Lengths.Counts)
	*types = int64(t.Lengths.Types)
	*combiner = t.Combiner
	return true
}

// TypeGetContentsC is MPI_Type_get_contents_c (MPI 5.0, 5.1.13) where no type among the contents is one for
// which the program gets a new handle.
func TypeGetContentsC(e *Endpoint, datatype uintptr, maxIntegers, maxAddresses, maxCounts, maxTypes int64,
	integers *int32, addresses, counts *int64, types *uintptr) bool {
	t := e.datatype(datatype)
	if t == nil || t.Inner != 0 {
		return false
	}
	from := contentsOf(t)
	n := &t.Lengths
	if from == nil || maxIntegers < int64(n.Integers) || n.Integers > 0 && nowhere(integers) ||
		maxAddresses < int64(n.Addresses) || n.Addresses > 0 && nowhere(addresses) ||
		maxCounts < int64(n.Counts) || n.Counts > 0 && nowhere(counts) ||
		maxTypes < int64(n.Types) || n.Types > 0 && nowhere(types) {
		return false
	}
	for i := int32(0); i < n.Integers; i++ {
		*intAt(integers, i) = int32(*longAt(from, i))
	}
	from = longAt(from, n.Integers)
	for i := int32(0); i < n.Addresses; i++ {
		*longAt(addresses, i) = *longAt(from, i)
	}
	from = longAt(from, n.Addresses)
	for i := int32(0); i < n.Counts; i++ {
		*longAt(counts, i) = *longAt(from, i)
	}
	from = longAt(from, n.Counts)
	for i := int32(0); i < n.Types; i++ {
		*handleAt(types, i) = uintptr(*longAt(from, i))
	}
	return true
}

// TypeGetContents is MPI_Type_get_contents.
func TypeGetContents(e *Endpoint, datatype uintptr, maxIntegers, maxAddresses, maxTypes int32,
	integers *int32, addresses *int64, types *uintptr) bool {
	return TypeGetContentsC(e, datatype, int64(maxIntegers), int64(maxAddresses), 0, int64(maxTypes),
		integers, addresses, nil, types)
}

// wholes is how many elements of that many bytes there are in so many; -1 when the last one is not whole.
func wholes(bytes, size uint64) int64 {
	if size == 0 {
		return -1
	}
	n := uint64(0)
	if size&(size-1) == 0 {
		n = quotient(bytes, size)
	} else {
		n = bytes / size
	}
	if n*size != bytes {
		return -1
	}
	return int64(n)
}

// bytes is how many bytes of data a status tells of.
func (s *Status) bytes() uint64 {
	return uint64(uint32(s.Internal[0])) | uint64(uint32(s.Internal[1]))<<32
}

// GetCountC is MPI_Get_count_c (MPI 5.0, 3.2.5) of whole elements.
func GetCountC(e *Endpoint, status *Status, datatype uintptr, count *int64) bool {
	t := e.datatype(datatype)
	if t == nil || nowhere(status) || nowhere(count) {
		return false
	}
	n := wholes(status.bytes(), uint64(t.Size))
	if n < 0 {
		return false
	}
	*count = n
	return true
}

// GetCount is MPI_Get_count.
func GetCount(e *Endpoint, status *Status, datatype uintptr, count *int32) bool {
	n := int64(0)
	if nowhere(count) || !GetCountC(e, status, datatype, &n) || n > mostBytes {
		return false
	}
	*count = int32(n)
	return true
}

// GetElementsC is MPI_Get_elements_c (MPI 5.0, 5.1.11), of a part of an element where its basic elements are
// all alike.
func GetElementsC(e *Endpoint, status *Status, datatype uintptr, count *int64) bool {
	t := e.datatype(datatype)
	if t == nil || nowhere(status) || nowhere(count) {
		return false
	}
	n := wholes(status.bytes(), uint64(t.Size))
	each := t.Elements
	if n < 0 {
		n = wholes(status.bytes(), uint64(t.Basic))
		each = 1
	}
	if n < 0 || n > mostBytes || each > mostBytes {
		return false
	}
	*count = n * each
	return true
}

// GetElements is MPI_Get_elements.
func GetElements(e *Endpoint, status *Status, datatype uintptr, count *int32) bool {
	n := int64(0)
	if nowhere(count) || !GetElementsC(e, status, datatype, &n) || n > mostBytes {
		return false
	}
	*count = int32(n)
	return true
}

// StatusSetElementsC is MPI_Status_set_elements_c (MPI 5.0, 13.3) of basic elements that are all alike.
func StatusSetElementsC(e *Endpoint, status *Status, datatype uintptr, count int64) bool {
	t := e.datatype(datatype)
	if t == nil || t.Basic == 0 && t.Elements != 1 || nowhere(status) || count < 0 || count > mostBytes ||
		t.Size > mostBytes {
		return false
	}
	n := t.Size * count
	if t.Elements != 1 {
		n = int64(t.Basic) * count
	}
	status.Internal[0] = int32(n)
	status.Internal[1] = int32(n >> 32)
	return true
}

// StatusSetElements is MPI_Status_set_elements.
func StatusSetElements(e *Endpoint, status *Status, datatype uintptr, count int32) bool {
	return StatusSetElementsC(e, status, datatype, int64(count))
}

// PackSizeC is MPI_Pack_size_c (MPI 5.0, 5.2).
func PackSizeC(e *Endpoint, count int64, datatype, comm uintptr, size *int64) bool {
	t := e.datatype(datatype)
	if t == nil || e.known(comm) == nil || nowhere(size) || count < 0 || count > mostBytes ||
		t.Size > mostBytes {
		return false
	}
	*size = t.Size * count
	return true
}

// PackSize is MPI_Pack_size.
func PackSize(e *Endpoint, count int32, datatype, comm uintptr, size *int32) bool {
	n := int64(0)
	if nowhere(size) || !PackSizeC(e, int64(count), datatype, comm, &n) || n > mostBytes {
		return false
	}
	*size = int32(n)
	return true
}
