package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// Active messages are what the ranks of a window ask each other for in memory that only its owner
// has mapped: a rank that waits inside MPI carries them out between two looks at what it waits for
// (handler.go), which takes a fraction of what the kernel takes to reach the memory. Each rank has
// a ring of packets for each other one in the window's allocation. It writes one, and whoever comes
// first carries it out: the target, or the rank itself by single copy when the target does not come
// (package rma). So the target may come and go at any time. The packets of a ring are carried out
// in the order of their numbers.
//
//	done, of an older number    the origin may write the packet
//	posted                      by the origin; may be taken. Pairs with Take
//	taken                       by one of the two, which carries it out
//	done or failed              by who has taken it; the origin may read what came of it. Pairs with Phase
//
// The phase and the number are one word, so nobody takes a packet for another one of the same slot
// in the ring. A rank looks at a packet only when it has seen the one before done: so the order is
// kept whoever carries them out.
//
// Puts and accumulates end when their packet is posted: they are carried out behind the back of the
// rank, until the call that completes them waits for that (Settle). Everything else that the rank
// does at the same target comes after them. Where the target's own call ends the epoch as well
// (MPI_Win_wait, fences), it carries out what is left before it returns, and the origin need not
// wait.
const (
	PacketDone uint32 = iota
	PacketPosted
	PacketTaken
	PacketFailed // the target has refused it, or could not touch the memory
)

// What a packet is for, in Packet.Kind.
const (
	PacketPut        uint32 = iota // the data to the target's memory
	PacketGet                      // the target's memory to the data
	PacketAccumulate               // the data combined with the target's memory
	PacketFetch                    // the same, and what was there before to the data
	PacketSwap                     // Small[0:2] to the memory if that is Small[2:4]; the old to Small[0:2]
	PacketKinds      = iota
)

// Sizes of the ring of packets of a pair of ranks.
const (
	RingPackets    = 16      // slots
	PacketRoom     = 8 << 10 // bytes of data of one packet
	PacketSmall    = 32      // bytes of data that stand in the packet itself
	PacketStride   = shm.CacheLine + PacketRoom + shm.CacheLine
	PacketRingSize = RingPackets * PacketStride
	PacketRun      = 16 // bytes of a run of memory that is listed in front of the data: its address, its size
	packetSmallAt  = shm.CacheLine - PacketSmall
	PacketCompare  = PacketSmall / 2 // where PacketSwap has the element to compare with, in its data
)

// Packet is one packet, in shared memory, one cache line. Larger data follows behind it.
type Packet struct {
	State uint32 // number << 2 | phase
	Kind  uint32
	Addr  uint64 // in the target's own address space
	Bytes uint32 // of the target's memory
	Type  uint32 // of the elements of accumulates: handle of a predefined datatype without gaps
	Op    uint32 // of accumulates: handle
	Runs  uint32 // of the memory, which are listed in front of the data; 0: there is one, at Addr
	Small [4]uint64
}

// Data is where the data of a packet stands, with the list of runs in front of it. It depends on the size of
// both in bytes.
func (p *Packet) Data(bytes uint32) uintptr {
	if bytes <= PacketSmall {
		return p.address() + packetSmallAt
	}
	return p.address() + shm.CacheLine
}

// Phase is how far the packet is that stands there.
func (p *Packet) Phase() uint32 { return atomic.LoadUint32(&p.State) & 3 }

// Take takes a posted packet. It reports false when somebody else was first.
func (p *Packet) Take(number uint32) bool {
	return atomic.CompareAndSwapUint32(&p.State, number<<2|PacketPosted, number<<2|PacketTaken)
}

// End says what has become of a packet that was taken.
func (p *Packet) End(number, phase uint32) { shm.StoreRel32(&p.State, number<<2|phase) }

// Backoff keeps active messages from a target that has not come for one: a number of operations go
// another way, twice as many each time, or until the target waits inside MPI.
type Backoff struct {
	Left uint32 // operations until the next try; Never where ranks share cores: few targets wait there
	Last uint32 // as many, the last time
	Soon uint32 // tries left as soon as the target is present: it was not then, and may have been woken
}

// Never in Backoff.Left.
const Never uint32 = 1<<32 - 1

const (
	mostBackoff = 63 // operations that a backoff takes at most
	mostSoon    = 16 // tries of a target that has become present
)

// present reports whether the target waits inside MPI and does not sleep.
func (t *Target) present() bool {
	return atomic.LoadUint32(t.Inside) != 0 && atomic.LoadUint32(t.Bell) == 0
}

// Attends reports whether the target is present and has nothing to do for this rank but the last packet.
func (t *Target) Attends() bool {
	return t.present() && (t.Sent-1 == t.Done || PacketAt(t.Ring, t.Sent-1).Phase() == PacketDone)
}

// failed begins a backoff, which is twice the last one, but for a target that has just come.
func (t *Target) failed() {
	if t.Backoff.Left == Never {
		return
	}
	present := t.present()
	if present && t.Backoff.Soon != 0 {
		t.Backoff.Soon--
	} else {
		t.Backoff.Last = min(t.Backoff.Last*2+1, mostBackoff)
	}
	if !present {
		t.Backoff.Soon = mostSoon
	}
	t.Backoff.Left = t.Backoff.Last
}

// came ends a backoff: the target has done what it was asked for.
func (t *Target) came() {
	if t.Backoff.Left != Never {
		t.Backoff = Backoff{}
	}
}

// Tries decides whether an operation is to go by an active message, and counts the backoff down. It
// wakes a target that sleeps: that comes too late for this operation, but the target learns from it
// that it had better stay awake.
func (t *Target) Tries() bool {
	b := &t.Backoff
	switch {
	case b.Left == Never:
		return false
	case b.Left != 0 && (b.Soon == 0 || !t.present()):
		b.Left--
		return false
	case atomic.LoadUint32(t.Bell) != 0:
		t.failed()
		wake(t.Bell)
		return false
	}
	b.Left = 0
	return true
}

// full reports whether all slots of the ring are taken.
func (t *Target) full() bool {
	if t.Sent-t.Done != RingPackets {
		return false
	}
	if PacketAt(t.Ring, t.Done+1).Phase() != PacketDone {
		return true
	}
	t.Done++
	return false
}

// Defers reports whether there is room for a packet for a target that ends the epoch as well, and
// carries out until then what is left to do. So nobody need wait for it before that.
func (t *Target) Defers() bool { return (t.Open == OpenFence || t.Open == OpenStart) && !t.full() }

// remote is the address of a displacement in the target's own address space.
func (t *Target) remote(disp int64) uint64 { return uint64(t.Remote) + uint64(disp*t.Unit) }

// asks reports whether an operation on the bytes at a displacement goes by an active message
// without more ado. later says that it brings nothing back; copies that it is a put or get, for which
// another way may be the quicker one where ranks share no cores.
//
//fast:cold
func (w *Window) asks(t *Target, disp int64, bytes uint64, later, copies bool) bool {
	return t.Ring != 0 && w.Flags&OneThread != 0 && bytes <= PacketRoom && t.holds(disp, bytes) &&
		(!copies || bytes <= t.MostActive || t.Backoff.Left == Never) &&
		(later && t.Defers() || t.Backoff.Left == 0 && atomic.LoadUint32(t.Bell) == 0 && !t.full())
}

// Begin begins the next packet for a target, about one run of memory; nil when there is no room.
func (w *Window) Begin(t *Target) *Packet {
	if t.full() {
		return nil
	}
	p := PacketAt(t.Ring, t.Sent+1)
	p.Runs = 0
	return p
}

// Post posts the packet that Begin has begun, when its data is written, and Type, Op and Runs are.
func (w *Window) Post(t *Target, p *Packet, kind uint32, addr uint64, bytes uint32) {
	p.Kind = kind
	p.Addr = addr
	p.Bytes = bytes
	if unlikely(t.Sent == 0) {
		atomic.OrUint64(shm.Word64(t.Block+BlockCallers), rankBit(w.Me%MostCallers))
	}
	t.Sent++
	shm.StoreRel32(&p.State, t.Sent<<2|PacketPosted)
	w.Pending = 1
	w.Issued = 1
}

// Settle waits a moment until a target has done the packets up to a number. With NeedsEngine,
// package rma has to see to what others want of this rank or, in a backoff, to the first packet
// that is not done.
func (w *Window) Settle(t *Target, number uint32) Reason {
	e := w.Endpoint
	for polls := uint32(0); t.Done != number; polls++ {
		phase := PacketAt(t.Ring, t.Done+1).Phase()
		if phase == PacketDone {
			t.came()
			t.Done++
			polls = 0
			continue
		}
		if phase == PacketFailed || w.Serve() == NeedsEngine || t.Backoff.Left != 0 {
			return NeedsEngine
		}
		if polls >= e.AbsentPolls && (polls >= e.TargetPolls || t.Backoff.Soon != 0 || !t.present()) {
			if phase == PacketPosted {
				t.failed()
			}
			return NeedsEngine
		}
		pause()
	}
	return Done
}

// settleOne is Settle for all packets.
func (w *Window) settleOne(t *Target) bool {
	return t.Sent == t.Done || w.Flags&OneThread != 0 && w.Settle(t, t.Sent) == Done
}

// settleAll is settleOne for all targets.
func (w *Window) settleAll() bool {
	if w.Pending == 0 {
		return true
	}
	for r := uint32(0); r < w.N; r++ {
		if !w.settleOne(w.Target(r)) {
			return false
		}
	}
	w.Pending = 0
	return true
}

// Owing is the classes of ranks for which packets are under way.
func (w *Window) Owing() uint64 {
	ranks := uint64(0)
	for r := uint32(0); w.Pending != 0 && r < w.N; r++ {
		t := w.Target(r)
		if t.Sent != t.Done {
			ranks |= rankBit(r % MostCallers)
		}
	}
	return ranks
}

// answer waits for the answer to the last packet and copies it; nothing is copied before the answer is Done.
func (w *Window) answer(t *Target, to uintptr, bytes uint32) Reason {
	t.Owed = 1
	how := w.Settle(t, t.Sent)
	if how == Done {
		t.Owed = 0
		move(to, PacketAt(t.Ring, t.Sent).Data(bytes), bytes)
		w.Count(PathActive, uint64(bytes))
	}
	return how
}

// active is an operation by an active message, at an address in the target's own address space. origin and
// compare are 0 where there is no such data, before where nothing comes back. With NoRoom nothing has been
// done. With NeedsEngine the packet is posted and Target.Owed is set: package am goes on waiting for the
// answer.
//
//fast:cold
func (w *Window) active(
	t *Target, kind uint32, addr uint64, datatype, op uint32, origin, compare, before uintptr, bytes uint32,
) Reason {
	if t.Owed == 0 {
		p := w.Begin(t)
		if p == nil {
			return NoRoom
		}
		p.Type = datatype
		p.Op = op
		if origin != 0 {
			move(p.Data(bytes), origin, bytes)
		}
		if compare != 0 {
			move(p.Data(bytes)+PacketCompare, compare, bytes)
		}
		w.Post(t, p, kind, addr, bytes)
	}
	if before == 0 {
		w.Count(PathActive, uint64(bytes))
		return Done
	}
	return w.answer(t, before, bytes)
}
