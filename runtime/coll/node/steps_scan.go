package node

import (
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
)

// Scans in steps: each rank combines what those below it come to with its own contribution, piece by piece,
// and publishes that to the next rank, which goes on with it while it is in the caches. The lower ranks are
// ahead; nobody waits for a higher one but for room.

// spoilt stands for the size of what a rank publishes after it has found that some rank contributes another
// number of bytes.
const spoilt = -1

// scanPipeline is one rank's part in a scan.
type scanPipeline struct {
	steps
	o     *op.Op
	n     uint64 // steps, by what rank 0 contributes
	total int64  // bytes of that
	fits  bool   // so do all ranks up to this one
}

// ScanInSteps gives each rank what the ranks up to it contribute, without its own contribution if exclusive.
func (g Group) ScanInSteps(send, recv datatype.Buffer, o *op.Op, exclusive bool) {
	a := g.a
	s := scanPipeline{steps: g.stepping(recv.Bytes()), o: o}
	p := divided(a, send)
	s.n, s.total, s.fits = p.Steps(), send.Bytes(), true
	if s.Rank > 0 {
		s.follows(send)
	}
	if !s.fits {
		s.tell(0, spoilt)
		s.close(s.n)
		return
	}
	for k := uint64(0); k < s.n && !s.Dead; k++ {
		s.piece(p.Of(send, k), p.Of(recv, k), k, exclusive)
	}
	s.close(s.n)
}

// follows waits for the first step of rank 0, which tells how long it goes on, and of the rank before this
// one, and looks whether everybody contributes as much.
func (s *scanPipeline) follows(send datatype.Buffer) {
	for _, r := range [...]int{0, s.Rank - 1} {
		if !s.awaitStep(0, r, r+1) {
			return
		}
		n, _, stepped := s.a.BytesAt(r, 0)
		if r == 0 {
			s.n = stepsOfScan(s.a, send.Type)
		}
		switch {
		case n == spoilt:
			s.Note(mpierr.New(mpierr.ErrTruncate, "the ranks below this one do not all contribute %d bytes", s.total))
			s.fits = false
		case !s.expect(r, n, s.total) || !stepped:
			s.fits = false
		}
	}
}

// stepsOfScan is in how many steps rank 0, which has published something, goes.
func stepsOfScan(a *collseg.Segment, t *datatype.Type) uint64 {
	n, _, stepped := a.BytesAt(0, 0)
	if !stepped {
		return 1
	}
	return max(divided(a, datatype.Buffer{Count: n / t.Size(), Type: t}).Steps(), 1)
}

// tell publishes step k, for which there is room, to the next rank, if there is one.
func (s *scanPipeline) tell(k uint64, n int64) {
	if next := s.Rank + 1; next < s.Size && s.roomFor(k, next, next+1) {
		s.a.PublishAt(k, n, collseg.Step, next, next+1)
	}
}

// piece deals with what goes in step k.
func (s *scanPipeline) piece(own, result datatype.Buffer, k uint64, exclusive bool) {
	n, next, last := own.Bytes(), s.Rank+1, s.Rank == s.Size-1
	if s.Rank > 0 && !s.awaitStep(k, s.Rank-1, s.Rank) || !last && !s.roomFor(k, next, next+1) {
		return
	}
	sum := s.a.DataAt(s.Rank, k)
	below := sum // never read on rank 0
	if s.Rank > 0 {
		below = s.a.DataAt(s.Rank-1, k)
	}
	switch {
	case last && exclusive:
	case s.Rank == 0:
		s.fill(sum, own, 0, n)
	case exclusive:
		s.combine(sum, below, own)
	default:
		if s.combine(result.Start(), below, own); !last {
			s.fill(sum, result, 0, n)
		}
	}
	s.tell(k, s.total)
	switch {
	case exclusive && s.Rank > 0:
		s.drop(result, 0, below, n)
	case !exclusive && s.Rank == 0 && own.Addr != result.Addr:
		s.copied(result, own)
	}
	if s.Rank > 0 && !s.Dead {
		s.a.DoneAt(k, s.Rank-1, s.Rank)
	}
}

// combine combines what stands below with this rank's own contribution.
func (s *scanPipeline) combine(out, below uintptr, own datatype.Buffer) {
	defer s.Caught()
	lb := uintptr(own.Type.TrueLB())
	s.o.Combine(out-lb, below-lb, own.Start()-lb, own.Count, own.Type)
}
