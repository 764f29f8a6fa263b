package fast

// Blocking collective operations in which the contributions of all ranks have the same size (MPI 5.0, 6.3 to
// 6.8).
//
// A rank that has published and does not see the others' contributions come soon hands the rest over to
// package coll, which knows how to wait. So the ranks of one operation need not all come this way.

// inPlace is MPI_IN_PLACE.
const inPlace uintptr = 1

// Barrier is MPI_Barrier.
func Barrier(e *Endpoint, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil {
		return NotPlain
	}
	seq := s.begin(e, 0, 0)
	if seq == 0 {
		return NoRoom
	}
	if !s.await(e, seq, 0, s.N) {
		return s.handOver()
	}
	return s.endAfterAll(seq)
}

// Bcast is MPI_Bcast.
func Bcast(e *Endpoint, buffer uintptr, count int32, datatype uintptr, root int32, comm uintptr) Reason {
	s := e.collSegment(comm)
	n := e.size(buffer, count, datatype)
	if s == nil || n == 0 || n > s.Bcasts || uint32(root) >= s.N {
		return NotPlain
	}
	if uint32(root) == s.Me {
		return s.publishAndEnd(e, buffer, n)
	}
	seq := s.Next()
	if !s.fetch(e, seq, uint32(root), buffer, n) {
		return Waiting
	}
	return s.end(seq)
}

// collect copies the contributions of all others, n bytes each, to where they belong.
func (s *CollSegment) collect(e *Endpoint, seq uint64, to uintptr, n uint32) bool {
	for i := uint32(1); i < s.N; i++ {
		r := behind(s.Me, i, s.N)
		if !s.fetch(e, seq, r, to+uintptr(r)*uintptr(n), n) {
			return false
		}
	}
	return true
}

// apart reports whether a block of n bytes that a rank has for itself is plain: it stands in place, or is as
// long as the one to which it goes and somewhere else.
func (e *Endpoint) apart(buf uintptr, count int32, datatype, other uintptr, n uint32) bool {
	return buf == inPlace || e.size(buf, count, datatype) == n && buf != other
}

// Gather is MPI_Gather.
func Gather(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || uint32(root) >= s.N {
		return NotPlain
	}
	if uint32(root) != s.Me {
		n := e.size(sendbuf, sendcount, sendtype)
		if n == 0 || n > s.Gathers {
			return NotPlain
		}
		return s.publishAndEnd(e, sendbuf, n)
	}
	n := e.size(recvbuf, recvcount, recvtype)
	own := recvbuf + uintptr(s.Me)*uintptr(n)
	if n == 0 || n > s.Gathers || !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	if sendbuf != inPlace {
		move(own, sendbuf, n)
	}
	seq := s.Next()
	if !s.collect(e, seq, recvbuf, n) {
		return Waiting
	}
	s.Lowest = seq - 1
	return s.end(seq)
}

// Allgather is MPI_Allgather.
func Allgather(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, comm uintptr) Reason {
	s := e.collSegment(comm)
	n := e.size(recvbuf, recvcount, recvtype)
	if s == nil || n == 0 || n > s.Gathers {
		return NotPlain
	}
	own := recvbuf + uintptr(s.Me)*uintptr(n)
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
	if !s.collect(e, seq, recvbuf, n) {
		return s.handOver()
	}
	return s.endAfterAll(seq)
}

// fetchBlock copies the block for this rank, n bytes like all others, out of what rank r contributes: the
// blocks for all others one behind the other.
//
//fast:hot
func (s *CollSegment) fetchBlock(e *Endpoint, seq uint64, r uint32, to uintptr, n uint32) bool {
	if !s.await(e, seq, r, r+1) {
		return false
	}
	data := s.expected(r, seq, n*(s.N-1))
	if data == NoData {
		return false
	}
	place := s.Me
	if place > r {
		place--
	}
	move(to, data+uintptr(place)*uintptr(n), n)
	return true
}

// publishBlocks publishes the blocks for the others, n bytes each.
//
//fast:hot
func (s *CollSegment) publishBlocks(seq uint64, blocks uintptr, n uint32) {
	to := s.Place(seq, n*(s.N-1))
	if s.N == 2 {
		move(to, blocks+uintptr(1-s.Me)*uintptr(n), n)
	} else {
		before := s.Me * n
		move(to, blocks, before)
		move(to+uintptr(before), blocks+uintptr(before)+uintptr(n), (s.N-1-s.Me)*n)
	}
	s.Publish(seq)
}

// spreads reports whether a block of n bytes for each rank is small enough.
func (s *CollSegment) spreads(n uint32) bool {
	return n != 0 && uint64(n)*uint64(s.N) <= uint64(s.Spreads)
}

// Scatter is MPI_Scatter.
func Scatter(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || uint32(root) >= s.N {
		return NotPlain
	}
	if uint32(root) != s.Me {
		n := e.size(recvbuf, recvcount, recvtype)
		if !s.spreads(n) {
			return NotPlain
		}
		seq := s.Next()
		if !s.fetchBlock(e, seq, uint32(root), recvbuf, n) {
			return Waiting
		}
		return s.end(seq)
	}
	n := e.size(sendbuf, sendcount, sendtype)
	own := sendbuf + uintptr(s.Me)*uintptr(n)
	if !s.spreads(n) || !e.apart(recvbuf, recvcount, recvtype, own, n) {
		return NotPlain
	}
	seq := s.reserve(e, n*(s.N-1))
	if seq == 0 {
		return NoRoom
	}
	s.publishBlocks(seq, sendbuf, n)
	if recvbuf != inPlace {
		move(recvbuf, own, n)
	}
	return s.end(seq)
}

// Alltoall is MPI_Alltoall.
func Alltoall(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, comm uintptr) Reason {
	s := e.collSegment(comm)
	n := e.size(recvbuf, recvcount, recvtype)
	if s == nil || !s.spreads(n) || sendbuf == recvbuf || e.size(sendbuf, sendcount, sendtype) != n {
		return NotPlain
	}
	seq := s.reserve(e, n*(s.N-1))
	if seq == 0 {
		return NoRoom
	}
	s.publishBlocks(seq, sendbuf, n)
	s.Wake(0, s.N)
	own := uintptr(s.Me) * uintptr(n)
	move(recvbuf+own, sendbuf+own, n)
	for i := uint32(1); i < s.N; i++ {
		r := behind(s.Me, i, s.N)
		if !s.fetchBlock(e, seq, r, recvbuf+uintptr(r)*uintptr(n), n) {
			return s.handOver()
		}
	}
	return s.endAfterAll(seq)
}
