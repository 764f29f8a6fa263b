package node

import (
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// Data that does not fit into a cell of the nonblocking segment goes in pieces of a chunk each
// (collseg/pieces.go). A rank publishes all pieces for which there is room before it waits for those of
// others. Each rank says how much data it has, so one that expects another amount finds that out, and does
// without.

// Cut has data of n bytes of each rank go in pieces, if it does not fit into a cell and is of most bytes at
// most. Elements that are combined stay whole.
func (s *Operation) Cut(n, most int64) {
	w := &s.nbc
	if n <= fast.MaxNbcData || n > most {
		return
	}
	each := s.onNbc.segment.ChunkOf(n)
	if w.Op != nil {
		size := w.Send.Type.Size()
		each = each / size * size
	}
	w.division = partition.Division{Count: n, Each: each}
	w.pieces = w.division.Steps()
}

// advancePieces goes on with an operation whose data goes in pieces, and which has its cell.
func (s *Operation) advancePieces(r *request.Request) (done bool) {
	w := &s.nbc
	publishes := w.publishesPieces()
	for {
		before := w.published
		for publishes && w.published < w.pieces && s.publishPiece(r) {
			w.published++
		}
		if w.published > before {
			w.readers(s.onNbc.segment.WakeRank)
		}
		short := publishes && w.published < w.pieces
		if w.piece < w.pieces && s.takePieces(r) {
			if w.piece++; w.sources() > 0 {
				s.onNbc.segment.SetRead(w.k, w.piece)
			}
			w.next = 0
			continue
		}
		if !short {
			s.block(false)
		}
		switch {
		case !short && w.piece == w.pieces:
			w.row.End(w.k)
			w.stage = fresh
			s.onNbc.ended(s.Engine)
			return true
		case short && !w.blocked:
			s.block(true)
			continue // there may be room by now
		}
		s.Engine.Ops.Watch(r)
		return false
	}
}

// publishesPieces reports whether this rank publishes anything. The root of a reduction does not where it
// combines its own contribution out of its buffer, which nobody else needs.
func (w *Nonblocking) publishesPieces() bool {
	return w.contributes() && (w.pattern != fast.Reduction || w.rank != w.root || !w.combinesOwn())
}

// combinesOwn reports whether this rank combines its own contribution where that lies.
func (w *Nonblocking) combinesOwn() bool {
	own := &w.Send.Buffer
	return own.Contiguous() && (own.Addr != w.Recv.Addr || w.Op.InPlace())
}

// publishPiece publishes the next piece of this rank's data; false when there is no room for it.
func (s *Operation) publishPiece(r *request.Request) bool {
	w, segment := &s.nbc, s.onNbc.segment
	if w.published == 0 && !w.row.Free(w.k, 0) {
		return false
	}
	first, end := 0, w.size
	if w.pattern == fast.ToRoot || w.pattern == fast.Reduction {
		first, end = w.root, w.root+1
	}
	chunk := segment.OwnPiece(w.k, w.published, first, end, w.Op != nil && w.sources() > 0)
	if chunk == fast.NoData {
		return false
	}
	total := w.Send.Bytes() // others find out where it is not what belongs there
	at, n := w.division.Part(w.published)
	s.Pack(r, chunk, w.Send.Buffer, at, max(min(n, total-at), 0))
	segment.PublishPiece(w.k, w.published, total)
	return true
}

// takePieces takes the next piece of each source; false when one has not published it yet.
func (s *Operation) takePieces(r *request.Request) bool {
	w := &s.nbc
	for n := w.sources(); w.next < n; w.next++ {
		from := w.source(w.next)
		if !w.row.Published(uint32(from), w.k) {
			return false
		}
		b := w.Recv.Buffer
		if w.pattern == fast.Everyone || w.pattern == fast.ToRoot {
			b = w.Recv.Of(from)
		}
		if !s.agreesOnPieces(r, from, b) {
			continue
		}
		chunk := s.onNbc.segment.Piece(from, w.k, w.piece)
		if chunk == fast.NoData {
			return false
		}
		if w.Op == nil {
			at, want := w.division.Part(w.piece)
			s.Unpack(r, b, at, chunk, want)
		}
	}
	if w.Op == nil || w.sources() == 0 {
		return true
	}
	if w.published == w.piece && w.publishesPieces() {
		return false
	}
	s.combinePiece(r)
	return true
}

// agreesOnPieces reports whether a rank publishes as many bytes in pieces as belong into b. What it sends
// instead, because it has more, is received: its request would not end.
func (s *Operation) agreesOnPieces(r *request.Request, from int, b datatype.Buffer) bool {
	w, want := &s.nbc, b.Bytes()
	total, pieces := s.onNbc.segment.PiecesOf(from, w.k)
	switch {
	case pieces && total == want:
		return true
	case w.row.Said(uint32(from), w.k) != shm.CellMessage || w.Op != nil:
		schedule.Fail(r, mpierr.New(mpierr.ErrTruncate, "rank %d contributes another number of bytes than the %d that this rank expects", from, want))
	case w.piece == 0:
		s.Engine.Ops.PartRecv(r, s.Exchange.Context, b, from, w.tag, nil)
	}
	return false
}

// combinePiece combines what all have published of the next piece, unless they do not agree.
func (s *Operation) combinePiece(r *request.Request) {
	defer s.Caught(r)
	w := &s.nbc
	at, want := w.division.Part(w.piece)
	var values [collseg.MaxRanks]uintptr
	for from := range w.size {
		switch {
		case from == w.rank && w.combinesOwn(): // others read its chunk at the same time
			values[from] = w.Send.Start() + uintptr(at)
		case !s.agreesOnPieces(r, from, w.Recv.Buffer):
			return
		default:
			values[from] = s.onNbc.segment.Piece(from, w.k, w.piece)
		}
	}
	size := w.Recv.Type.Size()
	combineInTree(w.Op, values[:w.size], w.Recv.Slice(at/size, want/size), s.onNbc.segment.Scratch)
}
