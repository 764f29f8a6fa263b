package coll

import (
	"slices"

	"gompi/runtime/area"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/request"
	"gompi/runtime/topo"
	"gompi/shm"
)

// Nonblocking, persistent and neighborhood collectives among ranks of one node go over the board: what a rank contributes
// it shows in a slot, and whoever needs it takes it from there. What does not fit a rank only announces in its slot, and
// sends it as a message, so that each rank decides by itself. An operation that waits for others, or for room, is looked
// after by every poll.

// deal is who shows what for whom, by its short name.
type deal = fast.Deal

const (
	noDeal    = fast.DealNone
	everyone  = fast.DealEveryone
	fromRoot  = fast.DealFromRoot
	toRoot    = fast.DealToRoot
	dealt     = fast.DealDealt
	dealtV    = fast.DealDealtV
	crossed   = fast.DealCrossed
	crossedV  = fast.DealCrossedV
	meeting   = fast.DealMeeting
	reduction = fast.DealReduction // the root is -1 if everybody combines
	shares    = fast.DealShares
	prefixIn  = fast.DealPrefixIn
	prefixEx  = fast.DealPrefixEx
	nearby    = fast.DealNearby
	nearbyV   = fast.DealNearbyV
)

// stage is how far an operation on the board has come.
type stage uint8

const (
	fresh   stage = iota
	queued        // waits for the end of an earlier operation of this rank
	showing       // waits for room
	taking        // waits for others
)

// post is an operation on the board. Blocks are numbered by ranks, or by neighbors.
type post struct {
	deal       deal
	stage      stage
	starved    bool // counted among those that wait for room
	row        *area.Row
	turn, k    uint64
	tag        int
	rank, size int
	root       int
	next       int // how many of those that have something for this rank have been dealt with
	send, recv Blocks
	share      share
	op         *op.Op
	near       topo.Neighborhood

	pieces, piece, shown uint64 // slots that the data takes if it takes several; of those, how many this rank is done with, and has shown
}

// byMessage marks what does not stand in the slot: it comes as a message.
const byMessage = fast.ByMessage

// isPosted tells whether contributions of n bytes are for the board.
func isPosted(n int64) bool { return n > 0 && n <= area.MaxPosted }

// isReducedOnBoard tells whether contributions like b are, which ranks read that combine them.
func isReducedOnBoard(size int, b datatype.Buffer) bool {
	n := b.Bytes()
	return n > 0 && n*int64(size) <= reduceShown && b.Contiguous()
}

// posts begins to write down an operation on the board; nil when there is no board for it. fits says whether it is one for
// the board, the same on all ranks.
func (t *Team) posts(fits bool, d deal, root int) *post {
	s := t.plan
	if s == nil || !fits || t.x != s.x || t.c.Inter() || t.size == 1 { // a part of an operation over several nodes is none
		return nil
	}
	p := postsOf(t.c)
	if p == nil {
		return nil
	}
	row := p.board.Nonblocking()
	if s.persistent {
		if row = p.board.Reserve(); row == nil {
			return nil
		}
	}
	s.posts = p
	s.post.deal, s.post.row, s.post.root, s.post.tag, s.post.rank, s.post.size = d, row, root, t.tag, t.rank, t.size
	return &s.post
}

// kept is b with lists that belong to the schedule.
func (s *Schedule) kept(b *Blocks) Blocks {
	k := Blocks{Buffer: b.Buffer} // and not *b, whose lists may be on the caller's stack
	if b.Counts != nil {
		at := len(s.numbers)
		s.numbers = append(append(s.numbers, b.Counts...), b.Displs...)
		n := at + len(b.Counts)
		k.Counts, k.Displs = s.numbers[at:n:n], s.numbers[n:]
	}
	if b.Types != nil {
		at := len(s.types)
		s.types = append(s.types, b.Types...)
		k.Types = s.types[at:]
	}
	return k
}

// advancePost goes on with the operation on the board until it waits for something.
func (s *Schedule) advancePost(r *request.Request) (done bool) {
	w := &s.post
	board := s.posts.board
	switch w.stage {
	case fresh:
		w.turn, w.next, w.piece, w.shown = w.row.Draw(max(w.pieces, 1)), 0, 0, 0
		if w.stage = queued; !w.admitted(s.posts) {
			s.posts.waiting = append(s.posts.waiting, r)
			s.e.AdoptExchanges() // so that their ends are noticed here
			return false
		}
		fallthrough
	case queued:
		w.k = w.row.Number(w.turn)
		w.stage = showing
		fallthrough
	case showing:
		if w.pieces > 1 {
			return s.advancePieces(r)
		}
		if w.shows() {
			if !w.row.Free(w.k) && !s.starve(true) {
				s.e.Watch(r)
				return false
			}
			if w.starved {
				s.starve(false)
			}
			s.show(r)
		}
		w.stage = taking
	}
	for n := w.sources(); w.next < n; w.next++ {
		from := w.source(w.next)
		if from < 0 {
			continue
		}
		if !w.row.Shown(w.k, from) {
			s.e.Watch(r)
			return false
		}
		s.take(r, w.next, from)
	}
	if w.op != nil && w.sources() > 0 || w.deal == prefixIn {
		fail(r, s.combinePosted(board))
	}
	w.row.End(w.k)
	w.stage = fresh // of the next round
	s.posts.ended(s.e)
	return true
}

// starve counts the operation among those that wait for room, or no longer. It returns true when there is some after all.
func (s *Schedule) starve(on bool) bool {
	w := &s.post
	if w.starved != on {
		w.starved = on
		s.posts.board.Starve(on)
	}
	return on && w.row.Free(w.k)
}

// fail notes the first failure of an operation.
func fail(r *request.Request, err error) {
	if r.Err == nil {
		r.Err = err
	}
}

// shows tells whether this rank shows anything.
func (w *post) shows() bool {
	switch w.deal {
	case fromRoot, dealt, dealtV:
		return w.rank == w.root
	case toRoot:
		return w.rank != w.root
	case prefixIn, prefixEx:
		return w.rank < w.size-1
	case nearby, nearbyV: // a rank that sends to nobody may have no buffer
		return slices.ContainsFunc(w.near.Destinations, func(to int32) bool { return to >= 0 })
	}
	return true
}

// sources is how many ranks this one has to wait for, or passes over.
func (w *post) sources() int {
	switch w.deal {
	case fromRoot, dealt, dealtV:
		if w.rank == w.root {
			return 0
		}
		return 1
	case toRoot:
		if w.rank != w.root {
			return 0
		}
	case reduction:
		if w.root >= 0 && w.rank != w.root {
			return 0
		}
	case prefixIn, prefixEx:
		return w.rank
	case nearby, nearbyV:
		return len(w.near.Sources)
	}
	return w.size - 1
}

// source is the i-th of them; -1 when there is none.
func (w *post) source(i int) int {
	switch w.deal {
	case fromRoot, dealt, dealtV:
		return w.root
	case prefixIn, prefixEx:
		return i
	case nearby, nearbyV:
		return max(int(w.near.Sources[w.place(i)]), -1) // p2p.ProcNull is less
	}
	return (w.rank + 1 + i) % w.size
}

// place is the number of the block that is received i-th: see topo.Neighborhood.Crossed.
func (w *post) place(i int) int {
	if w.near.Crossed {
		return i ^ 1
	}
	return i
}

// show shows what this rank contributes, and wakes those for whom it is.
func (s *Schedule) show(r *request.Request) {
	w := &s.post
	slot := w.row.Data(w.k, w.rank)
	switch w.deal {
	case meeting:
		w.row.Publish(w.k, 0, 0)
	case dealt, crossed:
		n := w.send.Bytes()
		if w.send.Type.Dense() {
			shm.Copy(slot, w.send.Start(), n*int64(w.size))
		} else {
			for to := range w.size {
				pack(slot+uintptr(int64(to)*n), w.send.Of(to), n)
			}
		}
		w.row.Publish(w.k, n*int64(w.size), 0)
	case dealtV, crossedV, nearbyV:
		s.showTable(r, slot)
	default:
		n := w.send.Bytes()
		if n <= area.MaxPosted {
			pack(slot, w.send.Buffer, n)
			w.row.Publish(w.k, n, 0)
			break
		}
		w.row.Publish(w.k, n, byMessage)
		w.readers(func(to int) { s.e.PartSend(r, s.x, w.send.Buffer, to, w.tag) })
	}
	w.readers(s.posts.board.Ring)
}

// readers calls f for each other rank for which this one shows something, more than once for one that is several times a
// neighbor; then for itself as well.
func (w *post) readers(f func(to int)) {
	switch w.deal {
	case toRoot, reduction:
		if w.root >= 0 {
			if w.root != w.rank {
				f(w.root)
			}
			return
		}
	case prefixIn, prefixEx:
		for to := w.rank + 1; to < w.size; to++ {
			f(to)
		}
		return
	case nearby, nearbyV:
		for _, to := range w.near.Destinations {
			if to >= 0 {
				f(int(to))
			}
		}
		return
	}
	for i := 1; i < w.size; i++ {
		f((w.rank + i) % w.size)
	}
}

// take takes what rank from, the i-th source, shows for this one.
func (s *Schedule) take(r *request.Request, i, from int) {
	w := &s.post
	data, n, mark := w.row.Data(w.k, from), w.row.Bytes(w.k, from), w.row.Mark(w.k, from)
	if mark != byMessage && uint64(n) > area.MaxPosted {
		s.e.Malformed(s.x.Peers.Of(from), "a malformed slot of a nonblocking collective operation: %d bytes", n)
	}
	var b datatype.Buffer
	switch w.deal {
	case everyone, toRoot:
		b = w.recv.Of(from)
	case fromRoot:
		b = w.recv.Buffer
	case dealt, crossed:
		if b = w.recv.Buffer; w.deal == crossed {
			b = w.recv.Of(from)
		}
		n /= int64(w.size)
		data += uintptr(int64(w.rank) * n)
	case dealtV, crossedV, nearbyV:
		if b = w.recv.Buffer; w.deal == crossedV {
			b = w.recv.Of(from)
		} else if w.deal == nearbyV {
			b = w.recv.Of(w.place(i))
		}
		if mark != byMessage {
			mark, n = w.entry(i, from, data, int(n))
			switch {
			case mark == noBlock:
				fail(r, mpierr.New(mpierr.ErrTopology, "rank %d, a source of this rank, does not have it among its destinations", from))
				return
			case mark != byMessage && (mark > area.MaxPosted || uint64(n) > area.MaxPosted-mark):
				fail(r, noTable(from))
				return
			}
			data += uintptr(mark)
		}
	case nearby:
		b = w.recv.Of(w.place(i))
	default:
		return
	}
	switch {
	case mark == byMessage:
		s.e.PartRecv(r, s.x, b, from, w.tag)
	case n != b.Bytes():
		fail(r, mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", from, n, b.Bytes()))
	case b.Contiguous():
		shm.Copy(b.Start(), data, n)
	default:
		b.Unpack(0, shm.Bytes(data, n))
	}
}
