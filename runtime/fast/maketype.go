package fast

import "sync/atomic"

// C makes datatypes: their bounds and sizes, which the program may ask for, the loops that move their data
// (typeloops.go), and their contents, of which package datatype makes them once more when Go needs them
// (mpi/adopt.go).
//
// Such a type is made of predefined types and of one derived type at most, which knows it (Type.Outer). When
// the program frees that one, Go makes an object of the outer one first.

// How a type was made (MPI 5.0, 20.3).
const (
	combinerDup           int32 = 102
	combinerContiguous    int32 = 103
	combinerVector        int32 = 104
	combinerHvector       int32 = 105
	combinerIndexed       int32 = 106
	combinerHindexed      int32 = 107
	combinerIndexedBlock  int32 = 108
	combinerHindexedBlock int32 = 109
	combinerStruct        int32 = 110
	combinerSubarray      int32 = 111
	combinerResized       int32 = 116
)

// far bounds displacements and sizes, so that sums of some of them do not overflow.
const far int64 = 1 << 60

// part is the record of a type that others are made of here; nil for all others.
func (d *Datatypes) part(handle uintptr) *Type {
	t := d.datatype(handle)
	if t == nil || t.Size == 0 || t.Marked != 0 || t.Size > far>>31 || t.Extent > far>>31 || t.LB > far ||
		t.LB < -far {
		return nil
	}
	return t
}

// hold has a derived type know the type to be that is made of it. It reports false when one of the two knows
// another one.
func (t *Type) hold(of *Type, handle uintptr) bool {
	if handle < FirstObject || handle == t.Inner {
		return true
	}
	if t.Inner != 0 || !atomic.CompareAndSwapUintptr(&of.Outer, 0, t.Next) {
		return false
	}
	t.Inner = handle
	return true
}

// LetGo follows when a type with that handle is none that C has made of others any more.
func (d *Datatypes) LetGo(t *Type, handle uintptr) {
	if t.Inner == 0 {
		return
	}
	inner := d.datatype(t.Inner)
	if inner != nil {
		atomic.CompareAndSwapUintptr(&inner.Outer, handle, 0)
	}
}

// beginType takes a record for a datatype with contents of that many numbers, and with memory for that many
// loops; nil where Go has to make it. Next is the handle that it is to have.
func (o *Objects) beginType(combiner, integers, addresses, types int32, loops int64) *Type {
	if loops < 1 || loops > FewLoops {
		return nil
	}
	numbers := uint64(integers+addresses+types) * 8
	size := numbers
	if loops > 1 {
		size += uint64(loops) * loopSize
	}
	at := o.arena.piece(size)
	if at == 0 {
		return nil
	}
	h := o.takeRecord(KindDatatype)
	if h == 0 {
		o.arena.putPiece(at, size)
		return nil
	}
	t := typeOf(o.Types[h&objectMask>>ChunkBits], h&chunkMask)
	*t = Type{Combiner: combiner, Freeable: 1, Contents: longsAt(at), Memory: size,
		Lengths: TypeLengths{Integers: integers, Addresses: addresses, Types: types}}
	t.All = &t.First
	if loops > 1 {
		t.All = loopsFrom(at + uintptr(numbers))
	}
	t.Lone = 1
	t.Next = h
	return t
}

// endType publishes a datatype that has been made, if it is right and has data; else Go makes it, or says
// what is wrong.
func (o *Objects) endType(t *Type, right bool, datatype uintptr) bool {
	if !right || t.Size == 0 || t.Found > 1 && t.Size > MostPacked || datatype < Lowest {
		o.LetGo(t, t.Next)
		o.putContents(t)
		o.giveRecord(KindDatatype, &t.Record, t.Next)
		return false
	}
	t.Extent -= t.LB
	t.TrueExtent -= t.TrueLB
	if t.Combiner == combinerStruct && t.Align > 1 {
		over := t.Extent % int64(t.Align)
		if over != 0 {
			t.Extent += int64(t.Align) - over
		}
	}
	if t.Found == 1 {
		l := &t.First
		*l = *t.All
		t.All = l
		if l.Off == 0 && l.Count == 1 && t.LB == 0 && t.Extent == t.Size && t.Size <= mostBytes {
			t.Dense = uint64(t.Size)
		}
	}
	t.Commitment = addressOf(&t.Committed)
	if t.Committed != 0 {
		t.Bytes = t.Dense
		t.Loops = t.Found
	}
	t.publish(t.Next, datatype)
	return true
}

// putContents gives back the memory of what C has made: its contents and loops.
func (o *Objects) putContents(t *Type) {
	at := addressOf(t.Contents)
	o.arena.putPiece(at, t.Memory)
}

// addBlock adds n elements of another type at a displacement: count blocks, each stride bytes from the one
// before. Extent and TrueExtent are the upper bounds so far. It reports false for what may be wrong or too
// much.
func (t *Type) addBlock(of *Type, n, at, count, stride int64) bool {
	if n < 0 || count < 0 || at > far || at < -far || t.Size > far || stride > far>>31 || stride < -far>>31 {
		return false
	}
	if n == 0 || count == 0 {
		return true
	}
	low := at
	high := at + (n-1)*of.Extent
	if stride < 0 {
		low += (count - 1) * stride
	} else {
		high += (count - 1) * stride
	}
	if count > far/of.Size/n {
		return false
	}
	if t.Size == 0 {
		t.LB = low + of.LB
		t.Extent = high + of.LB + of.Extent
		t.TrueLB = low + of.TrueLB
		t.TrueExtent = high + of.TrueLB + of.TrueExtent
		t.Basic = of.Basic
		t.Unit = of.Unit
	} else {
		t.LB = min(t.LB, low+of.LB)
		t.Extent = max(t.Extent, high+of.LB+of.Extent)
		t.TrueLB = min(t.TrueLB, low+of.TrueLB)
		t.TrueExtent = max(t.TrueExtent, high+of.TrueLB+of.TrueExtent)
		if t.Basic != of.Basic {
			t.Basic = 0
		}
		if t.Unit != of.Unit {
			t.Unit = 0
		}
	}
	t.Size += count * n * of.Size
	t.Elements += count * n * of.Elements
	t.Align = max(t.Align, of.Align)
	return true
}

// makeVector is what types of blocks at equal distances have in common. stride is in bytes.
func (o *Objects) makeVector(t, of *Type, n, count, stride int64, oldtype, datatype uintptr) bool {
	right := t.hold(of, oldtype) && t.addBlock(of, n, 0, count, stride)
	if right && t.Size != 0 {
		t.copyLoops(of)
		t.wrapLoops(0, n, of.Extent, of.Size)
		t.wrapLoops(0, count, stride, n*of.Size)
	}
	return o.endType(t, right, datatype)
}

// TypeContiguous is MPI_Type_contiguous (MPI 5.0, 5.1.2).
func TypeContiguous(e *Endpoint, count int32, oldtype, newtype uintptr) bool {
	of := e.part(oldtype)
	if of == nil {
		return false
	}
	t := e.beginType(combinerContiguous, 1, 0, 1, of.loopsAround(1))
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = int64(count)
	*longAt(t.Contents, 1) = int64(oldtype)
	return e.makeVector(t, of, int64(count), 1, 0, oldtype, newtype)
}

// TypeVector is MPI_Type_vector.
func TypeVector(e *Endpoint, count, blocklength, stride int32, oldtype, newtype uintptr) bool {
	of := e.part(oldtype)
	if of == nil {
		return false
	}
	t := e.beginType(combinerVector, 3, 0, 1, of.loopsAround(2))
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = int64(count)
	*longAt(t.Contents, 1) = int64(blocklength)
	*longAt(t.Contents, 2) = int64(stride)
	*longAt(t.Contents, 3) = int64(oldtype)
	return e.makeVector(t, of, int64(blocklength), int64(count), int64(stride)*of.Extent, oldtype, newtype)
}

// TypeCreateHvector is MPI_Type_create_hvector.
func TypeCreateHvector(e *Endpoint, count, blocklength int32, stride int64, oldtype, newtype uintptr) bool {
	of := e.part(oldtype)
	if of == nil {
		return false
	}
	t := e.beginType(combinerHvector, 2, 1, 1, of.loopsAround(2))
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = int64(count)
	*longAt(t.Contents, 1) = int64(blocklength)
	*longAt(t.Contents, 2) = stride
	*longAt(t.Contents, 3) = int64(oldtype)
	return e.makeVector(t, of, int64(blocklength), int64(count), stride, oldtype, newtype)
}

// copyOf is what a type has in common with another one that has the same data. Extent and TrueExtent become
// upper bounds.
func (t *Type) copyOf(of *Type, lb, extent int64) {
	t.Size = of.Size
	t.Elements = of.Elements
	t.Basic = of.Basic
	t.Unit = of.Unit
	t.Align = of.Align
	t.LB = lb
	t.Extent = lb + extent
	t.TrueLB = of.TrueLB
	t.TrueExtent = of.TrueLB + of.TrueExtent
	t.copyLoops(of)
}

// TypeCreateResized is MPI_Type_create_resized (MPI 5.0, 5.1.7).
func TypeCreateResized(e *Endpoint, oldtype uintptr, lb, extent int64, newtype uintptr) bool {
	of := e.datatype(oldtype)
	if of == nil || lb > far || lb < -far || extent > far || extent < -far {
		return false
	}
	t := e.beginType(combinerResized, 0, 2, 1, of.loopsFound())
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = lb
	*longAt(t.Contents, 1) = extent
	*longAt(t.Contents, 2) = int64(oldtype)
	t.Marked = 1
	right := t.hold(of, oldtype)
	t.copyOf(of, lb, extent)
	return e.endType(t, right, newtype)
}

// TypeDup is MPI_Type_dup (MPI 5.0, 5.1.10) of a type without attributes.
func TypeDup(e *Endpoint, oldtype, newtype uintptr) bool {
	of := e.datatype(oldtype)
	if of == nil || atomic.LoadUintptr(&of.Attributes) != 0 {
		return false
	}
	t := e.beginType(combinerDup, 0, 0, 1, of.loopsFound())
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = int64(oldtype)
	t.Marked = of.Marked
	right := t.hold(of, oldtype)
	t.copyOf(of, of.LB, of.Extent)
	if loopsOf(of) != 0 {
		t.Committed = 1
	}
	return e.endType(t, right, newtype)
}

// namesTypes reports whether something is under way that may name the record of a datatype.
func (e *Endpoint) namesTypes() bool {
	return (atomic.LoadUint32(&e.TypedPosted) | atomic.LoadUint32(&e.TypedPersistent) |
		atomic.LoadUint32(&e.Collectives)) != 0
}

// TypeFree is MPI_Type_free (MPI 5.0, 5.1.9) of a datatype without attributes. What names its record goes on
// in Go before that ends.
func TypeFree(e *Endpoint, datatype uintptr) bool {
	if datatype < Lowest {
		return false
	}
	h := *wordAt(datatype)
	t := e.datatype(h)
	if t == nil || t.Freeable == 0 || (atomic.LoadUintptr(&t.Attributes)|atomic.LoadUintptr(&t.Outer)) != 0 {
		return false
	}
	if t.isLone() && e.namesTypes() {
		return false
	}
	if !t.end(h) {
		return false
	}
	if t.isLone() {
		e.LetGo(t, h)
		e.putContents(t)
	}
	e.retire(KindDatatype, &t.Record, h)
	*wordAt(datatype) = FirstType // MPI_DATATYPE_NULL
	return true
}
