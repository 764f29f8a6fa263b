package fast

// Collective operations in which the contributions of all ranks have the same size (MPI 5.0, 6.3 to 6.8 and
// 6.12). Each function is that of the blocking call, whose request is Blocking, and of the nonblocking one.

// inPlace is MPI_IN_PLACE.
const inPlace uintptr = 1

// Barrier is MPI_Barrier and MPI_Ibarrier.
//
//fast:hot
func Barrier(e *Endpoint, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return barrierAlone(e, comm, request)
	}
	if s.Most[Meeting] == 0 {
		return NotPlain
	}
	x := CollOp{Pattern: Meeting, Root: NoRoot}
	return x.run(e, s, request)
}

// Bcast is MPI_Bcast and MPI_Ibcast.
//
//fast:hot
func Bcast(e *Endpoint, buffer uintptr, count int32, datatype uintptr, root int32,
	comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return bcastAlone(e, buffer, count, datatype, root, comm, request)
	}
	n := e.size(buffer, count, datatype)
	if n == 0 && uint32(root) < s.N {
		return s.empty(e, FromRoot, request, buffer != inPlace)
	}
	if n > s.Most[FromRoot] || uint32(root) >= s.N {
		return NotPlain
	}
	x := CollOp{Pattern: FromRoot, Root: uint32(root), Each: n, Bytes: n}
	x.In.Base = buffer
	x.Out.Base = buffer
	return x.run(e, s, request)
}

// apart reports whether a block of n bytes that a rank has for itself is plain: it stands in place, or is as
// long as the one to which it goes and somewhere else.
func (d *Datatypes) apart(buf uintptr, count int32, datatype, other uintptr, n uint32) bool {
	return buf == inPlace || d.size(buf, count, datatype) == n && buf != other
}

// ownTo says that the n bytes that this rank has for itself go from buf, or stand there if that is in place.
//
//fast:hot
func (x *CollOp) ownTo(to, buf uintptr, n uint32) {
	if buf != inPlace {
		x.OwnFrom = buf
		x.OwnTo = to
		x.OwnBytes = n
	}
}

// Gather is MPI_Gather and MPI_Igather.
//
//fast:hot
func Gather(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return blockAlone(e, ToRoot, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
			request)
	}
	if uint32(root) >= s.N {
		return NotPlain
	}
	x := CollOp{Pattern: ToRoot, Root: uint32(root)}
	if x.Root != s.Me {
		x.Out.Base = sendbuf
		x.Bytes = e.size(sendbuf, sendcount, sendtype)
		if x.Bytes == 0 {
			return s.empty(e, ToRoot, request, sendbuf != inPlace)
		}
		if x.Bytes > s.Most[ToRoot] {
			return NotPlain
		}
		return x.run(e, s, request)
	}
	n := e.size(recvbuf, recvcount, recvtype)
	if n == 0 {
		return s.empty(e, ToRoot, request, recvbuf != inPlace && e.hasNone(sendbuf, sendcount, sendtype))
	}
	own := recvbuf + uintptr(s.Me)*uintptr(n)
	if n == 0 || n > s.Most[ToRoot] || !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	x.In.Base = recvbuf
	x.Each = n
	x.ownTo(own, sendbuf, n)
	return x.run(e, s, request)
}

// Allgather is MPI_Allgather and MPI_Iallgather.
//
//fast:hot
func Allgather(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return blockAlone(e, Everyone, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, 0, comm,
			request)
	}
	n := e.size(recvbuf, recvcount, recvtype)
	if n == 0 {
		return s.empty(e, Everyone, request, recvbuf != inPlace && e.hasNone(sendbuf, sendcount, sendtype))
	}
	if n > s.Most[Everyone] {
		return NotPlain
	}
	own := recvbuf + uintptr(s.Me)*uintptr(n)
	if !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	x := CollOp{Pattern: Everyone, Root: NoRoot, Each: n, Bytes: n}
	x.In.Base = recvbuf
	x.Out.Base = sendbuf
	if sendbuf == inPlace {
		x.Out.Base = own
	}
	x.ownTo(own, sendbuf, n)
	return x.run(e, s, request)
}

// spreads reports whether a block of n bytes for each rank is small enough for a pattern.
func (s *CellRing) spreads(p Pattern, n uint32) bool {
	return n != 0 && uint64(n)*uint64(s.N) <= uint64(s.Most[p])
}

// Scatter is MPI_Scatter and MPI_Iscatter.
//
//fast:hot
func Scatter(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return blockAlone(e, Scattered, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
			comm, request)
	}
	if uint32(root) >= s.N {
		return NotPlain
	}
	x := CollOp{Pattern: Scattered, Root: uint32(root)}
	x.In.Base = recvbuf
	x.Out.Base = sendbuf
	if x.Root != s.Me {
		x.Each = e.size(recvbuf, recvcount, recvtype)
		if x.Each == 0 {
			return s.empty(e, Scattered, request, recvbuf != inPlace)
		}
		if !s.spreads(Scattered, x.Each) {
			return NotPlain
		}
		return x.run(e, s, request)
	}
	n := e.size(sendbuf, sendcount, sendtype)
	if n == 0 {
		return s.empty(e, Scattered, request, sendbuf != inPlace && e.hasNone(recvbuf, recvcount, recvtype))
	}
	own := sendbuf + uintptr(s.Me)*uintptr(n)
	if !s.spreads(Scattered, n) || !e.apart(recvbuf, recvcount, recvtype, own, n) {
		return NotPlain
	}
	x.Each = n
	x.Bytes = n * (s.N - 1)
	if recvbuf != inPlace {
		x.ownTo(recvbuf, own, n)
	}
	return x.run(e, s, request)
}

// Alltoall is MPI_Alltoall and MPI_Ialltoall.
//
//fast:hot
func Alltoall(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return blockAlone(e, Crossed, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, 0, comm,
			request)
	}
	n := e.size(recvbuf, recvcount, recvtype)
	if n == 0 {
		legal := sendbuf != inPlace && recvbuf != inPlace
		return s.empty(e, Crossed, request, legal && e.hasNone(sendbuf, sendcount, sendtype))
	}
	if !s.spreads(Crossed, n) || sendbuf == recvbuf || e.size(sendbuf, sendcount, sendtype) != n {
		return NotPlain
	}
	x := CollOp{Pattern: Crossed, Root: NoRoot, Each: n, Bytes: n * (s.N - 1)}
	x.In.Base = recvbuf
	x.Out.Base = sendbuf
	own := uintptr(s.Me) * uintptr(n)
	x.ownTo(recvbuf+own, sendbuf+own, n)
	return x.run(e, s, request)
}
