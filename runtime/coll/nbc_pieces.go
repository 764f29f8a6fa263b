package coll

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Data that does not fit into one cell of the nonblocking segment, but into some, goes in as many pieces,
// each in a cell of its own: the operation takes that many numbers at once, so that all ranks number those
// that follow alike. A rank publishes all pieces for which there is room before it waits for those of others.

// cut has data of n bytes of each rank go in as many pieces as it takes.
func (w *nbc) cut(n int64) {
	if each := w.pieceBytes(); n > each {
		w.pieces = uint64((n + each - 1) / each)
	}
}

// pieceBytes is the size of a piece, in which elements that are combined are whole.
func (w *nbc) pieceBytes() int64 {
	if w.op == nil {
		return fast.MaxNbcData
	}
	size := w.send.Type.Size()
	return fast.MaxNbcData / size * size
}

// advancePieces goes on with an operation of several pieces, the first of which may have its cell.
func (s *Schedule) advancePieces(r *request.Request) (done bool) {
	w := &s.nbc
	first := w.row.Number(w.turn)
	for w.piece < w.pieces {
		before := w.published
		for w.contributes() && w.published < w.pieces && w.row.Admits(first+w.published) &&
			w.row.Free(first+w.published, 0) {
			s.publishPiece(r, first+w.published)
			w.published++
		}
		if w.published > before {
			w.readers(s.onNbc.segment.WakeRank)
			if w.published == w.pieces {
				s.block(false)
			}
		}
		k := first + w.piece
		if !w.row.Admits(k) || !s.takePieces(r, k) || w.contributes() && w.published <= w.piece {
			if w.waitsForRoom(first) && s.block(true) {
				continue
			}
			s.e.Ops.Watch(r)
			return false
		}
		w.row.End(k)
		w.piece++
		w.next = 0
		s.onNbc.ended(s.e)
	}
	w.stage = fresh
	return true
}

// waitsForRoom reports whether others have to be done with something before this rank can publish its next
// piece, in cell w.k.
func (w *nbc) waitsForRoom(first uint64) bool {
	w.k = first + w.published
	return w.contributes() && w.published < w.pieces && w.row.Admits(w.k)
}

// partOf is where the piece of operation k stands in b's data, in bytes.
func (w *nbc) partOf(k uint64, b *datatype.Buffer) (at, n int64) {
	each := w.pieceBytes()
	at = int64(k-w.row.Number(w.turn)) * each
	return at, min(each, b.Bytes()-at)
}

func (s *Schedule) publishPiece(r *request.Request, k uint64) {
	w := &s.nbc
	at, n := w.partOf(k, &w.send.Buffer)
	s.pack(r, w.row.OwnData(k, uint32(n)), w.send.Buffer, at, n)
	w.row.Publish(k)
}

// takePieces takes what others publish in operation k; false when they do not yet.
func (s *Schedule) takePieces(r *request.Request, k uint64) bool {
	w := &s.nbc
	for n := w.sources(); w.next < n; w.next++ {
		from := w.source(w.next)
		if !w.row.Published(uint32(from), k) {
			return false
		}
		if w.op != nil {
			continue // all are combined at the end
		}
		b := w.recv.Buffer
		if w.pattern != fast.FromRoot {
			b = w.recv.Of(from)
		}
		at, want := w.partOf(k, &b)
		said := w.row.Said(uint32(from), k)
		switch data := w.row.Data(uint32(from), k, said); {
		case said != uint64(want):
			fail(r, mpierr.New(mpierr.ErrTruncate, "rank %d contributes another number of bytes than the %d that this rank expects", from, b.Bytes()))
		default:
			s.unpack(r, b, at, data, want)
		}
	}
	if w.op != nil && w.sources() > 0 {
		fail(r, s.combinePiece(r, k))
	}
	return true
}
