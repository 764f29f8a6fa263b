package fast

import "gompi/shm"

// Blocking reductions and scans (MPI 5.0, 6.9 to 6.11). Contributions are combined in the order of package
// coll.

// contribution is where this rank's contribution stands to an operation to which each rank contributes and of
// which each gets a result; the reduction's kind is 0 when that is not plain.
//
//fast:hot
func (e *Endpoint) contribution(sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	most uint32) (uintptr, reduction) {
	own := sendbuf
	if own == inPlace {
		own = recvbuf
	}
	r := e.reduction(own, count, datatype, op)
	if sendbuf == recvbuf || r.bytes > most {
		r.kind = 0
	}
	return own, r
}

// contributionTo is contribution where the result is for the root alone, which this rank is if here. recvbuf
// counts there only.
//
//fast:hot
func (e *Endpoint) contributionTo(here bool, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	most uint32) (uintptr, reduction) {
	to := recvbuf
	if !here {
		to = 0
	}
	own, r := e.contribution(sendbuf, to, count, datatype, op, most)
	if here && recvbuf < Lowest {
		r.kind = 0
	}
	return own, r
}

// contributions finds what the ranks below end contribute, n bytes each, from byte skip on; own, if there is
// one, stands for what this rank has published. It reports false when one of them contributes something else.
//
//fast:hot
func (s *CollSegment) contributions(seq uint64, end, n uint32, own, skip uintptr) bool {
	for r := uint32(0); r < end; r++ {
		data := own
		if r != s.Me || own == NoData {
			data = s.expected(r, seq, n)
			if data == NoData {
				return false
			}
		}
		s.combiner.values[r] = data + skip
	}
	return true
}

// Reduce is MPI_Reduce.
func Reduce(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr, root int32,
	comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || uint32(root) >= s.N {
		return NotPlain
	}
	here := uint32(root) == s.Me
	own, r := e.contributionTo(here, sendbuf, recvbuf, count, datatype, op, s.Reduces)
	if r.kind == 0 {
		return NotPlain
	}
	if !here {
		return s.publishAndEnd(e, own, r.bytes)
	}
	seq := s.Next()
	if !s.await(e, seq, 0, s.N) || !s.contributions(seq, s.N, r.bytes, own, 0) {
		return Waiting
	}
	s.combiner.all(e, &r, s.N, recvbuf, r.bytes)
	s.Lowest = seq - 1
	return s.end(seq)
}

// Allreduce is MPI_Allreduce.
func Allreduce(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || recvbuf < Lowest {
		return NotPlain
	}
	own, r := e.contribution(sendbuf, recvbuf, count, datatype, op, s.Reduces)
	if r.kind == 0 {
		return NotPlain
	}
	seq := s.begin(e, own, r.bytes)
	if seq == 0 {
		return NoRoom
	}
	if !s.await(e, seq, 0, s.N) || !s.contributions(seq, s.N, r.bytes, own, 0) {
		return s.handOver()
	}
	s.combiner.all(e, &r, s.N, recvbuf, r.bytes)
	return s.endAfterAll(seq)
}

// scanAhead is how many operations ahead the cells of the lower ranks are fetched in a scan. Nobody waits for
// ranks above it, so the lower ones may be some operations ahead, each in memory of its own.
const scanAhead = 3

// scan combines what the ranks up to, not including, end contribute.
//
//fast:hot
func (s *CollSegment) scan(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	end uint32) Reason {
	if recvbuf < Lowest {
		return NotPlain
	}
	own, r := e.contribution(sendbuf, recvbuf, count, datatype, op, s.Reduces)
	if r.kind == 0 {
		return NotPlain
	}
	publishes := s.Me+1 < s.N // to somebody
	room := uint32(0)
	if publishes {
		room = r.bytes
	}
	seq := s.reserve(e, room)
	if seq == 0 {
		return NoRoom
	}
	if publishes {
		move(s.Place(seq, r.bytes), own, r.bytes)
		s.Publish(seq)
		s.Wake(0, s.N)
	}
	for i := uint32(0); i < s.Me; i++ {
		prefetch(s.Cell(i, seq+scanAhead))
	}
	if end > 0 {
		if !s.await(e, seq, 0, s.Me) || !s.contributions(seq, end, r.bytes, own, 0) {
			if publishes {
				return s.handOver()
			}
			return Waiting
		}
		s.combiner.prefix(e, &r, end, recvbuf)
	}
	return s.end(seq)
}

// Scan is MPI_Scan.
func Scan(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil {
		return NotPlain
	}
	return s.scan(e, sendbuf, recvbuf, count, datatype, op, s.Me+1)
}

// Exscan is MPI_Exscan.
func Exscan(e *Endpoint, sendbuf, recvbuf uintptr, count int32, datatype, op, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil {
		return NotPlain
	}
	return s.scan(e, sendbuf, recvbuf, count, datatype, op, s.Me)
}

// reduceScatter is a reduction of total elements of which this rank gets mine, from element first on.
func (s *CollSegment) reduceScatter(e *Endpoint, sendbuf, recvbuf uintptr, total, first, mine int32,
	datatype, op uintptr) Reason {
	all, r := e.contribution(sendbuf, recvbuf, total, datatype, op, s.Reduces)
	if r.kind == 0 || mine > 0 && recvbuf < Lowest {
		return NotPlain
	}
	seq := s.begin(e, all, r.bytes)
	if seq == 0 {
		return NoRoom
	}
	// The result goes to where the contribution may stand, so that of this rank is taken from its cell.
	skip := uintptr(first) * uintptr(r.size)
	if !s.await(e, seq, 0, s.N) || !s.contributions(seq, s.N, r.bytes, NoData, skip) {
		return s.handOver()
	}
	if mine > 0 {
		s.combiner.all(e, &r, s.N, recvbuf, uint32(mine)*r.size)
	}
	return s.endAfterAll(seq)
}

// ReduceScatterBlock is MPI_Reduce_scatter_block.
func ReduceScatterBlock(e *Endpoint, sendbuf, recvbuf uintptr, recvcount int32,
	datatype, op, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil || recvcount <= 0 || recvcount > (1<<31-1)/shm.CollRanks {
		return NotPlain
	}
	n := int32(s.N)
	me := int32(s.Me)
	return s.reduceScatter(e, sendbuf, recvbuf, recvcount*n, recvcount*me, recvcount, datatype, op)
}

// ReduceScatter is MPI_Reduce_scatter.
func ReduceScatter(e *Endpoint, sendbuf, recvbuf uintptr, recvcounts *int32,
	datatype, op, comm uintptr) Reason {
	s := e.collSegment(comm)
	if s == nil {
		return NotPlain
	}
	total, first := shares(recvcounts, s.N, s.Me)
	if total < 0 {
		return NotPlain
	}
	return s.reduceScatter(e, sendbuf, recvbuf, total, first, *intAt(recvcounts, int32(s.Me)), datatype, op)
}
