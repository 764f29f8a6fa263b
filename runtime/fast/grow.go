package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// A packet may be published before its payload is there, so that the receiver copies the payload out while
// the sender copies it in. The pair's block tells how much is there. One packet of a ring grows at a time:
// the sender publishes the next one when it is done, or has failed.

// GrowStep is how many bytes of a payload are worth telling of.
const GrowStep = 8 << 10

// growthShift is where the position stands in the word.
const growthShift = 32

// GrownNever is how many bytes there are of a payload that will never be there.
const GrownNever uint32 = 1<<32 - 1

// Growing in Data[2] of an eager packet says that it was published early.
const Growing uint64 = 1<<64 - 1

// PublishEarly is Publish for a payload of which nothing is there yet. The receiver is told of it in the
// packet itself. It reports false, and has done nothing, where the payload is not in the area, or as long as
// the receiver may not know of one that will never be there.
func (t *Tx) PublishEarly(slot *Slot, n uint32) bool {
	if n <= InlineSize || slot.Bulk < bulkSize || t.broken && !t.emptied(t.never) {
		return false
	}
	t.broken = false
	shm.StoreRel64(t.grown(), uint64(t.pos+1)<<growthShift)
	t.Publish(slot, n)
	return true
}

// Grow says that the first n bytes of the payload of the last packet are there. Pairs with Rx.Grown.
func (t *Tx) Grow(n uint32) { shm.StoreRel64(t.grown(), uint64(t.pos)<<growthShift|uint64(n)) }

// GrowNever says that the rest of the payload of the last packet will never be there.
func (t *Tx) GrowNever() {
	t.Grow(GrownNever)
	t.broken, t.never = true, t.pos
}

// Grown is how many of the n bytes of the next packet's payload are there, which was published early;
// GrownNever if not all ever will.
func (r *Rx) Grown(n uint32) uint32 {
	word := atomic.LoadUint64(shm.Word64(r.bulk - shm.PairBulk + shm.PairGrown))
	there := uint32(word)
	if uint32(word>>growthShift) != r.pos+1 {
		return n // another one grows already
	}
	if there < n || there == GrownNever {
		return there
	}
	return n
}

// grown is the word in the pair's block.
func (t *Tx) grown() *uint64 { return shm.Word64(t.bulk - shm.PairBulk + shm.PairGrown) }
