package fast

// Datatypes of lists of blocks, and parts of arrays.

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
}

// makeBlocks makes a type of a list of blocks.
func (o *Objects) makeBlocks(combiner int32, x *blockList) bool {
	each := int32(1) // types per block, or one for all
	if x.types == nil {
		each = 0
	}
	if x.count <= 0 || x.count > mostBlocks {
		return false
	}
	integers := int32(1)
	addresses := int32(0)
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
	t := o.beginType(combiner, integers, addresses, 1+(x.count-1)*each)
	if t == nil {
		return false
	}
	*longAt(t.Contents, 0) = int64(x.count)
	if x.lengths == nil {
		*longAt(t.Contents, 1) = int64(x.length)
	}
	right := true
	for i := int32(0); right && i < x.count; i++ {
		right = o.addListed(t, x, i)
	}
	return o.endType(t, right, x.new)
}

// addListed adds block i of a list, and writes its part of the contents.
func (o *Objects) addListed(t *Type, x *blockList, i int32) bool {
	n := x.length
	at := int32(2)
	if x.lengths != nil {
		n = *intAt(x.lengths, i)
		at = 1 + x.count
		*longAt(t.Contents, 1+i) = int64(n)
	}
	handle := x.oldtype
	if x.types != nil {
		handle = *handleAt(x.types, i)
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
	if x.types != nil {
		*longAt(t.Contents, at+x.count+i) = int64(handle)
	} else {
		*longAt(t.Contents, at+x.count) = int64(handle)
	}
	return t.hold(of, handle) && t.addBlock(of, int64(n), place, 1, 0)
}

// TypeIndexed is MPI_Type_indexed.
func TypeIndexed(e *Endpoint, count int32, lengths, displs *int32, oldtype, newtype uintptr) bool {
	x := blockList{count: count, lengths: lengths, displs: displs, oldtype: oldtype, new: newtype}
	return !nowhere(lengths) && !nowhere(displs) && e.makeBlocks(combinerIndexed, &x)
}

// TypeCreateHindexed is MPI_Type_create_hindexed.
func TypeCreateHindexed(e *Endpoint, count int32, lengths *int32, displs, oldtype, newtype uintptr) bool {
	x := blockList{count: count, lengths: lengths, places: longsAt(displs), oldtype: oldtype, new: newtype}
	return !nowhere(lengths) && displs >= Lowest && e.makeBlocks(combinerHindexed, &x)
}

// TypeCreateIndexedBlock is MPI_Type_create_indexed_block.
func TypeCreateIndexedBlock(e *Endpoint, count, length int32, displs *int32, oldtype, newtype uintptr) bool {
	x := blockList{count: count, length: length, displs: displs, oldtype: oldtype, new: newtype}
	return !nowhere(displs) && e.makeBlocks(combinerIndexedBlock, &x)
}

// TypeCreateHindexedBlock is MPI_Type_create_hindexed_block.
func TypeCreateHindexedBlock(e *Endpoint, count, length int32, displs, oldtype, newtype uintptr) bool {
	x := blockList{count: count, length: length, places: longsAt(displs), oldtype: oldtype, new: newtype}
	return displs >= Lowest && e.makeBlocks(combinerHindexedBlock, &x)
}

// TypeCreateStruct is MPI_Type_create_struct.
func TypeCreateStruct(e *Endpoint, count int32, lengths *int32, displs uintptr, types *uintptr,
	newtype uintptr) bool {
	x := blockList{count: count, lengths: lengths, places: longsAt(displs), types: types, new: newtype}
	return !nowhere(lengths) && displs >= Lowest && !nowhere(types) && e.makeBlocks(combinerStruct, &x)
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
	if of == nil || dims <= 0 || dims > mostBlocks || nowhere(sizes) || nowhere(subsizes) ||
		nowhere(starts) || order != orderC && order != orderFortran {
		return false
	}
	t := e.beginType(combinerSubarray, 2+3*dims, 0, 1)
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
