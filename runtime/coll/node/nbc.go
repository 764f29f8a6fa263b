package node

import (
	"slices"

	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
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
	fresh      stage = iota
	queued           // waits for the end of an earlier operation of this rank
	publishing       // waits for room
	taking           // waits for others
)

// Nonblocking is an operation on the nonblocking segment. Blocks are numbered by ranks, or by neighbors.
type Nonblocking struct {
	pattern    fast.Pattern
	called     string // the function, where a stub has begun the operation
	stage      stage
	blocked    bool // counted among those that wait for room
	row        *fast.CellRing
	turn, k    uint64
	tag        int
	rank, size int
	root       int
	next       int // how many of those that have something for this rank have been dealt with in this round
	Send, Recv partition.Blocks
	Share      partition.Share
	Op         *op.Op
	Near       topo.Neighborhood
	aside      datatype.Buffer // see replace
	packed     []byte          // see packedOwn

	// Of data that goes in pieces (nbc_pieces.go):
	division  partition.Division // in bytes
	pieces    uint64             // how many this rank has, 0 for what goes as a whole
	published uint64             // how many of them are published
	round     uint64             // in each of which this rank takes a piece of each source
	last      uint64             // round, as far as known
	over      uint64             // sources of which this rank has all, by bit
}

// Kept is b with lists that belong to the schedule.
func (s *Operation) Kept(b *partition.Blocks) partition.Blocks {
	k := partition.Blocks{Buffer: b.Buffer} // and not *b, whose lists may be on the caller's stack
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

// advanceNbc goes on with the operation on the nonblocking segment until it waits for something. What stands
// in pieces is taken in rounds, all else in the first one. In each round a rank publishes before it takes:
// what it takes may replace what it publishes.
func (s *Operation) advanceNbc(r *request.Request) (done bool) {
	w := &s.nbc
	if !s.admittedNbc(r) {
		return false
	}
	for {
		if w.stage == publishing && s.publishMore(r) {
			s.block(false)
			w.stage = taking
		}
		switch {
		case w.stage == taking && w.round > w.last:
			w.row.End(w.k)
			w.stage, w.published, w.round, w.last, w.over = fresh, 0, 0, 0, 0 // of the next start
			s.onNbc.ended(s.Engine)
			return true
		case w.round <= w.last && (w.stage == taking || w.round < w.published) && s.takeRound(r):
		case w.stage == publishing && !w.blocked:
			s.block(true) // there may be room by now
		default:
			s.Engine.Ops.Watch(r)
			return false
		}
	}
}

// admittedNbc reports whether the operation has its cell. One that has none yet waits in the queue.
func (s *Operation) admittedNbc(r *request.Request) bool {
	w := &s.nbc
	if w.stage == fresh {
		if w.takeOver() {
			w.stage = taking
			return true
		}
		if w.Op != nil && w.pieces > 0 && w.sources() > 0 {
			w.last = w.pieces - 1
		}
		w.turn = w.row.Draw(1)
		if w.stage = queued; !w.admitted(s.onNbc) {
			s.onNbc.enqueue(s.Engine, r)
			s.Engine.ResumeCollectives() // so that their ends are noticed here
			return false
		}
	}
	if w.stage == queued {
		w.k = w.row.Number(w.turn)
		w.stage = publishing
	}
	return true
}

// takeRound takes of each source what it has for this rank in a round. It returns false when one has not
// published that yet.
func (s *Operation) takeRound(r *request.Request) bool {
	w := &s.nbc
	for n := w.sources(); w.next < n; w.next++ {
		from := w.source(w.next)
		switch {
		case from < 0 || w.round > 0 && w.over>>from&1 != 0:
		case w.round == 0 && !w.row.Published(uint32(from), w.k),
			w.round == 0 && w.replaces() && !s.makeWay(r, from),
			!s.take(r, w.next, from):
			return false
		}
	}
	if w.Op != nil && w.sources() > 0 || w.pattern == fast.PrefixIn {
		s.combineRound(r)
	}
	w.next = 0
	if w.round++; w.last > 0 || w.stage == publishing {
		s.onNbc.segment.SetRead(w.k, w.round)
	}
	return true
}

// combineRound combines what this rank and its sources have published in a round.
func (s *Operation) combineRound(r *request.Request) {
	if s.nbc.pieces > 0 {
		s.combinePiece(r)
	} else {
		schedule.Fail(r, s.combineNbc(r, s.onNbc.segment))
	}
}

// takeOver goes on with the blocking operation that package fast has begun, if there is one: what this rank
// contributes is published. An operation that this package has refused to go on with ends with the next one.
func (w *Nonblocking) takeOver() bool {
	if w.row.Begun == 0 {
		return false
	}
	w.row.Begun = 0
	if w.tag != schedule.TagNeighbor {
		w.row.End(w.row.Seq)
		return false
	}
	w.k = w.row.Seq
	w.turn = w.k - w.row.Before
	return true
}

// block counts the operation among those that wait for room, or no longer.
func (s *Operation) block(on bool) {
	if w := &s.nbc; w.blocked != on {
		w.blocked = on
		s.onNbc.segment.Block(on)
	}
}

// publishes reports whether this rank publishes anything.
func (w *Nonblocking) contributes() bool {
	if w.neighbors() { // a rank that sends to nobody may have no buffer
		return slices.ContainsFunc(w.Near.Destinations, func(to int32) bool { return to >= 0 })
	}
	return w.pattern.Contributes(uint32(w.rank), uint32(w.size), uint32(w.root))
}

// neighbors reports whether data goes to neighbors.
func (w *Nonblocking) neighbors() bool {
	return w.pattern == fast.Neighbors || w.pattern == fast.NeighborsV
}

// sources is how many ranks this one has to wait for, or passes over.
func (w *Nonblocking) sources() int {
	if w.neighbors() {
		return len(w.Near.Sources)
	}
	if w.replaces() {
		return w.size
	}
	return int(w.pattern.Sources(uint32(w.rank), uint32(w.size), uint32(w.root)))
}

// source is the i-th of them; -1 when there is none.
func (w *Nonblocking) source(i int) int {
	if w.neighbors() {
		return max(int(w.Near.Sources[w.blockIndex(i)]), -1) // p2p.ProcNull is less
	}
	if w.replaces() {
		return w.sourceInPlace(i)
	}
	return int(w.pattern.Source(uint32(i), uint32(w.rank), uint32(w.size), uint32(w.root)))
}

// blockIndex is the number of the block that is received i-th: see topo.Neighborhood.Crossed.
func (w *Nonblocking) blockIndex(i int) int {
	if w.Near.Crossed {
		return i ^ 1
	}
	return i
}

// publishWhole publishes what this rank contributes at once, or announces it.
func (s *Operation) publishWhole(r *request.Request) {
	w := &s.nbc
	switch w.pattern {
	case fast.Meeting:
		w.row.OwnData(w.k, 0)
	case fast.Scattered, fast.Crossed:
		n := w.spreadBytes()
		s.writeBlocks(r, w.row.OwnData(w.k, uint32(n)), n)
	case fast.ScatteredV, fast.CrossedV, fast.NeighborsV:
		if w.head() > fast.MaxNbcData {
			s.announceBlocks(r)
			break
		}
		cell := w.row.OwnData(w.k, fast.MaxNbcData)
		w.row.OwnData(w.k, uint32(s.writeBlocks(r, cell, fast.MaxNbcData)))
	default:
		n := w.Send.Bytes()
		if n <= fast.MaxNbcData {
			s.Pack(r, w.row.OwnData(w.k, uint32(n)), w.Send.Buffer, 0, n)
			break
		}
		w.row.Announce(w.k)
		w.readers(func(to int) { s.Engine.Ops.PartSend(r, s.Exchange.Context, w.Send.Buffer, to, w.tag) })
	}
	w.row.Publish(w.k)
}

// readers calls f for each other rank for which this one publishes something, more than once for one that is
// several times a neighbor; then for itself as well.
func (w *Nonblocking) readers(f func(to int)) {
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
		for _, to := range w.Near.Destinations {
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

// take takes what rank from, the i-th source, publishes for this one, or a piece of it; false when that has
// not been published yet.
func (s *Operation) take(r *request.Request, i, from int) (there bool) {
	w := &s.nbc
	said := w.row.Said(uint32(from), w.k)
	var b datatype.Buffer
	switch w.pattern {
	case fast.FromRoot, fast.Scattered, fast.ScatteredV:
		b = w.Recv.Buffer
	case fast.Everyone, fast.ToRoot, fast.Crossed, fast.CrossedV:
		b = w.Recv.Of(from)
	case fast.Neighbors, fast.NeighborsV:
		b = w.Recv.Of(w.blockIndex(i))
	default: // it is combined with the others', unless it is something else than they have
		return w.pieces == 0 || said != uint64(w.division.Count)|shm.CellPipelined ||
			s.onNbc.segment.Piece(from, w.k, w.round) != fast.NoData
	}
	data, most := w.row.Data(uint32(from), w.k, said), int64(fast.MaxNbcData)
	n, message := int64(said&shm.CellBytes), said == shm.CellMessage
	switch {
	case said&shm.CellPipelined == 0 || w.neighbors():
	case w.spreads():
		data, most = s.onNbc.segment.Wide(from, w.k, n), collseg.WideSize
	default:
		return s.takePiece(r, from, b, n)
	}
	w.over |= 1 << from
	if !message && (data == fast.NoData || n > most) {
		schedule.Fail(r, schedule.Malformed(from))
	} else {
		s.takeWhole(r, i, from, b, data, n, message)
	}
	return true
}

// takeWhole takes to b what rank from, the i-th source, publishes at once: n bytes at data, unless it comes
// as a message.
func (s *Operation) takeWhole(r *request.Request, i, from int, b datatype.Buffer, data uintptr, n int64,
	message bool) {
	w := &s.nbc
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
			schedule.Fail(r, err)
			return
		}
		data, n, message = data+uintptr(offset), int64(size), size == fast.TableMessage
	}
	switch {
	case message:
		s.Engine.Ops.PartRecv(r, s.Exchange.Context, b, from, w.tag, nil)
	case n != b.Bytes():
		schedule.Fail(r, schedule.Disagreement(from, n, b.Bytes()))
	default:
		s.Unpack(r, b, 0, data, n)
	}
}
