package fast

import "sync/atomic"

// Reductions by functions of the program's, and of elements with gaps (MPI 5.0, 6.9.5). Cells hold the data
// alone. A function, and a kernel that combines elements with gaps, is given elements as the program lays
// them out. The outcome takes the place of the right operand, which is copied first for that. The copies are
// images: they stand in private memory, gaps included.

const (
	mostImages = 16 << 10 // bytes that the contributions of all ranks take at most with their gaps
	imageAlign = 64
	// The memory of all images with what alignment takes. The data of one contribution follows.
	imagesRoom = mostImages + 64*2*imageAlign
	imageRoom  = imagesRoom + mostImages
)

// images is the operands of a reduction. A CollOp that is in registers is not to be pointed to for it.
type images struct {
	r        reduction
	datatype uintptr
	ranks    uint32 // how many there are,
	laid     uint32 // and whose data is not in a cell; no rank if all is
	count    uint32 // elements of each
	scan     bool
	to       uintptr // where the outcome goes

	bytes uint32  // of the data of each
	apart uint32  // from where one's elements begin to where the next one's do
	first uintptr // where those of rank 0 do
	spare uintptr // room for the data of one
}

// laid is how the data of that many elements lies; the size is 0 where that is not plain.
func (t *Type) laid(count int32) reduction {
	r := reduction{}
	if count <= 0 || loopsOf(t) == 0 || t.Size <= 0 || t.Size > mostImages {
		return r
	}
	bytes := t.Size * int64(count)
	if bytes > mostImages {
		return r
	}
	if atomic.LoadUint64(&t.Bytes) == 0 {
		if t.Extent < 0 || t.Extent > mostImages || t.TrueExtent > mostImages {
			return r
		}
		span := t.TrueExtent + t.Extent*int64(count-1)
		if span > mostImages {
			return r
		}
		r.span = uint32(span)
		r.gaps = t
	}
	r.size = uint32(t.Size)
	r.bytes = uint32(bytes)
	return r
}

// kindOf is the kind of the elements of a predefined datatype that an operation of that kind combines.
func (c *Combining) kindOf(datatype, op uintptr) uint32 {
	if op-FirstOp >= Ops || datatype-FirstType >= 256 {
		return 0
	}
	return uint32(c.Reductions[op-FirstOp][datatype-FirstType])
}

// others fills in what a reduction does with contributions that no kernel combines where they stand: elements
// with gaps, or those that a function of the program's combines.
//
//fast:cold
func (o *Objects) others(r *reduction, buf uintptr, count int32, datatype, op uintptr) {
	t := o.datatype(datatype)
	if t == nil || buf < Lowest {
		return
	}
	*r = t.laid(count)
	if r.size == 0 {
		return
	}
	if op-FirstOp < Ops {
		r.op = uint32(op - FirstOp)
		r.kind = o.kindOf(datatype, op)
		return
	}
	record := o.operation(op)
	if record != nil && record.Function|record.Large != 0 {
		r.kind = byFunction
		r.by = record
	}
}

// elements is what the reduction of an operation that has begun does with its elements.
//
//fast:hot
func (x *CollOp) elements(e *Endpoint) reduction {
	if x.Op-FirstOp < Ops {
		r := e.elements(x.Type, x.Op, x.Count)
		if r.size != 0 {
			return r
		}
	}
	return e.otherElements(x.Type, x.Op, x.Count)
}

// otherElements is elements where the program may have freed the datatype and the operation, whose records
// last as long as the operation.
//
//fast:cold
func (o *Objects) otherElements(datatype, op uintptr, count uint32) reduction {
	t := o.typeAt(datatype)
	r := t.laid(int32(count))
	if op-FirstOp < Ops {
		r.op = uint32(op - FirstOp)
		r.kind = o.kindOf(datatype, op)
		return r
	}
	r.kind = byFunction
	r.by = o.opAt(op)
	return r
}

// takeRoom takes the memory for images; false when a thread, or the caller of this one, has it.
func (c *Combining) takeRoom() bool { return atomic.CompareAndSwapUint32(&c.RoomTaken, 0, 1) }

// combine combines the data at the values of c; false when package coll has to.
//
//fast:cold
func (m *images) combine(e *Endpoint, c *combiner) bool {
	if m.count == 0 {
		return true
	}
	if !e.takeRoom() {
		return false
	}
	m.bytes = m.count * m.r.size
	m.apart = (m.bytes + imageAlign - 1) &^ (imageAlign - 1)
	m.first = e.Room
	m.spare = e.Room + imagesRoom
	t := m.r.gaps
	if t != nil {
		pad := uint32(t.TrueLB) & (imageAlign - 1) // elements are aligned as in the program
		m.apart = (pad + m.r.span + imageAlign - 1) &^ (imageAlign - 1)
		m.first = e.Room + uintptr(int64(pad)-t.TrueLB)
	}
	for i := uint32(0); i < m.ranks; i++ {
		m.take(c, i)
	}
	last := m.ranks - 1
	if m.scan {
		for i := last; i > 0; i-- {
			m.apply(e, c.values[i-1], c.values[last])
		}
	} else {
		m.tree(e, c)
	}
	if t != nil {
		packElements(t, c.values[last], m.bytes, m.spare)
		unpackElements(t, m.to, m.bytes, m.spare)
	} else {
		move(m.to, c.values[last], m.bytes)
	}
	atomic.StoreUint32(&e.RoomTaken, 0)
	return true
}

// groupsOf is how many groups of the tree there are, a power of two, and how many of these are pairs of
// ranks.
func groupsOf(n uint32) (groups, pairs uint32) {
	power := uint32(1)
	for 2*power <= n {
		power *= 2
	}
	return power, n - power
}

// replaced reports whether the data of rank i is a right operand.
func (m *images) replaced(i uint32) bool {
	if m.scan {
		return i == m.ranks-1
	}
	groups, pairs := groupsOf(m.ranks)
	if i < 2*pairs {
		return i&1 != 0
	}
	return groups == 1 || (i-pairs)&1 != 0
}

// take makes the image of the data of rank i, if it needs one.
func (m *images) take(c *combiner, i uint32) {
	data := c.values[i]
	to := m.first + uintptr(i)*uintptr(m.apart)
	t := m.r.gaps
	if t == nil {
		if m.replaced(i) {
			move(to, data, m.bytes)
			c.values[i] = to
		}
		return
	}
	if i == m.laid {
		packElements(t, data, m.bytes, m.spare)
		data = m.spare
	}
	unpackElements(t, to, m.bytes, data)
	c.values[i] = to
}

// apply combines two operands; the outcome takes the place of the right one.
func (m *images) apply(e *Endpoint, in, inout uintptr) {
	if m.r.by == nil {
		combine(e, m.r.op, m.r.kind, inout, in, inout, m.count)
		return
	}
	e.callOwn(m.r.by, in, inout, int32(m.count), m.datatype)
}

// callOwn calls a function of the program's.
func (c *Combining) callOwn(o *Op, in, inout uintptr, count int32, datatype uintptr) {
	if o.Large != 0 {
		c.callWideFunction(o.Large, in, inout, count, datatype)
	} else {
		c.callFunction(o.Function, in, inout, count, datatype)
	}
}

// holder is the rank whose place has the outcome of a group.
func holder(group, pairs uint32) uint32 {
	if group < pairs {
		return 2*group + 1
	}
	return group + pairs
}

// tree combines in the tree that package coll describes (groups.combine).
func (m *images) tree(e *Endpoint, c *combiner) {
	groups, pairs := groupsOf(m.ranks)
	for i := uint32(0); i < pairs; i++ {
		m.apply(e, c.values[2*i], c.values[2*i+1])
	}
	for half := uint32(1); half < groups; half *= 2 {
		for i := uint32(0); i < groups; i += 2 * half {
			left := holder(i+half-1, pairs)
			right := holder(i+2*half-1, pairs)
			m.apply(e, c.values[left], c.values[right])
		}
	}
}
