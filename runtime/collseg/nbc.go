package collseg

import (
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
	roomy   bool
	blocked int // operations that wait for room in a cell
	rows    [shm.NbcRings]*fast.CellRing
	used    int // rows that persistent operations have taken
}

// Roomy reports whether each rank of the node has a core for sure, on all ranks the same.
func (b *Nbc) Roomy() bool { return b.roomy }

// lay makes the rows of a new segment, which is number cid of rings.
func (b *Nbc) lay(rings *fast.Rings, cid int) {
	b.rows[0] = b.CellRing
	for i := 1; i < len(b.rows); i++ {
		b.rows[i] = rings.Persistent(cid, b.CellRing, i)
	}
}

// Carried is how many operations package fast has carried out or begun here, persistent ones too.
func (b *Nbc) Carried() (n [fast.Patterns]uint64) {
	for _, row := range b.rows {
		for p, more := range row.CarriedNow() {
			n[p] += more
		}
	}
	return n
}

// Last is the number of the last operation that this rank has done here, for this communicator or an earlier
// one.
func (b *Nbc) Last() uint64 {
	last := uint64(0)
	for i := range b.rows {
		last = max(last, b.rows[i].DoneBy(b.Me))
	}
	return last
}

// Open begins with operations above last, which is the greatest of what Last is on all ranks.
func (b *Nbc) Open(last uint64) {
	b.open = true
	for i := range b.rows {
		b.rows[i].Start(last + shm.NbcCellCount)
	}
}

// Drained reports whether all others are done with all that this rank has begun.
func (b *Nbc) Drained() bool {
	for i := range b.rows {
		w := b.rows[i]
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
		for _, row := range b.rows {
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

// SetNeighbors lets package fast carry out neighborhood collectives. It follows Offer.
func (b *Nbc) SetNeighbors(sources, destinations []int32, crossed bool) {
	b.CellRing.SetNeighbors(b.endpoint, sources, destinations, crossed, fast.MaxNbcData)
	for _, row := range b.rows[1:] {
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
func (b *Nbc) Reserve() *fast.CellRing {
	if b.used++; b.used < shm.NbcRings {
		return b.rows[b.used]
	}
	return nil
}

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
