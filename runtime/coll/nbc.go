package coll

import (
	"slices"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/request"
	"gompi/runtime/topo"
	"gompi/shm"
)

// Nonblocking, persistent and neighborhood collectives among ranks of one node go over the nonblocking
// segment: what a rank contributes it publishes in a cell, and whoever needs it takes it from there. What
// does not fit a rank only announces in its cell, and sends it as a message, so that each rank decides by
// itself. An operation that waits for others, or for room, is looked after by every poll.

// stage is how far an operation on the nonblocking segment has come.
type stage uint8

const (
	fresh   stage = iota
	queued        // waits for the end of an earlier operation of this rank
	showing       // waits for room
	taking        // waits for others
)

// nbc is an operation on the nonblocking segment. Blocks are numbered by ranks, or by neighbors.
type nbc struct {
	pattern    fast.Pattern
	called     string // the function, where a stub has begun the operation
	stage      stage
	blocked    bool // counted among those that wait for room
	row        *fast.CellRing
	turn, k    uint64
	tag        int
	rank, size int
	root       int
	next       int // how many of those that have something for this rank have been dealt with
	send, recv Blocks
	share      share
	op         *op.Op
	near       topo.Neighborhood
	aside      datatype.Buffer // see replace
	packed     []byte          // see packedOwn

	each                     int64  // bytes of a piece, and
	pieces, piece, published uint64 // how many there are, this rank has taken, and has published, if any
}

// nbcComm is the nonblocking segment for an operation that is written down; nil when there is none for it. A
// part of an operation over several nodes has none.
func (t *Team) nbcComm() *nbcComm {
	s := t.plan
	if s == nil || t.context != s.x || t.c.Inter() || t.size == 1 {
		return nil
	}
	return nbcOf(t.c)
}

// reserve finds the row of the nonblocking segment for the operation; false when no row is left for one that
// is persistent.
func (t *Team) reserve() bool {
	s, p := t.plan, nbcOf(t.c)
	s.nbc.row = p.segment.Nonblocking()
	if s.persistent {
		t.note(p.reuse(t.c))
		row, err := p.segment.Reserve()
		t.note(err)
		s.nbc.row = row
	}
	return s.nbc.row != nil
}

// onNbc begins to write down an operation on the nonblocking segment, for which choose has reserved a row.
func (t *Team) onNbc(p fast.Pattern, root int) *nbc {
	s := t.plan
	s.onNbc = nbcOf(t.c)
	s.nbc.pattern, s.nbc.root, s.nbc.tag, s.nbc.rank, s.nbc.size = p, root, t.tag, t.rank, t.size
	return &s.nbc
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

// advanceNbc goes on with the operation on the nonblocking segment until it waits for something.
func (s *Schedule) advanceNbc(r *request.Request) (done bool) {
	w := &s.nbc
	segment := s.onNbc.segment
	if w.stage == fresh && w.takeOver() {
		w.stage = taking
	}
	switch w.stage {
	case fresh:
		w.turn, w.next, w.piece, w.published = w.row.Draw(1), 0, 0, 0
		if w.stage = queued; !w.admitted(s.onNbc) {
			s.onNbc.enqueue(s.e, r)
			s.e.ResumeCollectives() // so that their ends are noticed here
			return false
		}
		fallthrough
	case queued:
		w.k = w.row.Number(w.turn)
		w.stage = showing
		fallthrough
	case showing:
		if w.pieces > 0 {
			return s.advancePieces(r)
		}
		if w.contributes() {
			if !w.row.Free(w.k, 0) && !s.block(true) {
				s.e.Ops.Watch(r)
				return false
			}
			if w.blocked {
				s.block(false)
			}
			s.publish(r)
		}
		w.stage = taking
	}
	for n := w.sources(); w.next < n; w.next++ {
		from := w.source(w.next)
		if from < 0 {
			continue
		}
		if !w.row.Published(uint32(from), w.k) {
			s.e.Ops.Watch(r)
			return false
		}
		if w.replaces() && !s.makeWay(r, from) {
			return false
		}
		s.take(r, w.next, from)
	}
	if w.op != nil && w.sources() > 0 || w.pattern == fast.PrefixIn {
		fail(r, s.combineNbc(r, segment))
	}
	w.row.End(w.k)
	w.stage = fresh // of the next round
	s.onNbc.ended(s.e)
	return true
}

// takeOver goes on with the blocking operation that package fast has begun, if there is one: what this rank
// contributes is published. An operation that this package has refused to go on with ends with the next one.
func (w *nbc) takeOver() bool {
	if w.row.Begun == 0 {
		return false
	}
	w.row.Begun = 0
	if w.tag != tagNeighbor {
		w.row.End(w.row.Seq)
		return false
	}
	w.k, w.next = w.row.Seq, 0
	w.turn = w.k - w.row.Before
	return true
}

// block counts the operation among those that wait for room, or no longer. It returns true when there is
// some after all.
func (s *Schedule) block(on bool) bool {
	w := &s.nbc
	if w.blocked != on {
		w.blocked = on
		s.onNbc.segment.Block(on)
	}
	return on && w.row.Free(w.k, 0)
}

// fail notes the first failure of an operation.
func fail(r *request.Request, err error) {
	if r.Err == nil {
		r.Err = err
	}
}

// publishes reports whether this rank publishes anything.
func (w *nbc) contributes() bool {
	if w.neighbors() { // a rank that sends to nobody may have no buffer
		return slices.ContainsFunc(w.near.Destinations, func(to int32) bool { return to >= 0 })
	}
	return w.pattern.Contributes(uint32(w.rank), uint32(w.size), uint32(w.root))
}

// neighbors reports whether data goes to neighbors.
func (w *nbc) neighbors() bool { return w.pattern == fast.Neighbors || w.pattern == fast.NeighborsV }

// sources is how many ranks this one has to wait for, or passes over.
func (w *nbc) sources() int {
	if w.neighbors() {
		return len(w.near.Sources)
	}
	if w.replaces() {
		return w.size
	}
	return int(w.pattern.Sources(uint32(w.rank), uint32(w.size), uint32(w.root)))
}

// source is the i-th of them; -1 when there is none.
func (w *nbc) source(i int) int {
	if w.neighbors() {
		return max(int(w.near.Sources[w.blockIndex(i)]), -1) // p2p.ProcNull is less
	}
	if w.replaces() {
		return w.sourceInPlace(i)
	}
	return int(w.pattern.Source(uint32(i), uint32(w.rank), uint32(w.size), uint32(w.root)))
}

// blockIndex is the number of the block that is received i-th: see topo.Neighborhood.Crossed.
func (w *nbc) blockIndex(i int) int {
	if w.near.Crossed {
		return i ^ 1
	}
	return i
}

// publish publishes what this rank contributes, and wakes those for whom it is.
func (s *Schedule) publish(r *request.Request) {
	w := &s.nbc
	switch w.pattern {
	case fast.Meeting:
		w.row.OwnData(w.k, 0)
	case fast.Scattered, fast.Crossed:
		n := w.send.Bytes()
		at := w.row.OwnData(w.k, uint32(n)*uint32(w.size-1))
		for to := range w.size {
			if to != w.rank {
				s.pack(r, at, w.send.Of(to), 0, n)
				at += uintptr(n)
			}
		}
	case fast.ScatteredV, fast.CrossedV, fast.NeighborsV:
		s.writeTable(r)
	default:
		n := w.send.Bytes()
		if n <= fast.MaxNbcData {
			s.pack(r, w.row.OwnData(w.k, uint32(n)), w.send.Buffer, 0, n)
			break
		}
		w.row.Announce(w.k)
		w.readers(func(to int) { s.e.Ops.PartSend(r, s.x, w.send.Buffer, to, w.tag) })
	}
	w.row.Publish(w.k)
	w.readers(s.onNbc.segment.WakeRank)
}

// readers calls f for each other rank for which this one publishes something, more than once for one that is
// several times a neighbor; then for itself as well.
func (w *nbc) readers(f func(to int)) {
	switch w.pattern {
	case fast.ToRoot, fast.Reduction:
		if w.root != w.rank {
			f(w.root)
		}
		return
	case fast.PrefixIn, fast.PrefixEx:
		for to := w.rank + 1; to < w.size; to++ {
			f(to)
		}
		return
	case fast.Neighbors, fast.NeighborsV:
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

// take takes what rank from, the i-th source, publishes for this one.
func (s *Schedule) take(r *request.Request, i, from int) {
	w := &s.nbc
	said := w.row.Said(uint32(from), w.k)
	data, n := w.row.Data(uint32(from), w.k, said), int64(said&shm.CellBytes)
	message := said == shm.CellMessage
	var b datatype.Buffer
	switch w.pattern {
	case fast.FromRoot, fast.Scattered, fast.ScatteredV:
		b = w.recv.Buffer
	case fast.Everyone, fast.ToRoot, fast.Crossed, fast.CrossedV:
		b = w.recv.Of(from)
	case fast.Neighbors, fast.NeighborsV:
		b = w.recv.Of(w.blockIndex(i))
	default:
		return
	}
	switch {
	case message:
	case said&shm.CellPipelined != 0: // a piece of longer data
		fail(r, disagreement(from, n, b.Bytes()))
		return
	case data == fast.NoData || n > fast.MaxNbcData:
		fail(r, malformed(from))
		return
	}
	switch w.pattern {
	case fast.Scattered, fast.Crossed:
		n /= int64(w.size - 1)
		data += uintptr(fast.BlockFor(uint32(from), uint32(w.rank))) * uintptr(n)
	case fast.ScatteredV, fast.CrossedV, fast.NeighborsV:
		if message {
			break
		}
		offset, size, err := w.block(i, from, data, uint32(n))
		if err != nil {
			fail(r, err)
			return
		}
		data, n, message = data+uintptr(offset), int64(size), size == fast.TableMessage
	}
	switch {
	case message:
		s.e.Ops.PartRecv(r, s.x, b, from, w.tag, nil)
	case n != b.Bytes():
		fail(r, disagreement(from, n, b.Bytes()))
	default:
		s.unpack(r, b, 0, data, n)
	}
}

// disagreement is the error of ranks whose sizes do not fit together.
func disagreement(rank int, n, want int64) error {
	return mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", rank, n, want)
}

// malformed is the error of a rank whose shared memory says what it cannot have meant.
func malformed(rank int) error {
	return mpierr.New(mpierr.ErrIntern,
		"what rank %d has published is malformed: it has called another function, or its memory is corrupted", rank)
}
