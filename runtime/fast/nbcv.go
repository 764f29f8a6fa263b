package fast

// Nonblocking collective operations whose blocks may differ in size (MPI 5.0, 6.12). What a rank receives is
// written down in the request, because the program's lists may be gone when it ends; of many ranks that is
// left to package coll.

// listable reports whether the blocks of all ranks are dense, and few enough.
func (s *NbcSegment) listable(e *Endpoint, in *blocks) bool {
	return s.N <= ListedRanks && in.valid() && e.within(in, s.N, noSize-1)
}

// list writes down where the blocks of all ranks go.
func (x *CollRequest) list(e *Endpoint, in *blocks) {
	x.Listed = 1
	for r := uint32(0); r < x.Segment.N; r++ {
		x.Blocks[r].At = int64(in.at(r) - in.base)
		x.Blocks[r].Bytes = int64(e.blockSize(in, r))
	}
}

// contributeTable publishes the blocks for all other ranks, total bytes with their table.
func (x *CollRequest) contributeTable(e *Endpoint, out *blocks, total uint32) {
	e.writeTable(out, x.place(), x.Segment.N, x.Segment.Me)
	x.publish(total, NoRoot)
}

// Igatherv is MPI_Igatherv.
func Igatherv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, displs *int32, recvtype uintptr,
	root int32, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || nowhere(request) || uint32(root) >= s.N {
		return NotPlain
	}
	if uint32(root) != s.Me {
		n := e.size(sendbuf, sendcount, sendtype)
		if sendbuf == inPlace || n > MaxNbcData {
			return NotPlain
		}
		x := e.beginColl(s, ToRoot, uint32(root), 0, n)
		if x == nil {
			return NoRoom
		}
		x.contribute(sendbuf, n, uint32(root))
		return e.startColl(x, request)
	}
	in := e.blocks(recvbuf, recvcounts, displs, recvtype)
	if !s.listable(e, &in) {
		return NotPlain
	}
	own := in.at(s.Me)
	n := e.blockSize(&in, s.Me)
	if !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	x := e.beginColl(s, ToRoot, uint32(root), recvbuf, 0)
	if x == nil {
		return NoRoom
	}
	x.list(e, &in)
	if sendbuf != inPlace {
		move(own, sendbuf, n)
	}
	return e.startColl(x, request)
}

// Iscatterv is MPI_Iscatterv.
func Iscatterv(e *Endpoint, sendbuf uintptr, sendcounts, displs *int32, sendtype uintptr,
	recvbuf uintptr, recvcount int32, recvtype uintptr, root int32, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || nowhere(request) || uint32(root) >= s.N {
		return NotPlain
	}
	if uint32(root) != s.Me {
		n := e.size(recvbuf, recvcount, recvtype)
		if recvbuf == inPlace || n == noSize {
			return NotPlain
		}
		x := e.beginColl(s, ScatteredV, uint32(root), recvbuf, n)
		if x == nil {
			return NoRoom
		}
		return e.startColl(x, request)
	}
	out := e.blocks(sendbuf, sendcounts, displs, sendtype)
	if !out.valid() {
		return NotPlain
	}
	total := e.tableSize(&out, s.N, s.Me, MaxNbcData)
	own := out.at(s.Me)
	n := e.blockSize(&out, s.Me)
	if total == noSize || !e.apart(recvbuf, recvcount, recvtype, own, n) {
		return NotPlain
	}
	x := e.beginColl(s, ScatteredV, uint32(root), 0, 0)
	if x == nil {
		return NoRoom
	}
	x.contributeTable(e, &out, total)
	if recvbuf != inPlace {
		move(recvbuf, own, n)
	}
	return e.startColl(x, request)
}

// Iallgatherv is MPI_Iallgatherv.
func Iallgatherv(e *Endpoint, sendbuf uintptr, sendcount int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, displs *int32, recvtype, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	in := e.blocks(recvbuf, recvcounts, displs, recvtype)
	if s == nil || nowhere(request) || !s.listable(e, &in) {
		return NotPlain
	}
	own := in.at(s.Me)
	n := e.blockSize(&in, s.Me)
	if n > MaxNbcData || !e.apart(sendbuf, sendcount, sendtype, own, n) {
		return NotPlain
	}
	x := e.beginColl(s, Everyone, NoRoot, recvbuf, 0)
	if x == nil {
		return NoRoom
	}
	x.list(e, &in)
	x.contributeOwn(sendbuf, own, n)
	return e.startColl(x, request)
}

// startAlltoall begins an all-to-all of blocks that may differ in size.
func (s *NbcSegment) startAlltoall(e *Endpoint, out, in *blocks, request *uintptr) Reason {
	if nowhere(request) || !out.valid() || !s.listable(e, in) || out.base == inPlace || out.base == in.base {
		return NotPlain
	}
	total := e.tableSize(out, s.N, s.Me, MaxNbcData)
	n := e.blockSize(in, s.Me)
	if total == noSize || e.blockSize(out, s.Me) != n {
		return NotPlain
	}
	x := e.beginColl(s, CrossedV, NoRoot, in.base, 0)
	if x == nil {
		return NoRoom
	}
	x.list(e, in)
	x.contributeTable(e, out, total)
	from := out.at(s.Me)
	move(in.at(s.Me), from, n)
	return e.startColl(x, request)
}

// Ialltoallv is MPI_Ialltoallv.
func Ialltoallv(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtype uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtype, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil {
		return NotPlain
	}
	out := e.blocks(sendbuf, sendcounts, sdispls, sendtype)
	in := e.blocks(recvbuf, recvcounts, rdispls, recvtype)
	return s.startAlltoall(e, &out, &in, request)
}

// Ialltoallw is MPI_Ialltoallw.
func Ialltoallw(e *Endpoint, sendbuf uintptr, sendcounts, sdispls *int32, sendtypes *uintptr,
	recvbuf uintptr, recvcounts, rdispls *int32, recvtypes *uintptr, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || nowhere(sendtypes) || nowhere(recvtypes) {
		return NotPlain
	}
	out := blocks{base: sendbuf, counts: sendcounts, displs: sdispls, types: sendtypes}
	in := blocks{base: recvbuf, counts: recvcounts, displs: rdispls, types: recvtypes}
	return s.startAlltoall(e, &out, &in, request)
}
