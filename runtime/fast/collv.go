package fast

// Collective operations whose blocks may differ in size (MPI 5.0, 6.5 to 6.8 and 6.12). Each rank decides by
// what it has itself whether that is short enough for this package; who finds that another rank has more
// leaves the operation to package coll.

// Gatherv is MPI_Gatherv and MPI_Igatherv.
//
//fast:hot
func Gatherv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr, recvbuf uintptr,
	recvcounts, displs *int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return gatherAlone(e, ToRoot, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
			root, comm, request)
	}
	if uint32(root) >= s.N {
		return NotPlain
	}
	x := CollOp{Pattern: ToRoot, Root: uint32(root)}
	if x.Root != s.Me {
		x.Out.Base = sendbuf
		x.Bytes = e.size(sendbuf, sendcount, sendtype)
		if sendbuf == inPlace || x.Bytes > s.Most[ToRoot] {
			return NotPlain
		}
		return x.run(e, s, request)
	}
	x.In = e.blocks(recvbuf, recvcounts, displs, recvtype)
	if !x.In.valid() || !e.within(&x.In, s.N, s.Most[ToRoot]) {
		return NotPlain
	}
	own := x.In.at(s.Me)
	n := e.blockSize(&x.In, s.Me)
	if !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	x.ownTo(own, sendbuf, n)
	return x.run(e, s, request)
}

// Allgatherv is MPI_Allgatherv and MPI_Iallgatherv.
//
//fast:hot
func Allgatherv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr, recvbuf uintptr,
	recvcounts, displs *int32, recvtype, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return gatherAlone(e, Everyone, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
			0, comm, request)
	}
	x := CollOp{Pattern: Everyone, Root: NoRoot}
	x.In = e.blocks(recvbuf, recvcounts, displs, recvtype)
	if x.In.valid() && haveNone(&e.Objects, &x.In, s.N) {
		return s.empty(e, Everyone, request, e.hasNone(sendbuf, sendcount, sendtype))
	}
	if !x.In.valid() || !e.within(&x.In, s.N, s.Most[Everyone]) {
		return NotPlain
	}
	own := x.In.at(s.Me)
	x.Bytes = e.blockSize(&x.In, s.Me)
	if !e.apart(sendbuf, sendcount, sendtype, own, x.Bytes) {
		return NotPlain
	}
	x.Out.Base = sendbuf
	if sendbuf == inPlace {
		x.Out.Base = own
	}
	x.ownTo(own, sendbuf, x.Bytes)
	return x.run(e, s, request)
}

// Scatterv is MPI_Scatterv and MPI_Iscatterv.
//
//fast:hot
func Scatterv(e *Endpoint, sendbuf uintptr, sendcounts, displs *int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return scatterAlone(e, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
			comm, request)
	}
	if uint32(root) >= s.N {
		return NotPlain
	}
	x := CollOp{Pattern: ScatteredV, Root: uint32(root)}
	x.In.Base = recvbuf
	x.Out.Base = sendbuf
	if x.Root != s.Me {
		x.Each = e.size(recvbuf, recvcount, recvtype)
		if recvbuf == inPlace || x.Each == noSize {
			return NotPlain
		}
		return x.run(e, s, request)
	}
	x.Out = e.blocks(sendbuf, sendcounts, displs, sendtype)
	if !x.Out.valid() {
		return NotPlain
	}
	x.Bytes = e.tableSize(&x.Out, s.N, s.Me, s.Most[ScatteredV])
	if x.Bytes == noSize {
		return NotPlain
	}
	own := x.Out.at(s.Me)
	n := e.blockSize(&x.Out, s.Me)
	if !e.apart(recvbuf, recvcount, recvtype, own, n) {
		return NotPlain
	}
	if recvbuf != inPlace {
		x.ownTo(recvbuf, own, n)
	}
	return x.run(e, s, request)
}

// exchangeBlocks is an all-to-all of the blocks in x.Out and x.In, which may differ in size.
//
//fast:hot
func (x *CollOp) exchangeBlocks(e *Endpoint, s *CellRing, request uintptr) Reason {
	if !x.Out.valid() || !x.In.valid() || x.Out.Base == inPlace || x.Out.Base == x.In.Base {
		return NotPlain
	}
	x.Bytes = e.tableSize(&x.Out, s.N, s.Me, s.Most[CrossedV])
	own := e.blockSize(&x.In, s.Me)
	if x.Bytes == noSize || !e.within(&x.In, s.N, noSize-1) || e.blockSize(&x.Out, s.Me) != own {
		return NotPlain
	}
	from := x.Out.at(s.Me)
	x.ownTo(x.In.at(s.Me), from, own)
	return x.run(e, s, request)
}

// Alltoallv is MPI_Alltoallv and MPI_Ialltoallv.
//
//fast:hot
func Alltoallv(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtype, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return alltoallvAlone(e, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
			recvtype, comm, request)
	}
	x := CollOp{Pattern: CrossedV, Root: NoRoot}
	x.Out = e.blocks(sendbuf, sendcounts, sdispls, sendtype)
	x.In = e.blocks(recvbuf, recvcounts, rdispls, recvtype)
	return x.exchangeBlocks(e, s, request)
}

// Alltoallw is MPI_Alltoallw and MPI_Ialltoallw.
//
//fast:hot
func Alltoallw(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtypes *uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtypes *uintptr, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if nowhere(sendtypes) || nowhere(recvtypes) {
		return NotPlain
	}
	if s == nil {
		return alltoallwAlone(e, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
			recvtypes, comm, request)
	}
	x := CollOp{Pattern: CrossedV, Root: NoRoot}
	x.Out = blocks{Base: sendbuf, counts: sendcounts, displs: sdispls, unit: 1, types: sendtypes}
	x.In = blocks{Base: recvbuf, counts: recvcounts, displs: rdispls, unit: 1, types: recvtypes}
	return x.exchangeBlocks(e, s, request)
}
