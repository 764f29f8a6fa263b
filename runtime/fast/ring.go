package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// A ring carries packets from one process to one other, in order. The sender owns the slots and the payload
// area, the receiver owns one counter, and each keeps its own position in private memory, so an ordinary
// packet costs no atomic read-modify-write: one release store by the sender, one acquire load by the
// receiver.
//
// Payloads that do not fit into a slot go to the payload area of the same pair, which is used as a ring as
// well. Since slots are emptied in order, the one counter gives back both. Long ones go to the area of the
// sender (area.go).

const (
	ringSlots = shm.RingSlots
	bulkSize  = shm.BulkSize
	cacheLine = shm.CacheLine
)

// ConsumedBatch is how many packets the receiver empties before it tells the sender. It is well below
// RingSlots, so that a sender never waits for a receiver that has emptied everything.
const ConsumedBatch = 8

// MaxBulk is the largest payload that one packet can carry, in bytes: so that a few are under way at once.
const MaxBulk = bulkSize / 4

// firstLap is how much of the payload area is used at first, in bytes: twice as much when there is no room,
// or after lapsEach laps where there is no area for what is long. To use a page for the first time takes
// longer than many a message, and a pair that exchanges little needs no more.
const (
	firstLap = 16 << 10
	lapsEach = 16
)

// Tx is the sender's end of a ring. It is used by one thread at a time.
type Tx struct {
	slots    *[ringSlots]Slot
	consumed *uint32
	blocked  *uint32
	announce *uint32
	mapped   *uint32 // 1 once the receiver has mapped the area
	bulk     uintptr
	area     *Area             // nil for none
	longFrom uint32            // payloads from this size on go through the area
	lost     bool              // the receiver has died
	broken   bool              // a payload will never be there that was published early
	never    uint32            // the position behind its packet
	pos      uint32            // slots published
	freed    uint32            // slots known to be emptied
	head     uint32            // bytes of the payload area handed out since the ring was empty, laps included
	tail     uint32            // bytes given back, likewise
	marks    [ringSlots]uint32 // value of head after each slot
	waiting  bool              // *blocked is set
	lap      uint32            // how much of the payload area is used
	laps     uint32            // how often that was used up
	least    uint32            // from this size on the receiver wanted messages announced when last looked at
}

// Rx is the receiver's end of a ring. It is used by one thread at a time.
type Rx struct {
	slots    *[ringSlots]Slot
	consumed *uint32
	blocked  *uint32
	announce *uint32
	bulk     uintptr
	end      uint32 // offsets of payloads are below
	pos      uint32 // slots emptied
	told     uint32 // value of *consumed
}

// Ready reports whether Open has been called.
func (t *Tx) Ready() bool { return t.slots != nil }

// Ready reports whether Open has been called.
func (r *Rx) Ready() bool { return r.slots != nil }

// In the Flags of a reserved slot: the receiver would rather have a message of that size announced; and it
// wants no data at all now.
const (
	Large   = 0x40
	Stopped = 0x80
)

// NoLimit is the size from which on messages are announced where none are.
const NoLimit uint32 = 1<<32 - 1

// Reserve finds room for a packet with a payload of n bytes (n <= MaxBulk) and returns its slot and the
// address to which the payload goes; nil when the receiver has to empty something first. The slot counts
// only once it is published: a reservation that is not published is as if it had not been made. The slot's
// Flags are Large or Stopped if the receiver has called Announce for that size, 0 otherwise.
//
//fast:hot
func (t *Tx) Reserve(n uint32) (*Slot, uintptr) {
	if t.pos-t.freed == ringSlots {
		t.refresh()
		if t.pos-t.freed == ringSlots {
			return nil, 0
		}
	}
	slot := &t.slots[t.pos%ringSlots]
	slot.Flags = 0
	if unlikely(n >= t.least) {
		slot.Flags = t.unwanted(n)
	}
	if n <= InlineSize {
		slot.Inline = uint16(n)
		return slot, slot.data()
	}
	if n >= MaxMessage && unlikely(t.longFrom == NoLimit) {
		t.long()
	}
	at := noOffset
	if n >= t.longFrom {
		at = t.area.find(n)
	}
	if at == noOffset {
		at = t.offset(n)
	}
	if at == noOffset {
		at = t.again(n)
		if at == noOffset {
			return nil, 0
		}
	}
	slot.Inline = InBulk
	slot.Bulk = at
	return slot, t.payload(at)
}

// payload is the address of a payload with that offset.
func (t *Tx) payload(at uint32) uintptr {
	if at >= bulkSize {
		return t.area.base + uintptr(at)
	}
	return t.bulk + uintptr(at)
}

// unwanted is the flags of a slot for a message of n bytes, which the receiver did not want when it was last
// asked.
//
//fast:cold
func (t *Tx) unwanted(n uint32) uint8 {
	t.least = atomic.LoadUint32(t.announce) - 1
	if t.least == 0 {
		return Stopped
	}
	if n >= t.least {
		return Large
	}
	return 0
}

// noOffset is no offset in a payload area.
const noOffset uint32 = 1<<32 - 1

// offset is where there are n bytes in a row in the payload area, without taking them yet; noOffset when
// there are none.
//
//fast:hot
func (t *Tx) offset(n uint32) uint32 {
	need := (n + cacheLine - 1) &^ (cacheLine - 1)
	at := t.head % bulkSize
	if at+need > t.lap {
		if t.lap < bulkSize { // what is skipped would count as used until the receiver tells of the rest
			return noOffset
		}
		need += bulkSize - at // the end of the area is too short
		at = 0
	}
	if t.head+need-t.tail > bulkSize {
		return noOffset
	}
	return at
}

// again is offset after it has found no room. It learns what the receiver has emptied. If that is not all,
// more of the payload area is used. A pair that has exchanged much uses the area from now on.
//
//fast:cold
func (t *Tx) again(n uint32) uint32 {
	t.refresh()
	if t.longFrom == NoLimit {
		t.long()
	}
	if t.laps++; t.laps%lapsEach == 0 {
		if t.longFrom != NoLimit {
			t.longFrom = LeastLong
		} else {
			t.lap = min(2*t.lap, bulkSize)
		}
	}
	at := noOffset
	if n >= t.longFrom {
		at = t.area.find(n)
	}
	if at == noOffset {
		at = t.offset(n)
	}
	for at == noOffset && t.lap < bulkSize {
		t.lap *= 2
		at = t.offset(n)
	}
	return at
}

// Publish makes the reserved slot, filled in by the caller, visible to the receiver. n is the payload's
// size as given to Reserve. Pairs with Rx.Peek.
//
//fast:hot
func (t *Tx) Publish(slot *Slot, n uint32) {
	if n > InlineSize && slot.Bulk >= bulkSize {
		t.area.take(t, slot.Bulk, n, t.pos+1)
	} else if n > InlineSize {
		size := (n + cacheLine - 1) &^ (cacheLine - 1)
		at := t.head % bulkSize
		if slot.Bulk != at {
			size += bulkSize - at
		}
		t.head += size
	}
	t.marks[t.pos%ringSlots] = t.head
	t.pos++
	shm.StoreRel32(&slot.Seq, t.pos)
}

// refresh learns what the receiver has emptied and reports whether that is something new. An empty ring
// starts over at the beginning of the payload area, whose lines are in the cache.
//
//fast:cold
func (t *Tx) refresh() bool {
	freed := atomic.LoadUint32(t.consumed) // pairs with Rx.tell
	t.least = atomic.LoadUint32(t.announce) - 1
	if freed == t.freed || t.pos-freed > ringSlots {
		return false
	}
	t.freed = freed
	t.tail = t.marks[(freed-1)%ringSlots]
	if freed == t.pos {
		t.head = 0
		t.tail = 0
	}
	return true
}

// Sane reports whether what the receiver says of the ring is possible: it cannot have emptied more than was
// published.
func (t *Tx) Sane() bool { return t.pos-atomic.LoadUint32(t.consumed) <= ringSlots }

// Block tells the receiver that this sender is about to sleep until there is room; Unblock takes it back.
// Block has to come before a last Reserve. Pairs with Rx.tell.
func (t *Tx) Block() {
	t.waiting = true
	atomic.StoreUint32(t.blocked, 1)
}

// Blocked reports whether Block was called and Unblock was not.
func (t *Tx) Blocked() bool { return t.waiting }

// Unblock takes Block back.
func (t *Tx) Unblock() {
	if t.waiting {
		t.waiting = false
		atomic.StoreUint32(t.blocked, 0)
	}
}

// Room reports whether the receiver has emptied something since the last Reserve that failed.
func (t *Tx) Room() bool { return atomic.LoadUint32(t.consumed) != t.freed }

// Announce tells the sender from which size on the receiver wants messages announced: NoLimit for none, 0 for
// all. The sender sees it at the latest when it has filled the ring once.
func (r *Rx) Announce(from uint32) { shm.StoreRel32(r.announce, from+1) }

// next is the slot of the next packet, nil when there is none yet. Its sender can change what stands there
// at any time.
func (r *Rx) next() *Slot {
	slot := &r.slots[r.pos%ringSlots]
	if atomic.LoadUint32(&slot.Seq) != r.pos+1 { // pairs with Tx.Publish
		return nil
	}
	return slot
}

// Pending reports whether there is a packet.
func (r *Rx) Pending() bool { return r.next() != nil }

// Peek copies the next packet to p and returns the address of its payload, 0 when there is no packet yet.
// What the sender writes to the slot afterwards changes nothing: every word of it is read once. A packet
// whose payload does not begin in the slot or in the payload area becomes one of kind Malformed. The
// payload stays until Release, in p if it is short.
func (r *Rx) Peek(p *Slot) uintptr {
	slot := r.next()
	if slot == nil {
		return 0
	}
	*p = *slot
	if p.Inline <= InlineSize {
		return p.data()
	}
	if p.Inline == InBulk && p.Bulk < r.end {
		return r.bulk + uintptr(p.Bulk)
	}
	p.Kind = Malformed
	return p.data()
}

// holds reports whether n bytes, at most MaxBulk, are where payloads are.
func (r *Rx) holds(at, n uint32) bool {
	return at < r.end && (at <= bulkSize-n || at >= bulkSize && at <= areaEnd-n)
}

// More reports whether there is a packet behind the next one.
func (r *Rx) More() bool {
	return atomic.LoadUint32(&r.slots[(r.pos+1)%ringSlots].Seq) == r.pos+2
}

// Release gives the slot of the next packet back to the sender. It reports whether the sender waits for
// room and must be woken. A little of the payload area may be told of later, together with slots; large
// says that it is more.
func (r *Rx) Release(large bool) bool {
	r.pos++
	if large || r.pos-r.told >= ConsumedBatch {
		return r.tell()
	}
	return false
}

// tell publishes how much has been emptied. Pairs with Tx.refresh and Tx.Block.
func (r *Rx) tell() bool {
	r.told = r.pos
	shm.StoreRel32(r.consumed, r.pos)
	return atomic.LoadUint32(r.blocked) != 0
}
