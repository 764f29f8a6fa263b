package fast

import "sync/atomic"

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

// nearRing is the ring for a neighborhood collective of a communicator with that request, or what stands for
// one where the communicator has one rank (see alone.go); nil when package coll has to deal with it.
//
//fast:hot
func nearRing(e *Endpoint, comm, request uintptr) *CellRing {
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
	s := nearRing(e, comm, request)
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
	s := nearRing(e, comm, request)
	if s == nil || s.N == 1 {
		return NotPlain
	}
	x := CollOp{Pattern: Neighbors, Root: NoRoot}
	x.In = e.uneven(recvbuf, recvcounts, displs, recvtype)
	if !x.In.valid() || !e.plain(&x.In, s.Near.In) {
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
	return x.runNear(e, s, request)
}

// NeighborAlltoall is MPI_Neighbor_alltoall and MPI_Ineighbor_alltoall.
//
//fast:hot
func NeighborAlltoall(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype, comm, request uintptr) Reason {
	s := nearRing(e, comm, request)
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
	s := nearRing(e, comm, request)
	if s == nil || s.N == 1 {
		return NotPlain
	}
	x := CollOp{Pattern: NeighborsV, Root: NoRoot}
	x.Out = e.uneven(sendbuf, sendcounts, sdispls, sendtype)
	x.In = e.uneven(recvbuf, recvcounts, rdispls, recvtype)
	if !x.Out.valid() || !x.In.valid() || !e.plain(&x.In, s.Near.In) {
		return NotPlain
	}
	return x.amongNeighbors(e, s, request)
}

// NeighborAlltoallw is MPI_Neighbor_alltoallw and MPI_Ineighbor_alltoallw.
//
//fast:hot
func NeighborAlltoallw(e *Endpoint, sendbuf uintptr, sendcounts *int32, sdispls *int64, sendtypes *uintptr,
	recvbuf uintptr, recvcounts *int32, rdispls *int64, recvtypes *uintptr, comm, request uintptr) Reason {
	s := nearRing(e, comm, request)
	if s == nil || s.N == 1 || nowhere(sendcounts) || nowhere(sdispls) || nowhere(sendtypes) ||
		nowhere(recvcounts) || nowhere(rdispls) || nowhere(recvtypes) {
		return NotPlain
	}
	x := CollOp{Pattern: NeighborsV, Root: NoRoot}
	x.Out = blocks{Base: sendbuf, counts: sendcounts, offsets: sdispls, types: sendtypes}
	x.In = blocks{Base: recvbuf, counts: recvcounts, offsets: rdispls, types: recvtypes}
	if !e.plain(&x.In, s.Near.In) {
		return NotPlain
	}
	return x.amongNeighbors(e, s, request)
}

// amongNeighbors sends a block to each destination.
//
//fast:hot
func (x *CollOp) amongNeighbors(e *Endpoint, s *CellRing, request uintptr) Reason {
	x.Bytes = x.nearSize(e, s)
	if x.Bytes == noSize {
		return NotPlain
	}
	return x.runNear(e, s, request)
}

// A contribution to NeighborsV begins with the number of destinations and these, uint32 each. A table of
// their blocks follows (BlockIn).

// nearSize is how many bytes that is; noSize when it is too much.
//
//fast:hot
func (x *CollOp) nearSize(e *Endpoint, s *CellRing) uint32 {
	most := s.Most[NeighborsV]
	if s.Near.Out >= most/(2*TableEntry) {
		return noSize
	}
	total := TableEntry + s.Near.Out*(2*TableEntry)
	for i := uint32(0); i < s.Near.Out; i++ {
		if *intAt(s.Near.Destinations, int32(i)) < 0 {
			continue
		}
		size, _ := e.block(&x.Out, i)
		if size > most-total {
			return noSize
		}
		total += size
	}
	return total
}

// writeNear writes the contribution to NeighborsV.
//
//fast:hot
func (x *CollOp) writeNear(e *Endpoint, s *CellRing, to uintptr) {
	n := s.Near.Out
	table := to + TableEntry + uintptr(n)*TableEntry
	data := table + uintptr(n)*TableEntry
	end := uint32(0)
	*EntryAt(to, 0) = n
	for i := uint32(0); i < n; i++ {
		destination := *intAt(s.Near.Destinations, int32(i))
		*EntryAt(to, i+1) = uint32(destination)
		if destination >= 0 {
			size, t := e.block(&x.Out, i)
			packTo(t, data+uintptr(end), x.Out.at(i), size)
			end += size
		}
		*EntryAt(table, i) = end
	}
}

// entryFor is which of the n entries that rank from, source i of this rank, has written down is for block i.
// The k-th block that a rank sends to another one is the k-th that this one receives from it, but in a grid.
func (s *CellRing) entryFor(list uintptr, n, i, from uint32) uint32 {
	if s.Near.Crossed != 0 {
		return i
	}
	before := uint32(0) // entries for this rank that belong to earlier sources
	for j := uint32(0); j < i; j++ {
		if uint32(*intAt(s.Near.Sources, int32(j))) == from {
			before++
		}
	}
	for which := uint32(0); which < n; which++ {
		if atomic.LoadUint32(EntryAt(list, which)) != s.Me {
			continue
		}
		if before == 0 {
			return which
		}
		before--
	}
	return n
}

// takeNear takes what rank from, the i-th source, contributes; false when it is not what this rank expects,
// or does not stand in the segment.
//
//fast:hot
func (x *CollOp) takeNear(e *Endpoint, s *CellRing, i, from uint32) bool {
	block := s.Near.blockOf(i)
	n, t := e.block(&x.In, block)
	if x.Pattern == Neighbors {
		whole := s.expected(from, x.K, n)
		if whole == NoData {
			return false
		}
		unpackFrom(t, x.In.at(block), whole, n)
		return true
	}
	said := s.Said(from, x.K)
	at := s.Data(from, x.K, said)
	if at == NoData || said > uint64(s.Inline) || said < TableEntry {
		return false
	}
	length := uint32(said) - TableEntry
	listed := atomic.LoadUint32(EntryAt(at, 0))
	if listed > length/(2*TableEntry) {
		return false
	}
	which := s.entryFor(at+TableEntry, listed, i, from)
	table := at + TableEntry + uintptr(listed)*TableEntry
	offset, size := BlockIn(table, length-listed*TableEntry, listed, which)
	if size != n {
		return false
	}
	unpackFrom(t, x.In.at(block), table+uintptr(offset), n)
	return true
}

// advanceNear is advance among neighbors. If it waits, and is idle in the end, it has left the endpoint.
func (x *CollOp) advanceNear(e *Endpoint, s *CellRing, waits bool) step {
	for x.Next < x.Sources {
		from := *intAt(s.Near.Sources, int32(s.Near.blockOf(x.Next)))
		if from >= 0 {
			if !s.Published(uint32(from), x.K) && (!waits || !s.awaitNear(e, x.K, uint32(from))) {
				return idle
			}
			if !x.takeNear(e, s, x.Next, uint32(from)) {
				return engine
			}
		}
		x.Next++
	}
	return advanced
}

// awaitNear is await while the endpoint is in use, which it leaves when the answer is false. Package coll
// takes the operation over then.
//
//fast:cold
func (s *CellRing) awaitNear(e *Endpoint, k uint64, r uint32) bool {
	s.Begun = 1
	for polls := uint32(0); e.restUnlocked(polls); polls++ {
		if s.Published(r, k) {
			s.Begun = 0
			return true
		}
		if e.Armed != 0 && (e.Next() != nil || e.Connecting()) {
			e.leave()
			return false
		}
	}
	return false
}

// makeRoom waits a moment until this rank may use its cell of operation k. Other threads are not to wait for
// that.
//
//fast:cold
func (s *CellRing) makeRoom(e *Endpoint, k uint64, contributes bool) bool {
	if !s.Admits(k) && e.collProgress() == advanced && s.ready(k, contributes) {
		return true
	}
	return s.Admits(k) && e.Shared == 0 && s.waitForRoom(e, k, 0)
}

// publishNear publishes what this rank contributes for neighbors, and wakes those that sleep.
func (x *CollOp) publishNear(e *Endpoint, s *CellRing) {
	to := s.OwnData(x.K, x.Bytes)
	if x.Pattern == NeighborsV {
		x.writeNear(e, s, to)
	} else if x.Gaps != 0 {
		packElements(e.typeAt(x.Type), x.Out.Base, x.Bytes, to)
	} else {
		move(to, x.Out.Base, x.Bytes)
	}
	s.Publish(x.K)
	for i := uint32(0); i < s.Near.Out; i++ {
		r := *intAt(s.Near.Destinations, int32(i))
		if r >= 0 {
			s.Wake(uint32(r), uint32(r)+1)
		}
	}
}

// runNear carries an operation among neighbors out to its end, or begins it, if there is a request for it.
//
//fast:hot
func (x *CollOp) runNear(e *Endpoint, s *CellRing, request uintptr) Reason {
	if x.Out.Base == x.In.Base || x.Out.Base == inPlace || x.In.Base == inPlace {
		return NotPlain
	}
	if unlikely(s.N == 1) {
		return x.nearAlone(e, s, request)
	}
	if request != Blocking {
		return x.start(e, s, request)
	}
	if s.Begun != 0 || !e.enterToAsk() {
		return NotPlain
	}
	contributes := s.Near.Readers != 0
	x.K = s.Seq + 1
	if unlikely(!s.ready(x.K, contributes)) && !s.makeRoom(e, x.K, contributes) {
		e.leave()
		return NoRoom
	}
	if contributes {
		x.publishNear(e, s)
	}
	s.Seq++
	x.Sources = s.Near.In
	how := x.advanceNear(e, s, true)
	if how == idle {
		return Waiting
	}
	if how == engine {
		s.Begun = 1
	} else {
		s.Carried[x.Pattern]++
		s.End(x.K)
	}
	e.leave()
	if how == engine {
		return Waiting
	}
	return Done
}
