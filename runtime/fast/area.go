package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Long payloads go through the area of their sender, which it uses for all its peers, round and round. It is
// larger than what a processor caches for itself, and smaller than what it shares with others: so when the
// sender comes to a page again, the receiver has its lines in its own cache no more, from where each would
// have to be fetched; and they have not gone to memory yet.
//
// The receiver knows nothing of this: it maps the areas of those that send to it, behind their payload areas.
// It gives back slots, and the sender knows which pages went with each. A page that is not given back yet is
// passed over; where too many are not, the payload area of the pair is used. So a peer that takes nothing
// holds up nobody else.
const (
	areaUnit  = shm.PageSize
	areaUnits = shm.AreaStride / areaUnit
	areaEnd   = bulkSize + shm.AreaStride // offsets of payloads are below
)

// LeastLong is from which size on payloads of a pair are long that has exchanged some of them, in bytes.
// Those of MaxMessage bytes and more are at once.
const LeastLong = 4 << 10

// usualUnits is how many pages of an area are used where nothing is known of the caches: 1 MiB.
const usualUnits = 256

// areaTries is how often pages in a row are looked for that are free, before the payload area is used.
const areaTries = 8

// Area is the area of a rank, of which it has one for each segment. It is used by one thread at a time.
type Area struct {
	base  uintptr // of the payload with offset 0, if there were one
	units uint32  // pages in use
	next  uint32  // the page from which on there may be room
	pages [areaUnits]areaPage
}

// areaPage is what is known of a page: who had it last, and up to which position in its ring. It is free when
// the receiver has emptied that.
type areaPage struct {
	tx  *Tx
	seq uint32
}

// pagesOf is how many pages n bytes take.
func pagesOf(n uint32) uint32 { return (n + areaUnit - 1) / areaUnit }

// find is the offset of room for n bytes, noOffset when none was found.
//
//fast:cold
func (a *Area) find(n uint32) uint32 {
	need := pagesOf(n)
	for try := uint32(0); try < areaTries; try++ {
		if a.next+need > a.units {
			a.next = 0
		}
		held := a.held(need)
		if held == 0 {
			return bulkSize + a.next*areaUnit
		}
		a.next += held
	}
	return noOffset
}

// held is the number of pages up to the last one that is not free, of the next ones.
func (a *Area) held(need uint32) uint32 {
	for i := need; i > 0; i-- {
		page := &a.pages[a.next+i-1]
		if page.tx != nil && !page.tx.emptied(page.seq) {
			return i
		}
	}
	return 0
}

// take notes that the packet before position seq of a ring has the n bytes at an offset.
//
//fast:cold
func (a *Area) take(t *Tx, at, n, seq uint32) {
	first := (at - bulkSize) / areaUnit
	end := first + pagesOf(n)
	for i := first; i < end; i++ {
		page := &a.pages[i]
		page.tx = t
		page.seq = seq
	}
	a.next = end
}

// emptied reports whether the receiver has emptied the slots before that position, or never will.
func (t *Tx) emptied(seq uint32) bool {
	return t.lost || int32(t.freed-seq) >= 0 || int32(atomic.LoadUint32(t.consumed)-seq) >= 0
}

// long has payloads of MaxMessage bytes and more go through the area, once the receiver has mapped it.
//
//fast:cold
func (t *Tx) long() {
	if t.longFrom == NoLimit && t.area != nil && atomic.LoadUint32(t.mapped) != 0 {
		t.longFrom = MaxMessage
	}
}
