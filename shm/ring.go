package shm

import "sync/atomic"

// A ring carries packets from one process to one other, in order. The sender owns the slots and the bulk area, the
// receiver owns one counter, and each keeps its own position in private memory, so an ordinary packet costs no
// atomic read-modify-write: one release store by the sender, one acquire load by the receiver.
//
// Payloads that do not fit into a slot go to the bulk area of the same pair, which is used as a ring as well. Since
// slots are emptied in order, the one counter gives back both.

// ConsumedBatch is how many inline packets the receiver empties before it tells the sender. It is well below
// RingSlots, so that a sender never waits for a receiver that has emptied everything.
const ConsumedBatch = 8

// Tx is the sender's end of a ring. It is used by one thread at a time.
type Tx struct {
	slots    *[RingSlots]Slot
	consumed *uint32
	starved  *uint32
	hold     *uint32
	bulk     uintptr
	pos      uint32            // slots published
	freed    uint32            // slots known to be emptied
	head     uint32            // bulk bytes handed out since the ring was last empty, laps included
	tail     uint32            // bulk bytes given back, likewise
	marks    [RingSlots]uint32 // value of head after each slot
	hungry   bool              // *starved is set
	held     bool              // *hold was set when it was last looked at
}

// Rx is the receiver's end of a ring. It is used by one thread at a time.
type Rx struct {
	slots    *[RingSlots]Slot
	consumed *uint32
	starved  *uint32
	hold     *uint32
	bulk     uintptr
	pos      uint32 // slots emptied
	told     uint32 // value of *consumed
}

// Open makes t the sending end of the ring from sender to receiver, node ranks of a segment for n ranks. It fails where the
// ring cannot be mapped.
func (t *Tx) Open(s *Segment, n, receiver, sender int) error {
	at, err := s.pair(n, receiver, sender)
	if err != nil {
		return err
	}
	*t = Tx{slots: slotsAt(at + PairSlots), consumed: Word32(at + PairConsumed), starved: Word32(at + PairStarved), hold: Word32(at + PairHold), bulk: at + PairBulk}
	return nil
}

// Ready reports whether Open has been called.
func (t *Tx) Ready() bool { return t.slots != nil }

// Open makes r the receiving end of the same ring.
func (r *Rx) Open(s *Segment, n, receiver, sender int) error {
	at, err := s.pair(n, receiver, sender)
	if err != nil {
		return err
	}
	*r = Rx{slots: slotsAt(at + PairSlots), consumed: Word32(at + PairConsumed), starved: Word32(at + PairStarved), hold: Word32(at + PairHold), bulk: at + PairBulk}
	return nil
}

// Ready reports whether Open has been called.
func (r *Rx) Ready() bool { return r.slots != nil }

// MaxBulk is the largest payload that one packet can carry: so that a few are under way at once.
const MaxBulk = BulkSize / 4

// Reserve finds room for a packet with a payload of n bytes (n <= MaxBulk) and returns its slot and the address to
// which the payload goes; nil when the receiver has to empty something first. The slot counts only once it is
// published: a reservation that is not published is as if it had not been made. The slot's Flags are Held if the receiver
// has called Hold, 0 otherwise.
func (t *Tx) Reserve(n int) (*Slot, uintptr) {
	if t.pos-t.freed == RingSlots {
		t.refresh()
		if t.pos-t.freed == RingSlots {
			return nil, 0
		}
	}
	slot := &t.slots[t.pos%RingSlots]
	if slot.Flags = 0; t.held {
		if t.held = atomic.LoadUint32(t.hold) != 0; t.held {
			slot.Flags = Held
		}
	}
	if n <= InlineSize {
		slot.Inline = uint16(n)
		return slot, inlineAddress(slot)
	}
	at, ok := t.room(uint32(n))
	if !ok {
		t.refresh()
		if at, ok = t.room(uint32(n)); !ok {
			return nil, 0
		}
	}
	slot.Inline = InBulk
	slot.Bulk = at
	return slot, t.bulk + uintptr(at)
}

// room finds n bytes in a row in the bulk area without taking them yet.
func (t *Tx) room(n uint32) (at uint32, ok bool) {
	n = (n + CacheLine - 1) &^ (CacheLine - 1)
	at = t.head % BulkSize
	if at+n > BulkSize { // the end of the area is too short: skip it
		n += BulkSize - at
		at = 0
	}
	return at, t.head+n-t.tail <= BulkSize
}

// Publish makes the reserved slot, filled in by the caller, visible to the receiver. n is the payload's size as
// given to Reserve. Pairs with Rx.Peek.
func (t *Tx) Publish(slot *Slot, n int) {
	if n > InlineSize {
		size := (uint32(n) + CacheLine - 1) &^ (CacheLine - 1)
		if at := t.head % BulkSize; slot.Bulk != at {
			size += BulkSize - at
		}
		t.head += size
	}
	t.marks[t.pos%RingSlots] = t.head
	t.pos++
	StoreRel32(&slot.seq, t.pos)
}

// refresh learns what the receiver has emptied. An empty ring starts over at the beginning of the bulk area, whose
// lines are in the cache.
func (t *Tx) refresh() {
	freed := atomic.LoadUint32(t.consumed) // pairs with Rx.tell
	t.held = atomic.LoadUint32(t.hold) != 0
	if freed == t.freed || t.pos-freed > RingSlots {
		return
	}
	t.freed = freed
	t.tail = t.marks[(freed-1)%RingSlots]
	if freed == t.pos {
		t.head, t.tail = 0, 0
	}
}

// Sane reports whether what the receiver says of the ring is possible: it cannot have emptied more than was
// published.
func (t *Tx) Sane() bool { return t.pos-atomic.LoadUint32(t.consumed) <= RingSlots }

// Starve tells the receiver that this sender is about to sleep until there is room; Fed takes it back. Starve has
// to come before a last Reserve. Pairs with Rx.tell.
func (t *Tx) Starve() {
	t.hungry = true
	atomic.StoreUint32(t.starved, 1)
}

// Starving reports whether Starve was called and Fed was not.
func (t *Tx) Starving() bool { return t.hungry }

// Fed takes Starve back.
func (t *Tx) Fed() {
	if t.hungry {
		t.hungry = false
		atomic.StoreUint32(t.starved, 0)
	}
}

// Room reports whether the receiver has emptied something since the last Reserve that failed.
func (t *Tx) Room() bool { return atomic.LoadUint32(t.consumed) != t.freed }

// Held in the Flags of a reserved slot says that the receiver would rather have no data now.
const Held = 0x80

// Hold tells the sender that the receiver wants no data, or takes that back. The sender sees it at the latest when it has
// filled the ring once.
func (r *Rx) Hold(on bool) {
	v := uint32(0)
	if on {
		v = 1
	}
	StoreRel32(r.hold, v)
}

// Pending reports whether there is a packet. Pairs with Tx.Publish.
func (r *Rx) Pending() bool { return atomic.LoadUint32(&r.next().seq) == r.pos+1 }

func (r *Rx) next() *Slot { return &r.slots[r.pos%RingSlots] }

// Peek copies the next packet to p and returns the address of its payload, 0 when there is no packet yet.
// What the sender writes to the slot afterwards changes nothing: every word of it is read once. A packet
// whose payload does not begin in the slot or in the bulk area becomes one of kind Malformed. The payload
// stays until Release, in p if it is short.
func (r *Rx) Peek(p *Slot) (payload uintptr) {
	if !r.Pending() {
		return 0
	}
	*p = *r.next()
	switch {
	case p.Inline <= InlineSize:
		return inlineAddress(p)
	case p.Inline == InBulk && p.Bulk < BulkSize:
		return r.bulk + uintptr(p.Bulk)
	}
	p.Kind = Malformed
	return inlineAddress(p)
}

// Release gives the slot of the packet that Peek has copied to p back to the sender. It returns true when the
// sender waits for room and must be woken.
func (r *Rx) Release(p *Slot) (wake bool) {
	bulk := p.Inline == InBulk
	r.pos++
	if bulk || r.pos-r.told >= ConsumedBatch {
		return r.tell()
	}
	return false
}

// tell publishes how much has been emptied. Pairs with Tx.refresh and Tx.Starve.
func (r *Rx) tell() (wake bool) {
	r.told = r.pos
	StoreRel32(r.consumed, r.pos)
	return atomic.LoadUint32(r.starved) != 0
}
