package area

import (
	"math/bits"
	"sync/atomic"

	"gompi/runtime/fast"
	"gompi/shm"
)

// MaxPosted is how many bytes fit into a slot of a board.
const MaxPosted = shm.BoardSlotSize - shm.PostData

// Board is one rank's view of what the ranks of a communicator show each other in operations that do not block, of which
// many are under way together. It works as an Area does, but each operation names its own number, and those of one row may
// end in any order. A rank is done with an operation when it has read all that it needs, whether the program has asked for
// the end of the operation or not. It is used under the engine's lock.
type Board struct {
	*fast.Board
	endpoint *fast.Endpoint
	me, n    int
	bells    []shm.Bell
	first    bool // the board is MPI_COMM_WORLD's
	open     bool
	starved  int // operations that wait for room in a slot
	rows     [shm.BoardRows]Row
	used     int // rows that persistent operations have taken
	values   []byte
}

// Row is a row of numbered operations with slots of their own. An operation may use its slot once all that came so many
// before it are done with, by this rank (Admits) and, if it shows anything, by all (Free).
type Row struct {
	*fast.Row
	b     *Board
	done  uintptr // where its word stands in the boards
	at    uintptr // where its slots begin
	slots uint64
}

// lay finds the rows of a new board.
func (b *Board) lay() {
	at := uintptr(shm.BoardSlots)
	for i := range b.rows {
		w := &b.rows[i]
		w.Row, w.b, w.done, w.at, w.slots = new(fast.Row), b, shm.BoardDone+uintptr(i)*8, at, shm.BoardTurns
		if i == 0 {
			w.Row, w.slots = &b.Board.Row, shm.BoardCount
		}
		at += uintptr(w.slots) * shm.BoardSlotSize
	}
}

// Last is the number of the last operation that this rank has done here, for this communicator or an earlier one.
func (b *Board) Last() uint64 {
	last := uint64(0)
	for i := range b.rows {
		last = max(last, b.rows[i].doneBy(b.me))
	}
	return last
}

// First tells whether no communicator can have used these boards before this one, on any rank.
func (b *Board) First() bool { return b.first }

// Opened tells whether the board has been opened.
func (b *Board) Opened() bool { return b.open }

// Open begins with operations above last, which is the greatest of what Last is on all ranks.
func (b *Board) Open(last uint64) {
	b.open = true
	for i := range b.rows {
		w := &b.rows[i]
		w.Before = last + shm.BoardCount
		w.Through, w.Lowest = w.Before, w.Before
	}
}

// Drained tells whether all others are done with all that this rank has begun.
func (b *Board) Drained() bool {
	for i := range b.rows {
		w := &b.rows[i]
		for r := range b.n {
			if b.open && r != b.me && w.Turns > 0 && w.doneBy(r) < w.Before+w.Turns {
				return false
			}
		}
	}
	return true
}

// Offer lets the stubs use the board for the communicator that the program knows by a handle, whose collectives have the
// context ctx, and for contributions to reductions of up to that many bytes.
func (b *Board) Offer(handle uintptr, ctx, reduces uint32) {
	b.Ctx, b.Reduces = ctx, reduces
	b.endpoint.AddBoard(handle, b.Board)
}

// Stubbed is how many operations the stubs have begun here for this communicator. Any thread may ask.
func (b *Board) Stubbed() uint64 { return atomic.LoadUint64(&b.Board.Stubbed) }

// Nonblocking is the row of nonblocking operations.
func (b *Board) Nonblocking() *Row { return &b.rows[0] }

// Reserve is a row for one persistent operation, the same on all ranks if they reserve in the same order; nil when there
// is none left.
func (b *Board) Reserve() *Row {
	if b.used++; b.used < shm.BoardRows {
		return &b.rows[b.used]
	}
	return nil
}

// Ring wakes rank r, for which something has been shown.
func (b *Board) Ring(r int) { b.bells[r].Ring() }

// Starve says that one more operation waits for room, or one less.
func (b *Board) Starve(on bool) {
	word := shm.Word32(b.Peer(b.me).Base + shm.BoardStarved)
	switch {
	case on:
		if b.starved++; b.starved == 1 {
			atomic.StoreUint32(word, 1) // a full fence: what is looked at afterwards is no older. Pairs with feed
		}
	default:
		if b.starved--; b.starved == 0 {
			atomic.StoreUint32(word, 0)
		}
	}
}

// feed wakes those who wait for room. Like a ring of the bell it may miss one who has just begun to, whose first nap is
// short.
func (b *Board) feed() {
	for r := range b.n {
		if r != b.me && atomic.LoadUint32(shm.Word32(b.Peer(r).Base+shm.BoardStarved)) != 0 {
			b.bells[r].Ring()
		}
	}
}

// Scratch is private memory for n bytes, until the next call.
func (b *Board) Scratch(n int64) uintptr {
	if int64(len(b.values)) < n {
		b.values = make([]byte, n)
	}
	return shm.Address(b.values)
}

// Draw counts n operations more; which one the first is, from 1 on.
func (w *Row) Draw(n uint64) uint64 {
	w.Turns += n
	return w.Turns - n + 1
}

// Number is the number of an operation. The board is open.
func (w *Row) Number(turn uint64) uint64 { return w.Before + turn }

// Admits tells whether this rank's slot may be that of operation k: its own part in what the slot held before is over.
func (w *Row) Admits(k uint64) bool { return k <= w.Through+w.slots }

// Free tells whether everybody is done with what this rank's slot held before operation k.
func (w *Row) Free(k uint64) bool {
	if w.Lowest+w.slots >= k {
		return true
	}
	lowest := ^uint64(0)
	for r := range w.b.n {
		if r != w.b.me {
			lowest = min(lowest, w.doneBy(r)) // pairs with End
		}
	}
	w.Lowest = max(w.Lowest, lowest)
	return w.Lowest+w.slots >= k
}

func (w *Row) doneBy(r int) uint64 { return atomic.LoadUint64(shm.Word64(w.b.Peer(r).Base + w.done)) }

func (w *Row) slot(k uint64, r int) uintptr {
	return w.b.Peer(r).Base + w.at + uintptr(k%w.slots)*shm.BoardSlotSize
}

// Data is where rank r's data of operation k stands: written by its owner between Free and Publish, read by the others
// between Shown and End.
func (w *Row) Data(k uint64, r int) uintptr { return w.slot(k, r) + shm.PostData }

// Bytes is the size of what rank r shows.
func (w *Row) Bytes(k uint64, r int) int64 { return int64(*shm.Word64(w.slot(k, r) + shm.PostBytes)) }

// Mark is what rank r has published with its data.
func (w *Row) Mark(k uint64, r int) uint64 { return *shm.Word64(w.slot(k, r) + shm.PostMark) }

// Publish shows this rank's data of n bytes, with a mark. Pairs with Shown. The others are not woken.
func (w *Row) Publish(k uint64, n int64, mark uint64) {
	s := w.slot(k, w.b.me)
	*shm.Word64(s + shm.PostBytes) = uint64(n)
	*shm.Word64(s + shm.PostMark) = mark
	shm.StoreRel64(shm.Word64(s+shm.PostNumber), k)
}

// Shown tells whether rank r has published in operation k. Pairs with Publish.
func (w *Row) Shown(k uint64, r int) bool {
	return atomic.LoadUint64(shm.Word64(w.slot(k, r)+shm.PostNumber)) == k
}

// End says that this rank is done with operation k, for which Admits holds.
func (w *Row) End(k uint64) {
	if k != w.Through+1 {
		w.Ended |= 1 << (k - w.Through - 1)
		return
	}
	n := bits.TrailingZeros32(^(w.Ended | 1)) // k, and those behind it that have ended before
	w.Ended >>= n
	w.Through += uint64(n)
	shm.StoreRel64(shm.Word64(w.b.Peer(w.b.me).Base+w.done), w.Through)
	w.b.feed()
}
