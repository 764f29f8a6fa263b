package fast

// Datatypes of lists of blocks, and parts of arrays.

// mostBlocks bounds the blocks, and the dimensions, of a type that C makes.
const mostBlocks = 64

// blockList is the arguments of the constructors with a list of blocks: their lengths, or one for all, and
// their displacements, either in elements of one type or in bytes.
type blockList struct {
	count        int32
	lengths      *int32
	length       int32  // where there are no lengths
	displs       *int32 // in elements; nil where there are places
	places       *int64 // in bytes
	types        *uintptr
	oldtype, new uintptr
	run          int64 // how many loops there are up to the run that the block before is; 0 where it is none
}

// makeType makes a type of the list of blocks.
func (x *blockList) makeType(o *Objects, combiner int32) bool {
	if x.count <= 0 || x.count > mostBlocks {
		return false
	}
	integers := int32(1)
	addresses := int32(0)
	types := int32(1)
	if x.lengths != nil {
		integers += x.count
	} else {
		integers++
	}
	if x.displs != nil {
		integers += x.count
	} else {
		addresses = x.count
	}
	if x.types != nil {
		types = x.count
	}
	t := o.beginType(combiner, integers, addresses, types, FewLoops)
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = int64(x.count)
	if x.lengths == nil {
		*longAt(t.Contents, 1) = int64(x.length)
	}
	right := true
	for i := int32(0); right && i < x.count; i++ {
		right = x.addListed(o, t, i)
	}
	t.joinRuns()
	return o.endType(t, right, x.new)
}

// addListed adds block i to the type, and writes its part of the contents.
func (x *blockList) addListed(o *Objects, t *Type, i int32) bool {
	n := x.length
	at := int32(2) // of the displacements among the contents
	if x.lengths != nil {
		n = *intAt(x.lengths, i)
		at = 1 + x.count
		*longAt(t.Contents, 1+i) = int64(n)
	}
	handle := x.oldtype
	if x.types != nil {
		handle = *handleAt(x.types, i)
		*longAt(t.Contents, at+x.count+i) = int64(handle)
	} else {
		*longAt(t.Contents, at+x.count) = int64(handle)
	}
	of := o.part(handle)
	if of == nil {
		return false
	}
	place := int64(0)
	if x.displs != nil {
		place = int64(*intAt(x.displs, i))
		*longAt(t.Contents, at+i) = place
		place *= of.Extent
	} else {
		place = *longAt(x.places, i)
		*longAt(t.Contents, at+i) = place
	}
	if !t.hold(of, handle) || !t.addBlock(of, int64(n), place, 1, 0) {
		return false
	}
	return n == 0 || t.placeLoops(of, int64(n), place, x)
}

// placeLoops adds the loops of n elements of another type at a displacement, where there is memory for them.
// A run that follows the run that the block before is becomes part of that.
func (t *Type) placeLoops(of *Type, n, place int64, x *blockList) bool {
	first := t.Found
	more := of.loopsAround(1)
	if more == 0 || first+more > FewLoops {
		return false
	}
	t.copyLoops(of)
	t.wrapLoops(first, n, of.Extent, of.Size)
	t.shiftLoops(first, place)
	l := loopAt(t.All, first)
	if t.Found-first != 1 || l.Count != 1 {
		x.run = 0
		return true
	}
	if x.run != 0 {
		before := loopAt(t.All, x.run-1)
		if before.Off+before.Size == l.Off {
			before.Size += l.Size
			t.Found = first
			return true
		}
	}
	x.run = t.Found
	return true
}

// joinRuns makes one loop of runs of equal size at equal distances.
func (t *Type) joinRuns() {
	if t.Found < 2 {
		return
	}
	first := t.All
	second := loopAt(t.All, 1)
	stride := second.Off - first.Off
	for i := int64(0); i < t.Found; i++ {
		l := loopAt(t.All, i)
		if l.Count != 1 || l.Inner != 0 || l.Size != first.Size || l.Off != first.Off+i*stride {
			return
		}
	}
	first.Count = t.Found
	first.Stride = stride
	t.Found = 1
}

// TypeIndexed is MPI_Type_indexed (MPI 5.0, 5.1.2).
func TypeIndexed(e *Endpoint, count int32, lengths, displs *int32, oldtype, newtype uintptr) bool {
	x := blockList{count: count, lengths: lengths, displs: displs, oldtype: oldtype, new: newtype}
	return !nowhere(lengths) && !nowhere(displs) && x.makeType(&e.Objects, combinerIndexed)
}

// TypeCreateHindexed is MPI_Type_create_hindexed.
func TypeCreateHindexed(e *Endpoint, count int32, lengths *int32, displs *int64,
	oldtype, newtype uintptr) bool {
	x := blockList{count: count, lengths: lengths, places: displs, oldtype: oldtype, new: newtype}
	return !nowhere(lengths) && !nowhere(displs) && x.makeType(&e.Objects, combinerHindexed)
}

// TypeCreateIndexedBlock is MPI_Type_create_indexed_block.
func TypeCreateIndexedBlock(e *Endpoint, count, length int32, displs *int32, oldtype, newtype uintptr) bool {
	x := blockList{count: count, length: length, displs: displs, oldtype: oldtype, new: newtype}
	return !nowhere(displs) && x.makeType(&e.Objects, combinerIndexedBlock)
}

// TypeCreateHindexedBlock is MPI_Type_create_hindexed_block.
func TypeCreateHindexedBlock(e *Endpoint, count, length int32, displs *int64, oldtype, newtype uintptr) bool {
	x := blockList{count: count, length: length, places: displs, oldtype: oldtype, new: newtype}
	return !nowhere(displs) && x.makeType(&e.Objects, combinerHindexedBlock)
}

// TypeCreateStruct is MPI_Type_create_struct.
func TypeCreateStruct(e *Endpoint, count int32, lengths *int32, displs *int64, types *uintptr,
	newtype uintptr) bool {
	x := blockList{count: count, lengths: lengths, places: displs, types: types, new: newtype}
	return !nowhere(lengths) && !nowhere(displs) && !nowhere(types) && x.makeType(&e.Objects, combinerStruct)
}

// orderC and orderFortran are MPI_ORDER_C and MPI_ORDER_FORTRAN.
const (
	orderC       int32 = 12
	orderFortran int32 = 15
)

// cut adds the part of an array of a type to a type to be: subsizes[i] elements from starts[i] on in each
// dimension of sizes[i].
func (t *Type) cut(of *Type, dims int32, sizes, subsizes, starts *int32, order int32) bool {
	first := int64(0)
	last := int64(0)
	inside := int64(1)
	all := int64(1)
	t.copyLoops(of)
	for k := int32(0); k < dims; k++ {
		d := k
		if order == orderC {
			d = dims - 1 - k
		}
		size := int64(*intAt(sizes, d))
		sub := int64(*intAt(subsizes, d))
		start := int64(*intAt(starts, d))
		if size < 1 || sub < 1 || sub > size || start < 0 || start > size-sub || all > far/of.Extent/size {
			return false
		}
		t.wrapLoops(0, sub, all*of.Extent, inside*of.Size)
		first += start * all
		last += (start + sub - 1) * all
		inside *= sub
		all *= size
		*longAt(t.Contents, 1+d) = size
		*longAt(t.Contents, 1+dims+d) = sub
		*longAt(t.Contents, 1+2*dims+d) = start
	}
	if !t.addBlock(of, 1, 0, inside, 0) {
		return false
	}
	t.shiftLoops(0, first*of.Extent)
	t.LB = 0
	t.Extent = all * of.Extent
	t.TrueLB = first*of.Extent + of.TrueLB
	t.TrueExtent = last*of.Extent + of.TrueLB + of.TrueExtent
	return true
}

// TypeCreateSubarray is MPI_Type_create_subarray (MPI 5.0, 5.1.3).
func TypeCreateSubarray(e *Endpoint, dims int32, sizes, subsizes, starts *int32, order int32, oldtype,
	newtype uintptr) bool {
	of := e.part(oldtype)
	if of == nil || of.Extent <= 0 || dims <= 0 || dims > mostBlocks || nowhere(sizes) || nowhere(subsizes) ||
		nowhere(starts) || order != orderC && order != orderFortran {
		return false
	}
	t := e.beginType(combinerSubarray, 2+3*dims, 0, 1, of.loopsAround(int64(dims)))
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = int64(dims)
	*longAt(t.Contents, 1+3*dims) = int64(order)
	*longAt(t.Contents, 2+3*dims) = int64(oldtype)
	t.Marked = 1
	right := t.hold(of, oldtype) && t.cut(of, dims, sizes, subsizes, starts, order)
	return e.endType(t, right, newtype)
}
