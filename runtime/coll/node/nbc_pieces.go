package node

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/request"
)

// Data that does not fit into a cell of the nonblocking segment goes in pieces of a chunk each
// (collseg/pieces.go). A rank publishes all pieces for which there is room before it waits for those of
// others. Each rank says how much data it has, so one that expects another amount finds that out, and does
// without. Where a rank has something else for each other one, all of it stands in one wide chunk, as it
// would in a cell.

// Cut has what this rank contributes go in pieces, if it does not fit into a cell and all of it is of most
// bytes at most. Elements that are combined stay whole.
func (s *Operation) Cut(most int64) {
	w := &s.nbc
	if !w.contributes() {
		return
	}
	n := w.Send.Bytes()
	if w.spreads() {
		n = w.spreadBytes()
		most = min(most, collseg.WideSize)
	}
	if n <= fast.MaxNbcData || n > most {
		return
	}
	w.division = partition.Division{Count: n, Each: n}
	if !w.spreads() {
		w.division.Each = s.onNbc.segment.ChunkOf(n)
	}
	if w.Op != nil {
		size := w.Send.Type.Size()
		w.division.Each = w.division.Each / size * size
	}
	w.pieces = w.division.Steps()
}

// spreads reports whether a rank has something else for each other one.
func (w *Nonblocking) spreads() bool {
	switch w.pattern {
	case fast.Scattered, fast.Crossed, fast.ScatteredV, fast.CrossedV:
		return true
	}
	return false
}

// publishMore publishes what this rank contributes, as far as there is room, and wakes those for whom it is.
// It returns true when all is published.
func (s *Operation) publishMore(r *request.Request) bool {
	w := &s.nbc
	if !w.publishes() {
		return true
	}
	before := w.published
	for !w.allPublished() && s.publishNext(r) {
		w.published++
	}
	if w.published > before {
		w.readers(s.onNbc.segment.WakeRank)
	}
	return w.allPublished()
}

// publishes reports whether this rank publishes anything. The root of a reduction in pieces does not where it
// combines its own contribution out of its buffer, which nobody else needs.
func (w *Nonblocking) publishes() bool {
	return w.contributes() &&
		(w.pieces == 0 || w.pattern != fast.Reduction || w.rank != w.root || !w.combinesOwn())
}

// allPublished reports whether this rank has published all that it contributes.
func (w *Nonblocking) allPublished() bool { return w.published == max(w.pieces, 1) }

// combinesOwn reports whether this rank combines its own contribution where that lies.
func (w *Nonblocking) combinesOwn() bool {
	own := &w.Send.Buffer
	return own.Contiguous() && (own.Addr != w.Recv.Addr || w.Op.InPlace())
}

// publishNext publishes the next piece of what this rank contributes, or all of it; false when there is no
// room for that.
func (s *Operation) publishNext(r *request.Request) bool {
	w, segment := &s.nbc, s.onNbc.segment
	if w.published == 0 && !w.row.Free(w.k, 0) {
		return false
	}
	if w.pieces == 0 {
		s.publishWhole(r)
		return true
	}
	if w.spreads() {
		chunk := segment.OwnWide(w.k, w.division.Count)
		if chunk != fast.NoData {
			segment.PublishPiece(w.k, 0, s.writeBlocks(r, chunk, w.division.Count))
		}
		return chunk != fast.NoData
	}
	first, end := 0, w.size
	if w.pattern == fast.ToRoot || w.pattern == fast.Reduction {
		first, end = w.root, w.root+1
	}
	chunk := segment.OwnPiece(w.k, w.published, first, end, w.Op != nil && w.sources() > 0)
	if chunk == fast.NoData {
		return false
	}
	at, n := w.division.Part(w.published)
	s.Pack(r, chunk, w.Send.Buffer, at, n)
	segment.PublishPiece(w.k, w.published, w.division.Count)
	return true
}

// takePiece takes to b the piece for a round of the total bytes that a rank publishes for all; false when it
// has not been published yet.
func (s *Operation) takePiece(r *request.Request, from int, b datatype.Buffer, total int64) (there bool) {
	w, segment := &s.nbc, s.onNbc.segment
	chunk := segment.Piece(from, w.k, w.round)
	if chunk == fast.NoData {
		return false
	}
	if want := b.Bytes(); total != want {
		schedule.Fail(r, schedule.Disagreement(from, total, want))
		w.over |= 1 << from
		return true
	}
	d := partition.Division{Count: total, Each: segment.ChunkOf(total)}
	at, n := d.Part(w.round)
	s.Unpack(r, b, at, chunk, n)
	if w.round+1 < d.Steps() {
		w.last = max(w.last, w.round+1)
	} else {
		w.over |= 1 << from
	}
	return true
}

// combinePiece combines what all have published of the next piece, unless they do not agree.
func (s *Operation) combinePiece(r *request.Request) {
	defer s.Caught(r)
	w, segment := &s.nbc, s.onNbc.segment
	at, n := w.division.Part(w.round)
	var values [collseg.MaxRanks]uintptr
	for from := range w.size {
		if from == w.rank && w.combinesOwn() { // others read its chunk at the same time
			values[from] = w.Send.Start() + uintptr(at)
			continue
		}
		if total, pieces := segment.PiecesOf(from, w.k); !pieces || total != w.division.Count {
			schedule.Fail(r, schedule.Disagreement(from, total, w.division.Count))
			return
		}
		values[from] = segment.Piece(from, w.k, w.round)
	}
	size := w.Recv.Type.Size()
	combineInTree(w.Op, values[:w.size], w.Recv.Slice(at/size, n/size), segment.Scratch)
}
