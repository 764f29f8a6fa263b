package collseg

import (
	"math/bits"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// Nbc is one rank's view of what the ranks of a communicator publish each other in operations that do not
// block, of which many are under way together. It works as a Segment does, but each operation names its own
// number, and those of one row may end in any order. A rank is done with an operation when it has read all
// that it needs, whether the program has asked for the end of the operation or not. It is used under the
// engine's lock.
type Nbc struct {
	view
	chunks
	wide    chunks // for data that goes as a whole
	roomy   bool
	blocked int                       // operations that wait for room in a cell
	laying  func() (fast.Rows, error) // makes room for rows
	room    fast.Rows
	rows    [shm.NbcRings]*fast.CellRing // nil for those that no operation has had
	used    int                          // rows that persistent operations have had
	ours    uint32                       // of these, by bit, those that an operation of this rank has
	free    uint32                       // and those that no rank's has
	start   uint64                       // where the numbers of rows begin
}

// Roomy reports whether each rank of the node has a core for sure, on all ranks the same.
func (b *Nbc) Roomy() bool { return b.roomy }

// inUse is the rows that operations have or have had: that of nonblocking ones, and those behind it.
func (b *Nbc) inUse() []*fast.CellRing { return b.rows[:1+b.used] }

// Carried is how many operations package fast has carried out or begun here, persistent ones too.
func (b *Nbc) Carried() (n [fast.Patterns]uint64) {
	for _, row := range b.inUse() {
		for p, more := range row.CarriedNow() {
			n[p] += more
		}
	}
	return n
}

// Empty is how many operations without data have been begun here by package fast.
func (b *Nbc) Empty() [fast.Patterns]uint64 { return b.rows[0].EmptyNow() }

// Last is the number of the last operation that this rank has done here, for this communicator or an earlier
// one.
func (b *Nbc) Last() uint64 {
	last := uint64(0)
	for i := range uintptr(shm.NbcRings) {
		last = max(last, atomic.LoadUint64(shm.Word64(b.Peer(b.Me).Base+shm.NbcDone+8*i)))
	}
	return last
}

// Open begins with operations above last, which is the greatest of what Last is on all ranks.
func (b *Nbc) Open(last uint64) {
	b.open, b.start = true, last+shm.NbcCellCount
	for _, row := range b.inUse() {
		row.Start(b.start)
	}
}

// Drained reports whether all others are done with all that this rank has begun.
func (b *Nbc) Drained() bool {
	for _, w := range b.inUse() {
		for r := range b.n {
			if b.open && r != b.me && w.Seq > w.Before && w.DoneBy(uint32(r)) < w.Seq {
				return false
			}
		}
	}
	return true
}

// Abandon gives the nonblocking segment up with operations that have not ended, because ranks have failed.
func (b *Nbc) Abandon() {
	if b.open {
		for _, row := range b.inUse() {
			row.Abandon()
		}
	}
}

// Offer lets package fast use the nonblocking segment for the communicator that the program knows by a
// handle, whose collectives have the context ctx, and for contributions of up to that many bytes, by pattern.
func (b *Nbc) Offer(handle uintptr, ctx uint32, most [fast.Patterns]uint32) {
	b.Ctx, b.Most = ctx, most
	b.endpoint.AddNbcRing(handle, b.CellRing)
}

// OfferEmpty lets package fast answer operations without data, before the nonblocking segment is open.
func (b *Nbc) OfferEmpty(handle uintptr, ctx uint32) {
	b.Queued(true)
	b.Ctx = ctx
	b.endpoint.AddNbcRing(handle, b.CellRing)
}

// SetNeighbors lets package fast carry out neighborhood collectives. It follows Offer.
func (b *Nbc) SetNeighbors(sources, destinations []int32, crossed bool) {
	b.CellRing.SetNeighbors(b.endpoint, sources, destinations, crossed, fast.MaxNbcData)
	for _, row := range b.inUse() {
		row.Neighborhood = b.Neighborhood
	}
}

// DropNeighbors gives back what is known of neighbors. All operations have ended.
func (b *Nbc) DropNeighbors() { b.CellRing.DropNeighbors(&b.endpoint.Objects) }

// Queued says whether nonblocking operations wait for their turn in package coll.
func (b *Nbc) Queued(on bool) {
	b.Elsewhere = 0
	if on {
		b.Elsewhere = 1
	}
}

// Nonblocking is the row of nonblocking operations.
func (b *Nbc) Nonblocking() *fast.CellRing { return b.rows[0] }

// Reserve is a row for one persistent operation, the same on all ranks if they reserve in the same order; nil
// when there is none left.
func (b *Nbc) Reserve() (row *fast.CellRing, err error) {
	i := bits.TrailingZeros32(b.free)
	switch {
	case b.free != 0:
		b.free &^= 1 << i
	case b.used == shm.NbcRings-1:
		return nil, nil
	default:
		if b.used == 0 {
			if b.room, err = b.laying(); err != nil {
				return nil, err
			}
		}
		b.used++
		i = b.used
		b.lay(i)
	}
	b.ours |= 1 << i
	return b.rows[i], nil
}

// lay makes a row.
func (b *Nbc) lay(i int) {
	row := b.room.Persistent(b.CellRing, i)
	row.Neighborhood = b.Neighborhood
	if b.open {
		row.Start(b.start)
	}
	b.rows[i] = row
}

// GiveBack gives a row back whose operation has gone. Other ranks may have theirs still.
func (b *Nbc) GiveBack(row *fast.CellRing) {
	for i, r := range b.inUse() {
		if r == row && i > 0 {
			b.ours &^= 1 << i
		}
	}
}

// Spent reports whether Reserve finds no row, on all ranks the same: then they agree on those that none of
// them has, and say so by Reuse.
func (b *Nbc) Spent() bool { return b.used == shm.NbcRings-1 && b.free == 0 }

// Ours is the rows that operations of this rank have, by bit.
func (b *Nbc) Ours() uint32 { return b.ours }

// Reuse has Reserve give out the rows again that no rank has. taken is those that any has.
func (b *Nbc) Reuse(taken uint32) { b.free = ^taken &^ 1 }

// WakeRank wakes rank r, for which something has been published.
func (b *Nbc) WakeRank(r int) { b.Wake(uint32(r), uint32(r)+1) }

// Block says that one more operation waits for room, or one less.
func (b *Nbc) Block(on bool) {
	word := shm.Word32(b.Peer(b.Me).Base + shm.NbcBlocked)
	switch {
	case on:
		if b.blocked++; b.blocked == 1 {
			// a full fence: what is looked at afterwards is no older. Pairs with CellRing.End
			atomic.StoreUint32(word, 1)
		}
	default:
		if b.blocked--; b.blocked == 0 {
			atomic.StoreUint32(word, 0)
		}
	}
}
