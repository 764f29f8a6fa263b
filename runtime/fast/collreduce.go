package fast

import "gompi/shm"

// Reductions and scans (MPI 5.0, 6.9 to 6.12). Contributions are combined in the order of package coll.

// contribution is where this rank's contribution stands to an operation to which each rank contributes and of
// which each gets a result; the reduction's kind is 0 when that is not plain.
//
//fast:hot
func (o *Objects) contribution(sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	most uint32) (uintptr, reduction) {
	own := sendbuf
	if own == inPlace {
		own = recvbuf
	}
	r := o.reduction(own, count, datatype, op)
	if sendbuf == recvbuf || r.bytes > most || r.span > most {
		r.kind = 0
	}
	return own, r
}

// contributionTo is contribution where the result is for the root alone, which this rank is if here. recvbuf
// counts there only.
//
//fast:hot
func (o *Objects) contributionTo(here bool, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	most uint32) (uintptr, reduction) {
	to := recvbuf
	if !here {
		to = 0
	}
	own, r := o.contribution(sendbuf, to, count, datatype, op, most)
	if here && recvbuf < Lowest {
		r.kind = 0
	}
	return own, r
}

// combine combines what the ranks contribute, which is there; false when one of the contributions is not as
// this rank expects.
//
//fast:hot
func (x *CollOp) combine(e *Endpoint, s *CellRing) bool {
	r := x.elements(e)
	c := s.combiner
	end := s.N
	if x.Pattern == PrefixIn {
		end = s.Me + 1
	} else if x.Pattern == PrefixEx {
		end = s.Me
	}
	for from := uint32(0); from < end; from++ {
		data := x.Own
		if from != s.Me || x.Own == NoData {
			data = s.expected(from, x.K, r.bytes)
			if data == NoData {
				return false
			}
		}
		c.values[from] = data + uintptr(x.From)*uintptr(r.size)
	}
	if r.gaps != nil || r.by != nil {
		m := images{r: r, datatype: x.Type, count: x.Combined, to: x.In.Base, ranks: end, laid: end}
		m.scan = x.Pattern == PrefixIn || x.Pattern == PrefixEx
		if x.Own != NoData {
			m.laid = s.Me
		}
		return m.combine(e, s.combiner)
	}
	if x.Pattern == PrefixIn || x.Pattern == PrefixEx {
		c.prefix(e, &r, end, x.In.Base)
	} else if x.Combined != 0 {
		c.all(e, &r, end, x.In.Base, x.Combined*r.size)
	}
	return true
}

// contributes says where the contribution of this rank to a reduction stands.
//
//fast:hot
func (x *CollOp) contributes(r *reduction, own uintptr) {
	x.Out.Base = own
	if r.gaps != nil {
		x.Gaps = 1
	}
}

// combines says that this rank combines contributions of count elements.
//
//fast:hot
func (x *CollOp) combines(own uintptr, count int32, op, to uintptr) {
	x.Own = own
	x.Count = uint32(count)
	x.Combined = uint32(count)
	x.Op = op
	x.In.Base = to
}

// Reduce is MPI_Reduce and MPI_Ireduce.
//
//fast:hot
func Reduce(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr, root int32,
	comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return reduceAlone(e, Reduction, sendbuf, recvbuf, count, datatype, op, root, comm, request)
	}
	if uint32(root) >= s.N {
		return NotPlain
	}
	here := uint32(root) == s.Me
	if count == 0 {
		legal := here && recvbuf != inPlace || !here && sendbuf != inPlace
		return s.empty(e, Reduction, request, legal && combinesNone(&e.Objects, count, datatype, op))
	}
	own, r := e.contributionTo(here, sendbuf, recvbuf, count, datatype, op, s.Most[Reduction])
	if r.kind == 0 {
		return NotPlain
	}
	x := CollOp{Pattern: Reduction, Root: uint32(root), Bytes: r.bytes, Type: datatype}
	x.contributes(&r, own)
	if here {
		x.combines(own, count, op, recvbuf)
	}
	return x.run(e, s, request)
}

// reduceAll is a reduction to which each rank contributes count elements and of which each gets a result.
//
//fast:hot
func reduceAll(e *Endpoint, p Pattern, sendbuf, recvbuf uintptr, count int32,
	datatype, op, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return reduceAlone(e, p, sendbuf, recvbuf, count, datatype, op, 0, comm, request)
	}
	if count == 0 {
		return s.empty(e, p, request, recvbuf != inPlace && combinesNone(&e.Objects, count, datatype, op))
	}
	if recvbuf < Lowest {
		return NotPlain
	}
	own, r := e.contribution(sendbuf, recvbuf, count, datatype, op, s.Most[p])
	if r.kind == 0 {
		return NotPlain
	}
	x := CollOp{Pattern: p, Root: NoRoot, Bytes: r.bytes, Type: datatype}
	x.contributes(&r, own)
	if p != PrefixEx || s.Me > 0 {
		x.combines(own, count, op, recvbuf)
	}
	return x.run(e, s, request)
}

// Allreduce is MPI_Allreduce and MPI_Iallreduce.
//
//fast:hot
func Allreduce(e *Endpoint, sendbuf, recvbuf uintptr, count int32,
	datatype, op, comm, request uintptr) Reason {
	return reduceAll(e, ReductionToAll, sendbuf, recvbuf, count, datatype, op, comm, request)
}

// Scan is MPI_Scan and MPI_Iscan.
//
//fast:hot
func Scan(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op, comm, request uintptr) Reason {
	return reduceAll(e, PrefixIn, sendbuf, recvbuf, count, datatype, op, comm, request)
}

// Exscan is MPI_Exscan and MPI_Iexscan.
//
//fast:hot
func Exscan(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op, comm, request uintptr) Reason {
	return reduceAll(e, PrefixEx, sendbuf, recvbuf, count, datatype, op, comm, request)
}

// reduceScatter is a reduction of total elements of which this rank gets mine, from element first on.
//
//fast:hot
func (s *CellRing) reduceScatter(e *Endpoint, sendbuf, recvbuf uintptr, total, first, mine int32,
	datatype, op, request uintptr) Reason {
	all, r := e.contribution(sendbuf, recvbuf, total, datatype, op, s.Most[Shares])
	if r.kind == 0 || mine > 0 && recvbuf < Lowest {
		return NotPlain
	}
	x := CollOp{Pattern: Shares, Root: NoRoot, Bytes: r.bytes, Type: datatype}
	x.contributes(&r, all)
	// The result goes to where the contribution may stand, so that of this rank is taken from its cell.
	x.combines(NoData, total, op, recvbuf)
	x.From = uint32(first)
	x.Combined = uint32(mine)
	return x.run(e, s, request)
}

// ReduceScatterBlock is MPI_Reduce_scatter_block and MPI_Ireduce_scatter_block.
//
//fast:hot
func ReduceScatterBlock(e *Endpoint, sendbuf, recvbuf uintptr, recvcount int32,
	datatype, op, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil {
		return reduceAlone(e, Shares, sendbuf, recvbuf, recvcount, datatype, op, 0, comm, request)
	}
	if recvcount == 0 {
		none := recvbuf != inPlace && combinesNone(&e.Objects, 0, datatype, op)
		return s.empty(e, Shares, request, none)
	}
	if recvcount < 0 || recvcount > (1<<31-1)/shm.CollRanks {
		return NotPlain
	}
	n := int32(s.N)
	me := int32(s.Me)
	return s.reduceScatter(e, sendbuf, recvbuf, recvcount*n, recvcount*me, recvcount, datatype, op, request)
}

// ReduceScatter is MPI_Reduce_scatter and MPI_Ireduce_scatter.
//
//fast:hot
func ReduceScatter(e *Endpoint, sendbuf, recvbuf uintptr, recvcounts *int32,
	datatype, op, comm, request uintptr) Reason {
	s := e.ring(comm, request)
	if s == nil && (nowhere(recvcounts) || !readable(addressOf(recvcounts), 4)) {
		return NotPlain
	}
	if s == nil {
		return reduceAlone(e, Shares, sendbuf, recvbuf, *recvcounts, datatype, op, 0, comm, request)
	}
	total, first := shares(recvcounts, s.N, s.Me)
	if total < 0 {
		return NotPlain
	}
	if total == 0 {
		none := recvbuf != inPlace && combinesNone(&e.Objects, total, datatype, op)
		return s.empty(e, Shares, request, none)
	}
	mine := *intAt(recvcounts, int32(s.Me))
	return s.reduceScatter(e, sendbuf, recvbuf, total, first, mine, datatype, op, request)
}

// ReduceLocal is MPI_Reduce_local (MPI 5.0, 6.9.7) of little data.
func ReduceLocal(e *Endpoint, inbuf, inoutbuf uintptr, count int32, datatype, op uintptr) bool {
	if e.Open == Closed || inbuf < Lowest || inoutbuf < Lowest || inbuf == inoutbuf {
		return false
	}
	if combinesNone(&e.Objects, count, datatype, op) {
		return true
	}
	r := e.reduction(inbuf, count, datatype, op)
	if r.kind == 0 || r.kind == byFunction {
		return e.reduceByFunction(inbuf, inoutbuf, count, datatype, op)
	}
	if r.bytes > mostLocal {
		return false
	}
	combine(e, r.op, r.kind, inoutbuf, inbuf, inoutbuf, uint32(count))
	return true
}

// reduceByFunction has a function of the program's combine elements, if the operation is one.
//
//fast:cold
func (o *Objects) reduceByFunction(inbuf, inoutbuf uintptr, count int32, datatype, op uintptr) bool {
	record := o.operation(op)
	t := o.datatype(datatype)
	if record == nil || record.Function|record.Large == 0 || t == nil || t.Loops == 0 || count <= 0 {
		return false
	}
	o.callOwn(record, inbuf, inoutbuf, count, datatype)
	return true
}

// mostLocal is how many bytes MPI_Reduce_local combines here at most. More are left to the kernels.
const mostLocal = 8 << 10
