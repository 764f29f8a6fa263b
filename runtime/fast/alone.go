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

// moveOwn carries out an operation of a pattern that moves n bytes, which may stay where they are. A request
// for it is done at once.
func (e *Endpoint) moveOwn(s *CellRing, p Pattern, to, from uintptr, n uint32, request uintptr) Reason {
	if n > mostAlone || to == from && !readable(to, n) {
		return NotPlain
	}
	how := beginAlone(e, request)
	if how != Done {
		return how
	}
	return s.endAlone(e, p, to == from || tryMove(to, from, n), request)
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
	return e.moveOwn(s, Meeting, 0, 0, 0, request)
}

//fast:cold
func bcastAlone(e *Endpoint, buffer uintptr, count int32, datatype uintptr, root int32,
	comm, request uintptr) Reason {
	s := e.alone(comm, request)
	n := e.size(buffer, count, datatype)
	if s == nil || n == 0 || root != 0 {
		return NotPlain
	}
	return e.moveOwn(s, FromRoot, buffer, buffer, n, request)
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
	if n == 0 || e.size(from, fromCount, fromType) != n {
		return NotPlain
	}
	return e.moveOwn(s, p, to, from, n, request)
}

// gatherAlone is blockAlone where the block of this rank is one of a list.
//
//fast:cold
func gatherAlone(e *Endpoint, p Pattern, sendbuf uintptr, sendcount int32, sendtype uintptr, recvbuf uintptr,
	recvcounts, displs *int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	to := e.blocks(recvbuf, recvcounts, displs, recvtype)
	if recvbuf == inPlace || !to.valid() || !to.listed() {
		return NotPlain
	}
	return blockAlone(e, p, sendbuf, sendcount, sendtype, to.at(0), *recvcounts, recvtype, root, comm,
		request)
}

// listed reports whether the first entries of the lists are memory.
func (b *blocks) listed() bool {
	return readable(addressOf(b.counts), 4) && readable(addressOf(b.displs), 4) &&
		(b.types == nil || readable(addressOf(b.types), 8))
}

// scatterAlone is MPI_Scatterv.
//
//fast:cold
func scatterAlone(e *Endpoint, sendbuf uintptr, sendcounts, displs *int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	from := e.blocks(sendbuf, sendcounts, displs, sendtype)
	if sendbuf == inPlace || !from.valid() || !from.listed() {
		return NotPlain
	}
	return blockAlone(e, ScatteredV, from.at(0), *sendcounts, sendtype, recvbuf, recvcount, recvtype, root,
		comm, request)
}

// alltoallvAlone is MPI_Alltoallv.
//
//fast:cold
func alltoallvAlone(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtype, comm, request uintptr) Reason {
	from := e.blocks(sendbuf, sendcounts, sdispls, sendtype)
	to := e.blocks(recvbuf, recvcounts, rdispls, recvtype)
	return exchangeAlone(e, &from, &to, comm, request)
}

// alltoallwAlone is MPI_Alltoallw.
//
//fast:cold
func alltoallwAlone(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtypes *uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtypes *uintptr, comm, request uintptr) Reason {
	from := blocks{Base: sendbuf, counts: sendcounts, displs: sdispls, unit: 1, types: sendtypes}
	to := blocks{Base: recvbuf, counts: recvcounts, displs: rdispls, unit: 1, types: recvtypes}
	return exchangeAlone(e, &from, &to, comm, request)
}

// exchangeAlone moves the block of this rank from one list to another.
func exchangeAlone(e *Endpoint, from, to *blocks, comm, request uintptr) Reason {
	s := e.alone(comm, request)
	if s == nil || !from.valid() || !to.valid() || from.Base == inPlace || from.Base == to.Base ||
		!from.listed() || !to.listed() {
		return NotPlain
	}
	at := from.at(0)
	n := e.blockSize(from, 0)
	if n == noSize || n != e.blockSize(to, 0) {
		return NotPlain
	}
	return e.moveOwn(s, CrossedV, to.at(0), at, n, request)
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
	if r.kind == 0 || r.gaps != nil {
		return NotPlain
	}
	if p == PrefixEx {
		if !readable(recvbuf, r.bytes) {
			return NotPlain
		}
		recvbuf = own
	}
	return e.moveOwn(s, p, recvbuf, own, r.bytes, request)
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
