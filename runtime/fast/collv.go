package fast

import "gompi/shm"

// Blocking collective operations whose blocks may differ in size (MPI 5.0, 6.5 to 6.8). Each rank decides by
// what it has itself whether that is short enough for this package; who finds that another rank has more
// leaves the operation to package coll.

// fetchEntry copies the block for this rank, n bytes, from behind the table that rank r publishes.
//
//fast:hot
func (s *CollSegment) fetchEntry(e *Endpoint, seq uint64, r uint32, to uintptr, n uint32) bool {
	if !s.await(e, seq, r, r+1) {
		return false
	}
	said := s.Said(r, seq)
	table := s.Data(r, seq, said)
	if table == NoData || said&shm.CellPointers != 0 {
		return false
	}
	offset, size := BlockIn(table, uint32(said&shm.CellBytes), s.N, s.Me)
	if size != n {
		return false
	}
	move(to, table+uintptr(offset), n)
	return true
}

// collectBlocks copies the contributions of all others to their blocks.
func (s *CollSegment) collectBlocks(e *Endpoint, seq uint64, in *blocks) bool {
	for i := uint32(1); i < s.N; i++ {
		r := behind(s.Me, i, s.N)
		to := in.at(r)
		n := e.blockSize(in, r)
		if !s.fetch(e, seq, r, to, n) {
			return false
		}
	}
	return true
}

// Gatherv is MPI_Gatherv.
func Gatherv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, displs *int32, recvtype uintptr, root int32, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || uint32(root) >= s.N {
		return NotPlain
	}
	if uint32(root) != s.Me {
		n := e.size(sendbuf, sendcount, sendtype)
		if sendbuf == inPlace || n > s.Gathers {
			return NotPlain
		}
		return s.publishAndEnd(e, sendbuf, n)
	}
	in := e.blocks(recvbuf, recvcounts, displs, recvtype)
	if !in.valid() || !e.within(&in, s.N, s.Gathers) {
		return NotPlain
	}
	own := in.at(s.Me)
	n := e.blockSize(&in, s.Me)
	if !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	if sendbuf != inPlace {
		move(own, sendbuf, n)
	}
	seq := s.Next()
	if !s.collectBlocks(e, seq, &in) {
		return Waiting
	}
	s.Lowest = seq - 1
	return s.end(seq)
}

// Allgatherv is MPI_Allgatherv.
func Allgatherv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, displs *int32, recvtype, comm uintptr) Reason {
	s := e.collSegment(comm)
	in := e.blocks(recvbuf, recvcounts, displs, recvtype)
	if s == nil || !in.valid() || !e.within(&in, s.N, s.Gathers) {
		return NotPlain
	}
	own := in.at(s.Me)
	n := e.blockSize(&in, s.Me)
	if !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	from := sendbuf
	if from == inPlace {
		from = own
	}
	seq := s.begin(e, from, n)
	if seq == 0 {
		return NoRoom
	}
	if from != own {
		move(own, from, n)
	}
	if !s.collectBlocks(e, seq, &in) {
		return s.handOver()
	}
	return s.endAfterAll(seq)
}

// Scatterv is MPI_Scatterv.
func Scatterv(e *Endpoint, sendbuf uintptr, sendcounts, displs *int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || uint32(root) >= s.N {
		return NotPlain
	}
	if uint32(root) != s.Me {
		n := e.size(recvbuf, recvcount, recvtype)
		if recvbuf == inPlace || n == noSize {
			return NotPlain
		}
		seq := s.Next()
		if !s.fetchEntry(e, seq, uint32(root), recvbuf, n) {
			return Waiting
		}
		return s.end(seq)
	}
	out := e.blocks(sendbuf, sendcounts, displs, sendtype)
	if !out.valid() {
		return NotPlain
	}
	total := e.tableSize(&out, s.N, s.Me, s.Spreads)
	if total == noSize {
		return NotPlain
	}
	own := out.at(s.Me)
	n := e.blockSize(&out, s.Me)
	if !e.apart(recvbuf, recvcount, recvtype, own, n) {
		return NotPlain
	}
	seq := s.reserve(e, total)
	if seq == 0 {
		return NoRoom
	}
	e.writeTable(&out, s.Place(seq, total), s.N, s.Me)
	s.Publish(seq)
	if recvbuf != inPlace {
		move(recvbuf, own, n)
	}
	return s.end(seq)
}

// exchangeBlocks is an all-to-all of blocks that may differ in size.
//
//fast:hot
func (s *CollSegment) exchangeBlocks(e *Endpoint, out, in *blocks) Reason {
	if !out.valid() || !in.valid() || out.base == inPlace || out.base == in.base {
		return NotPlain
	}
	total := e.tableSize(out, s.N, s.Me, s.Spreads)
	own := e.blockSize(in, s.Me)
	if total == noSize || !e.within(in, s.N, noSize-1) || e.blockSize(out, s.Me) != own {
		return NotPlain
	}
	seq := s.reserve(e, total)
	if seq == 0 {
		return NoRoom
	}
	e.writeTable(out, s.Place(seq, total), s.N, s.Me)
	s.Publish(seq)
	s.Wake(0, s.N)
	from := out.at(s.Me)
	move(in.at(s.Me), from, own)
	for i := uint32(1); i < s.N; i++ {
		r := behind(s.Me, i, s.N)
		to := in.at(r)
		n := e.blockSize(in, r)
		if !s.fetchEntry(e, seq, r, to, n) {
			return s.handOver()
		}
	}
	return s.endAfterAll(seq)
}

// Alltoallv is MPI_Alltoallv.
func Alltoallv(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtype, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil {
		return NotPlain
	}
	out := e.blocks(sendbuf, sendcounts, sdispls, sendtype)
	in := e.blocks(recvbuf, recvcounts, rdispls, recvtype)
	return s.exchangeBlocks(e, &out, &in)
}

// Alltoallw is MPI_Alltoallw.
func Alltoallw(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtypes *uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtypes *uintptr, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || nowhere(sendtypes) || nowhere(recvtypes) {
		return NotPlain
	}
	out := blocks{base: sendbuf, counts: sendcounts, displs: sdispls, types: sendtypes}
	in := blocks{base: recvbuf, counts: recvcounts, displs: rdispls, types: recvtypes}
	return s.exchangeBlocks(e, &out, &in)
}
