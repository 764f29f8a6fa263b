package fast

// Neighborhood collectives (MPI 5.0, 8.6 and 8.7) of little data. Blocking ones go over the ring of
// nonblocking ones as well, as in package coll. Each rank decides by what it has itself whether that is short
// enough for this package.

// Neighborhood is the neighbors of this rank in the topology of a communicator, in the order of its blocks;
// negative numbers where there is none.
type Neighborhood struct {
	Sources, Destinations *int32
	In, Out               uint32 // how many these are
	Readers               uint32 // destinations that there are
	Crossed               uint32 // 1: what a rank sends by its block i arrives in block i^1 of the other side
}

// blockOf is the number of the block that is received i-th.
func (n *Neighborhood) blockOf(i uint32) uint32 { return i ^ n.Crossed }

// neighborRing is the ring for a neighborhood collective of a communicator with that request, or what stands
// for one where the communicator has one rank (see alone.go); nil when package coll has to deal with it.
//
//fast:hot
func neighborRing(e *Endpoint, comm, request uintptr) *CellRing {
	e.Act()
	c := e.known(comm)
	if c == nil || request != Blocking && request < Lowest {
		return nil
	}
	s := c.Nbc
	if unlikely(s == nil) && c.Messages == comm {
		s = c.Alone
	}
	if s == nil || s.Most[NeighborsV] == 0 {
		return nil
	}
	return s
}

// even are blocks of count elements that follow each other; each is noSize when they are not plain.
//
//fast:hot
func (d *Datatypes) even(buf uintptr, count int32, datatype uintptr) blocks {
	n := d.size(buf, count, datatype)
	b := blocks{Base: buf, each: n, unit: int64(n)}
	if unlikely(n == noSize) {
		t := d.layout(buf, count, datatype)
		if t != nil {
			b.gapped = datatype
			b.each = t.bytes(count)
			b.unit = t.Extent * int64(count)
		}
	}
	return b
}

// uneven is blocks for a datatype that may have gaps.
//
//fast:hot
func (d *Datatypes) uneven(buf uintptr, counts, displs *int32, datatype uintptr) blocks {
	b := d.blocks(buf, counts, displs, datatype)
	if unlikely(b.each == 0) {
		t := d.datatype(datatype)
		if t != nil {
			b.gapped = datatype
			b.each = 1
			b.unit = t.Extent
		}
	}
	return b
}

// typeOf is the handle of the datatype of block r, which has gaps.
func (b *blocks) typeOf(r uint32) uintptr {
	if b.types != nil {
		return *handleAt(b.types, int32(r))
	}
	return b.gapped
}

// block is the size in bytes of block r, and the record of its datatype if that has gaps; noSize when the
// block is not plain.
//
//fast:hot
func (d *Datatypes) block(b *blocks, r uint32) (uint32, *Type) {
	if unlikely(b.gapped != 0 || b.types != nil) {
		datatype := b.typeOf(r)
		if datatype != 0 && d.elementSize(datatype) == 0 {
			n, t := d.gappedBlock(b, r, datatype)
			return n, t
		}
	}
	size := d.blockSize(b, r)
	return size, nil
}

// gappedBlock is block for one with gaps.
//
//fast:cold
func (d *Datatypes) gappedBlock(b *blocks, r uint32, datatype uintptr) (uint32, *Type) {
	t := d.datatype(datatype)
	if t == nil || loopsOf(t) == 0 {
		return noSize, nil
	}
	if b.counts == nil {
		return b.each, t
	}
	count := *intAt(b.counts, int32(r))
	if count == 0 {
		return 0, nil
	}
	t = d.layout(b.Base, count, datatype)
	if t == nil {
		return noSize, nil
	}
	size := t.bytes(count)
	return size, t
}

// plain reports whether n blocks are plain.
//
//fast:hot
func (d *Datatypes) plain(b *blocks, n uint32) bool {
	for r := uint32(0); r < n; r++ {
		size, _ := d.block(b, r)
		if size == noSize {
			return false
		}
	}
	return true
}

// NeighborAllgather is MPI_Neighbor_allgather and MPI_Ineighbor_allgather.
//
//fast:hot
func NeighborAllgather(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype, comm, request uintptr) Reason {
	s := neighborRing(e, comm, request)
	if s == nil {
		return NotPlain
	}
	x := CollOp{Pattern: Neighbors, Root: NoRoot}
	x.In = e.even(recvbuf, recvcount, recvtype)
	x.Each = x.In.each
	if x.Each == noSize {
		return NotPlain
	}
	return x.toNeighbors(e, s, sendbuf, sendcount, sendtype, request)
}

// NeighborAllgatherv is MPI_Neighbor_allgatherv and MPI_Ineighbor_allgatherv.
//
//fast:hot
func NeighborAllgatherv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr, recvbuf uintptr,
	recvcounts, displs *int32, recvtype, comm, request uintptr) Reason {
	s := neighborRing(e, comm, request)
	if s == nil || s.N == 1 {
		return NotPlain
	}
	x := CollOp{Pattern: Neighbors, Root: NoRoot}
	x.In = e.uneven(recvbuf, recvcounts, displs, recvtype)
	if !x.In.valid() || !e.plain(&x.In, s.Neighborhood.In) {
		return NotPlain
	}
	return x.toNeighbors(e, s, sendbuf, sendcount, sendtype, request)
}

// toNeighbors sends the same to all destinations.
//
//fast:hot
func (x *CollOp) toNeighbors(e *Endpoint, s *CellRing, sendbuf uintptr, sendcount int32,
	sendtype, request uintptr) Reason {
	n, t := e.sized(sendbuf, sendcount, sendtype)
	if n > s.Most[Neighbors] {
		return NotPlain
	}
	x.Out.Base = sendbuf
	x.Bytes = n
	if unlikely(t != nil) {
		x.Gaps = 1
		x.Type = sendtype
	}
	return x.runNeighbors(e, s, request)
}

// NeighborAlltoall is MPI_Neighbor_alltoall and MPI_Ineighbor_alltoall.
//
//fast:hot
func NeighborAlltoall(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype, comm, request uintptr) Reason {
	s := neighborRing(e, comm, request)
	if s == nil {
		return NotPlain
	}
	x := CollOp{Pattern: NeighborsV, Root: NoRoot}
	x.Out = e.even(sendbuf, sendcount, sendtype)
	x.In = e.even(recvbuf, recvcount, recvtype)
	x.Each = x.In.each
	if x.Each == noSize || x.Out.each > s.Most[NeighborsV] {
		return NotPlain
	}
	return x.amongNeighbors(e, s, request)
}

// NeighborAlltoallv is MPI_Neighbor_alltoallv and MPI_Ineighbor_alltoallv.
//
//fast:hot
func NeighborAlltoallv(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtype, comm, request uintptr) Reason {
	s := neighborRing(e, comm, request)
	if s == nil || s.N == 1 {
		return NotPlain
	}
	x := CollOp{Pattern: NeighborsV, Root: NoRoot}
	x.Out = e.uneven(sendbuf, sendcounts, sdispls, sendtype)
	x.In = e.uneven(recvbuf, recvcounts, rdispls, recvtype)
	if !x.Out.valid() || !x.In.valid() || !e.plain(&x.In, s.Neighborhood.In) {
		return NotPlain
	}
	return x.amongNeighbors(e, s, request)
}

// NeighborAlltoallw is MPI_Neighbor_alltoallw and MPI_Ineighbor_alltoallw.
//
//fast:hot
func NeighborAlltoallw(e *Endpoint, sendbuf uintptr, sendcounts *int32, sdispls *int64, sendtypes *uintptr,
	recvbuf uintptr, recvcounts *int32, rdispls *int64, recvtypes *uintptr, comm, request uintptr) Reason {
	s := neighborRing(e, comm, request)
	if s == nil || s.N == 1 || nowhere(sendcounts) || nowhere(sdispls) || nowhere(sendtypes) ||
		nowhere(recvcounts) || nowhere(rdispls) || nowhere(recvtypes) {
		return NotPlain
	}
	x := CollOp{Pattern: NeighborsV, Root: NoRoot}
	x.Out = blocks{Base: sendbuf, counts: sendcounts, offsets: sdispls, types: sendtypes}
	x.In = blocks{Base: recvbuf, counts: recvcounts, offsets: rdispls, types: recvtypes}
	if !e.plain(&x.In, s.Neighborhood.In) {
		return NotPlain
	}
	return x.amongNeighbors(e, s, request)
}

// amongNeighbors sends a block to each destination.
//
//fast:hot
func (x *CollOp) amongNeighbors(e *Endpoint, s *CellRing, request uintptr) Reason {
	x.Bytes = x.neighborBytes(e, s)
	if x.Bytes == noSize {
		return NotPlain
	}
	return x.runNeighbors(e, s, request)
}
