package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Nonblocking reductions and scans (MPI 5.0, 6.12). A contribution stands in the cell of its rank until all
// are there.

// combines says what an operation combines: of contributions of count elements, which stand in the cells,
// that many from element first on; nothing if there are none.
func (x *CollRequest) combines(own uintptr, count, first, combined int32, datatype, op uintptr) {
	x.Send = own
	x.Count = uint64(count)
	x.From = uint64(first)
	x.Combined = uint64(combined)
	x.Type = datatype
	x.Op = op
}

// combine combines what an operation has waited for; false when one of the contributions is not as this rank
// expects.
func (x *CollRequest) combine(e *Endpoint) bool {
	s := x.Segment
	r := e.elements(x.Type, x.Op, uint32(x.Count))
	prefix := x.Pattern == PrefixIn || x.Pattern == PrefixEx
	end := s.N
	if prefix {
		end = s.Me
	}
	for i := uint32(0); i < end; i++ {
		cell := s.Ring.Cell(x.K, i)
		if atomic.LoadUint64(&cell.Bytes) != uint64(r.bytes) {
			return false
		}
		s.combiner.values[i] = cell.Data() + uintptr(x.From)*uintptr(r.size)
	}
	if !prefix {
		if x.Combined != 0 {
			s.combiner.all(e, &r, end, x.Buf, uint32(x.Combined)*r.size)
		}
		return true
	}
	if x.Pattern == PrefixIn {
		s.combiner.values[end] = x.Send
		end++
	}
	s.combiner.prefix(e, &r, end, x.Buf)
	return true
}

// Ireduce is MPI_Ireduce.
func Ireduce(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	root int32, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || nowhere(request) || uint32(root) >= s.N {
		return NotPlain
	}
	here := uint32(root) == s.Me
	own, r := e.contributionTo(here, sendbuf, recvbuf, count, datatype, op, s.Reduces)
	if r.kind == 0 {
		return NotPlain
	}
	x := e.beginColl(s, Reduction, uint32(root), recvbuf, 0)
	if x == nil {
		return NoRoom
	}
	if here {
		x.combines(own, count, 0, count, datatype, op)
	}
	x.contribute(own, r.bytes, uint32(root))
	return e.startColl(x, request)
}

// Iallreduce is MPI_Iallreduce.
func Iallreduce(e *Endpoint, sendbuf, recvbuf uintptr, count int32,
	datatype, op, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil {
		return NotPlain
	}
	return s.reduce(e, Reduction, sendbuf, recvbuf, count, 0, count, datatype, op, request)
}

// reduce begins a reduction of total elements to which each rank contributes and of which each gets a result,
// this one that of mine elements from element first on.
func (s *NbcSegment) reduce(e *Endpoint, p Pattern, sendbuf, recvbuf uintptr, total, first, mine int32,
	datatype, op uintptr, request *uintptr) Reason {
	own, r := e.contribution(sendbuf, recvbuf, total, datatype, op, s.Reduces)
	if r.kind == 0 || nowhere(request) || mine > 0 && recvbuf < Lowest {
		return NotPlain
	}
	x := e.beginColl(s, p, NoRoot, recvbuf, 0)
	if x == nil {
		return NoRoom
	}
	if p != PrefixEx || s.Me > 0 {
		x.combines(own, total, first, mine, datatype, op)
	}
	if p.Contributes(s.Me, s.N, NoRoot) {
		x.contribute(own, r.bytes, NoRoot)
	}
	return e.startColl(x, request)
}

// Iscan is MPI_Iscan.
func Iscan(e *Endpoint, sendbuf, recvbuf uintptr, count int32,
	datatype, op, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil {
		return NotPlain
	}
	return s.reduce(e, PrefixIn, sendbuf, recvbuf, count, 0, count, datatype, op, request)
}

// Iexscan is MPI_Iexscan.
func Iexscan(e *Endpoint, sendbuf, recvbuf uintptr, count int32,
	datatype, op, comm uintptr, request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil {
		return NotPlain
	}
	return s.reduce(e, PrefixEx, sendbuf, recvbuf, count, 0, count, datatype, op, request)
}

// IreduceScatterBlock is MPI_Ireduce_scatter_block.
func IreduceScatterBlock(e *Endpoint, sendbuf, recvbuf uintptr, recvcount int32, datatype, op, comm uintptr,
	request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil || recvcount <= 0 || recvcount > (1<<31-1)/shm.CollRanks {
		return NotPlain
	}
	n := int32(s.N)
	me := int32(s.Me)
	return s.reduce(e, Shares, sendbuf, recvbuf, recvcount*n, recvcount*me, recvcount, datatype, op, request)
}

// IreduceScatter is MPI_Ireduce_scatter.
func IreduceScatter(e *Endpoint, sendbuf, recvbuf uintptr, recvcounts *int32, datatype, op, comm uintptr,
	request *uintptr) Reason {
	s := e.nbcSegment(comm)
	if s == nil {
		return NotPlain
	}
	total, first := shares(recvcounts, s.N, s.Me)
	if total < 0 {
		return NotPlain
	}
	mine := *intAt(recvcounts, int32(s.Me))
	return s.reduce(e, Shares, sendbuf, recvbuf, total, first, mine, datatype, op, request)
}
