package fast

// Collective operations of communicators of one rank, which have no cells: what the rank contributes is what
// it gets. Operations without lists are carried out here, of data as small as in a segment. Buffers
// that are no memory are found out by package coll. The functions of the operations come here when there is
// no ring.

// mostAlone is how many bytes are moved here at most.
const mostAlone = 1 << 16

// alone is what stands for the ring of a communicator of one rank; nil for all others.
func (e *Endpoint) alone(comm, request uintptr) *CellRing {
	c := e.comm(comm)
	if c == nil || request != Blocking && request < Lowest || e.Open == Closed ||
		e.Open == Random && e.refuses() {
		return nil
	}
	return c.Alone
}

// moveOwn carries out an operation of a pattern that moves n bytes, which may stay where they are, between
// buffers whose data may have gaps. A request for it is done at once.
func (e *Endpoint) moveOwn(s *CellRing, p Pattern, to uintptr, unpacked *Type, from uintptr, packed *Type,
	n uint32, request uintptr) Reason {
	stays := to == from
	if n > mostAlone && (!stays || n == noSize) || stays && !present(to, unpacked, n) {
		return NotPlain
	}
	how := beginAlone(e, request)
	if how != Done {
		return how
	}
	return s.endAlone(e, p, stays || hand(e, to, unpacked, from, packed, n), request)
}

// beginAlone makes sure of a request for an operation, unless it blocks. endAlone follows when the answer is
// Done.
func beginAlone(e *Endpoint, request uintptr) Reason {
	if request == Blocking {
		return Done
	}
	if !settable(wordAt(request)) || !e.enter() {
		return NotPlain
	}
	if e.Free == e.RequestsMade {
		e.leave()
		return NoRoom
	}
	return Done
}

// endAlone ends an operation that has been carried out or not.
func (s *CellRing) endAlone(e *Endpoint, p Pattern, done bool, request uintptr) Reason {
	if done {
		s.Carried[p]++
	}
	if request != Blocking {
		if done {
			*wordAt(request) = e.doneRequest(s.Ctx)
		}
		e.leave()
	}
	if done {
		return Done
	}
	return NotPlain
}

//fast:cold
func barrierAlone(e *Endpoint, comm, request uintptr) Reason {
	s := e.alone(comm, request)
	if s == nil {
		return NotPlain
	}
	return e.moveOwn(s, Meeting, 0, nil, 0, nil, 0, request)
}

//fast:cold
func bcastAlone(e *Endpoint, buffer uintptr, count int32, datatype uintptr, root int32,
	comm, request uintptr) Reason {
	s := e.alone(comm, request)
	n, t := e.sized(buffer, count, datatype)
	if s == nil || root != 0 {
		return NotPlain
	}
	return e.moveOwn(s, FromRoot, buffer, t, buffer, t, n, request)
}

// blockAlone is an operation in which each rank has a block for each: the one of this rank goes from from to
// to. A buffer in place is left to package coll, as it is an error in some of these operations.
//
//fast:cold
func blockAlone(e *Endpoint, p Pattern, from uintptr, fromCount int32, fromType uintptr,
	to uintptr, toCount int32, toType uintptr, root int32, comm, request uintptr) Reason {
	s := e.alone(comm, request)
	if s == nil || root != 0 || from == inPlace || to == inPlace || from == to {
		return NotPlain
	}
	n := e.size(to, toCount, toType)
	if n != noSize && n == e.size(from, fromCount, fromType) {
		return e.moveOwn(s, p, to, nil, from, nil, n, request)
	}
	return gapsAlone(e, s, p, from, fromCount, fromType, to, toCount, toType, request)
}

// gapsAlone is blockAlone where one of the two has gaps.
//
//fast:cold
func gapsAlone(e *Endpoint, s *CellRing, p Pattern, from uintptr, fromCount int32, fromType uintptr,
	to uintptr, toCount int32, toType uintptr, request uintptr) Reason {
	n, unpacked := e.sized(to, toCount, toType)
	size, packed := e.sized(from, fromCount, fromType)
	if n != size {
		return NotPlain
	}
	return e.moveOwn(s, p, to, unpacked, from, packed, n, request)
}

// gatherAlone is blockAlone where the block of this rank is one of a list.
//
//fast:cold
func gatherAlone(e *Endpoint, p Pattern, sendbuf uintptr, sendcount int32, sendtype uintptr, recvbuf uintptr,
	recvcounts, displs *int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	to := firstBlock(recvbuf, recvcounts, displs, unit(e, recvtype))
	if to == 0 {
		return NotPlain
	}
	return blockAlone(e, p, sendbuf, sendcount, sendtype, to, *recvcounts, recvtype, root, comm, request)
}

// unit is the extent of a datatype, which displacements count; 0 when there is none.
func unit(e *Endpoint, datatype uintptr) int64 {
	each := e.elementSize(datatype)
	if each != 0 {
		return int64(each)
	}
	t := e.datatype(datatype)
	if t == nil {
		return 0
	}
	return t.Extent
}

// firstBlock is where the first block of a list begins. It is 0 where that is not plain: the lists are no
// memory, or the buffer is in place.
func firstBlock(buf uintptr, counts, displs *int32, unit int64) uintptr {
	if buf == inPlace || unit == 0 || nowhere(counts) || nowhere(displs) || !readable(addressOf(counts), 4) ||
		!readable(addressOf(displs), 4) {
		return 0
	}
	return buf + uintptr(int64(*displs)*unit)
}

// scatterAlone is MPI_Scatterv.
//
//fast:cold
func scatterAlone(e *Endpoint, sendbuf uintptr, sendcounts, displs *int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	from := firstBlock(sendbuf, sendcounts, displs, unit(e, sendtype))
	if from == 0 {
		return NotPlain
	}
	return blockAlone(e, ScatteredV, from, *sendcounts, sendtype, recvbuf, recvcount, recvtype, root,
		comm, request)
}

// alltoallvAlone is MPI_Alltoallv.
//
//fast:cold
func alltoallvAlone(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtype, comm, request uintptr) Reason {
	from := firstBlock(sendbuf, sendcounts, sdispls, unit(e, sendtype))
	to := firstBlock(recvbuf, recvcounts, rdispls, unit(e, recvtype))
	if from == 0 || to == 0 || sendbuf == recvbuf {
		return NotPlain
	}
	return blockAlone(e, CrossedV, from, *sendcounts, sendtype, to, *recvcounts, recvtype, 0, comm, request)
}

// alltoallwAlone is MPI_Alltoallw.
//
//fast:cold
func alltoallwAlone(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtypes *uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtypes *uintptr, comm, request uintptr) Reason {
	from := firstBlock(sendbuf, sendcounts, sdispls, 1)
	to := firstBlock(recvbuf, recvcounts, rdispls, 1)
	if from == 0 || to == 0 || sendbuf == recvbuf || !readable(RequestAt(sendtypes), 8) ||
		!readable(RequestAt(recvtypes), 8) {
		return NotPlain
	}
	return blockAlone(e, CrossedV, from, *sendcounts, *sendtypes, to, *recvcounts, *recvtypes, 0, comm,
		request)
}

// reduceAlone is a reduction or a scan. An exclusive one leaves the buffer as it is.
//
//fast:cold
func reduceAlone(e *Endpoint, p Pattern, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	root int32, comm, request uintptr) Reason {
	s := e.alone(comm, request)
	if s == nil || root != 0 || recvbuf < Lowest {
		return NotPlain
	}
	own, r := e.contribution(sendbuf, recvbuf, count, datatype, op, mostAlone)
	if r.kind == 0 {
		return NotPlain
	}
	if p == PrefixEx {
		if !present(recvbuf, r.gaps, r.bytes) {
			return NotPlain
		}
		recvbuf = own
	}
	return e.moveOwn(s, p, recvbuf, r.gaps, own, r.gaps, r.bytes, request)
}

// neighborsAlone is an operation among neighbors, which are all this rank itself. Data with gaps is left to
// package coll.
//
//fast:cold
func (x *CollOp) neighborsAlone(e *Endpoint, s *CellRing, request uintptr) Reason {
	if e.Open == Closed || e.Open == Random && e.refuses() || x.In.gapped != 0 || x.Out.gapped != 0 ||
		x.Gaps != 0 || x.Bytes > mostAlone {
		return NotPlain
	}
	how := beginAlone(e, request)
	if how != Done {
		return how
	}
	done := x.moveNeighbors(e, s)
	return s.endAlone(e, x.Pattern, done, request)
}

// moveNeighbors moves the blocks of a rank that is its own neighbor; false when they are not plain, and some
// may have been moved then.
func (x *CollOp) moveNeighbors(e *Endpoint, s *CellRing) bool {
	for i := uint32(0); i < s.Neighborhood.In; i++ {
		block := s.Neighborhood.blockOf(i)
		if *intAt(s.Neighborhood.Sources, int32(block)) < 0 {
			continue
		}
		n := e.blockSize(&x.In, block)
		from := x.Out.Base
		size := x.Bytes
		if x.Pattern == NeighborsV {
			which := s.entryFor(addressOf(s.Neighborhood.Destinations), s.Neighborhood.Out, i, 0)
			if which >= s.Neighborhood.Out {
				return false
			}
			from = x.Out.at(which)
			size = e.blockSize(&x.Out, which)
		}
		if n == noSize || n != size || !tryMove(x.In.at(block), from, n) {
			return false
		}
	}
	return true
}
