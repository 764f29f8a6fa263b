package fast

// Nonblocking collective operations in which the contributions of all ranks have the same size (MPI 5.0,
// 6.12). A rank publishes what it contributes, takes what the others have published already, and is done or
// leaves a request behind.

// Ibarrier is MPI_Ibarrier.
func Ibarrier(e *Endpoint, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || nowhere(request) {
		return NotPlain
	}
	x := e.beginColl(s, Meeting, NoRoot, 0, 0)
	if x == nil {
		return NoRoom
	}
	x.publish(0, NoRoot)
	return e.startColl(x, request)
}

// Ibcast is MPI_Ibcast.
func Ibcast(e *Endpoint, buffer uintptr, count int32, datatype uintptr, root int32,
	comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	n := e.size(buffer, count, datatype)
	if s == nil || nowhere(request) || n == 0 || n > MaxNbcData || uint32(root) >= s.N {
		return NotPlain
	}
	x := e.beginColl(s, FromRoot, uint32(root), buffer, n)
	if x == nil {
		return NoRoom
	}
	if uint32(root) == s.Me {
		x.contribute(buffer, n, NoRoot)
	}
	return e.startColl(x, request)
}

// Igather is MPI_Igather.
func Igather(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || nowhere(request) || uint32(root) >= s.N {
		return NotPlain
	}
	here := uint32(root) == s.Me
	n := noSize
	own := recvbuf
	if here {
		n = e.size(recvbuf, recvcount, recvtype)
		own = recvbuf + uintptr(s.Me)*uintptr(n)
	} else {
		n = e.size(sendbuf, sendcount, sendtype)
	}
	if n == 0 || n > MaxNbcData || here && !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	x := e.beginColl(s, ToRoot, uint32(root), recvbuf, n)
	if x == nil {
		return NoRoom
	}
	if !here {
		x.contribute(sendbuf, n, uint32(root))
	} else if sendbuf != inPlace {
		move(own, sendbuf, n)
	}
	return e.startColl(x, request)
}

// Iscatter is MPI_Iscatter.
func Iscatter(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || nowhere(request) || uint32(root) >= s.N {
		return NotPlain
	}
	here := uint32(root) == s.Me
	n := noSize
	own := sendbuf
	if here {
		n = e.size(sendbuf, sendcount, sendtype)
		own = sendbuf + uintptr(s.Me)*uintptr(n)
	} else {
		n = e.size(recvbuf, recvcount, recvtype)
	}
	if !spreadable(n, s.N) || here && !e.apart(recvbuf, recvcount, recvtype, own, n) {
		return NotPlain
	}
	x := e.beginColl(s, Scattered, uint32(root), recvbuf, n)
	if x == nil {
		return NoRoom
	}
	if here {
		x.contribute(sendbuf, n*s.N, NoRoot)
		if recvbuf != inPlace {
			move(recvbuf, own, n)
		}
	}
	return e.startColl(x, request)
}

// spreadable reports whether blocks of each bytes for n ranks fit into a cell.
func spreadable(each, n uint32) bool { return each != 0 && uint64(each)*uint64(n) <= MaxNbcData }

// Iallgather is MPI_Iallgather.
func Iallgather(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	n := e.size(recvbuf, recvcount, recvtype)
	if s == nil || nowhere(request) || n == 0 || n > MaxNbcData {
		return NotPlain
	}
	own := recvbuf + uintptr(s.Me)*uintptr(n)
	if !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	x := e.beginColl(s, Everyone, NoRoot, recvbuf, n)
	if x == nil {
		return NoRoom
	}
	x.contributeOwn(sendbuf, own, n)
	return e.startColl(x, request)
}

// contributeOwn publishes the block that this rank has for all, and puts it into its own place, own, if it
// does not stand there.
func (x *CollRequest) contributeOwn(sendbuf, own uintptr, n uint32) {
	if sendbuf == inPlace {
		x.contribute(own, n, NoRoot)
		return
	}
	x.contribute(sendbuf, n, NoRoot)
	move(own, sendbuf, n)
}

// Ialltoall is MPI_Ialltoall.
func Ialltoall(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	n := e.size(recvbuf, recvcount, recvtype)
	if s == nil || nowhere(request) || !spreadable(n, s.N) || sendbuf == inPlace || sendbuf == recvbuf ||
		e.size(sendbuf, sendcount, sendtype) != n {
		return NotPlain
	}
	x := e.beginColl(s, Crossed, NoRoot, recvbuf, n)
	if x == nil {
		return NoRoom
	}
	own := uintptr(s.Me) * uintptr(n)
	x.contribute(sendbuf, n*s.N, NoRoot)
	move(recvbuf+own, sendbuf+own, n)
	return e.startColl(x, request)
}
