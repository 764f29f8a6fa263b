package coll

import (
	"gompi/runtime/area"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// Data that does not fit into one slot of the board, but into some, goes in as many pieces, each in a slot of its own: the
// operation takes that many numbers at once, so that all ranks number those that follow alike. A rank shows all pieces for
// which there is room before it waits for those of others.

// postedPieces is the largest number of pieces, of which as many as there are slots are shown at once. Longer data would take
// half the time in pieces, too (4 MiB for 8 ranks: broadcast 1.5 ms instead of 3.0, allgather 12.7 instead of 29.5), but its
// owner would have to be in the library again and again; a message is copied out of its memory while it computes.
const postedPieces = 64

// pieced begins to write down an operation in which ranks show n bytes each for others who take all of it; nil when that is
// not for the board.
func (t *Team) pieced(n int64, d deal, root int) *post {
	most := int64(area.MaxPosted)
	if t.plan != nil && !t.plan.persistent { // whose rows are short
		most *= postedPieces
	}
	w := t.posts(n > 0 && n <= most, d, root)
	if w != nil && n > area.MaxPosted {
		w.pieces = uint64((n + area.MaxPosted - 1) / area.MaxPosted)
	}
	return w
}

// advancePieces goes on with an operation of several pieces, the first of which may have its slot.
func (s *Schedule) advancePieces(r *request.Request) (done bool) {
	w := &s.post
	first := w.row.Number(w.turn)
	for w.piece < w.pieces {
		before := w.shown
		for w.shows() && w.shown < w.pieces && w.row.Admits(first+w.shown) && w.row.Free(first+w.shown) {
			w.showPiece(first + w.shown)
			w.shown++
		}
		if w.shown > before {
			w.readers(s.posts.board.Ring)
			if w.shown == w.pieces {
				s.starve(false)
			}
		}
		k := first + w.piece
		if !w.row.Admits(k) || !s.takePieces(r, k) || w.shows() && w.shown <= w.piece {
			if w.waitsForRoom(first) && s.starve(true) {
				continue
			}
			s.e.Watch(r)
			return false
		}
		w.row.End(k)
		w.piece++
		w.next = 0
		s.posts.ended(s.e)
	}
	w.stage = fresh
	return true
}

// waitsForRoom tells whether others have to be done with something before this rank can show its next piece, in slot w.k.
func (w *post) waitsForRoom(first uint64) bool {
	w.k = first + w.shown
	return w.shows() && w.shown < w.pieces && w.row.Admits(w.k)
}

// partOf is where the piece of operation k stands in b's data, in bytes.
func (w *post) partOf(k uint64, b *datatype.Buffer) (at, n int64) {
	at = int64(k-w.row.Number(w.turn)) * area.MaxPosted
	return at, min(area.MaxPosted, b.Bytes()-at)
}

func (w *post) showPiece(k uint64) {
	b := &w.send.Buffer
	at, n := w.partOf(k, b)
	slot := w.row.Data(k, w.rank)
	if b.Contiguous() {
		shm.Copy(slot, b.Start()+uintptr(at), n)
	} else {
		b.Pack(at, shm.Bytes(slot, n))
	}
	w.row.Publish(k, n, 0)
}

// takePieces takes what others show in operation k; false when they do not yet.
func (s *Schedule) takePieces(r *request.Request, k uint64) bool {
	w := &s.post
	for n := w.sources(); w.next < n; w.next++ {
		from := w.source(w.next)
		if !w.row.Shown(k, from) {
			return false
		}
		b := w.recv.Buffer
		if w.deal != fromRoot {
			b = w.recv.Of(from)
		}
		at, want := w.partOf(k, &b)
		data := w.row.Data(k, from)
		switch n := w.row.Bytes(k, from); {
		case n != want:
			fail(r, mpierr.New(mpierr.ErrTruncate, "rank %d contributes another number of bytes than the %d that this rank expects", from, b.Bytes()))
		case b.Contiguous():
			shm.Copy(b.Start()+uintptr(at), data, n)
		default:
			b.Unpack(at, shm.Bytes(data, n))
		}
	}
	return true
}
