package fast

import (
	"sync/atomic"

	"gompi/shm"
)

// The handler of active messages: what a rank does in its own memory for others. Whoever waits in
// this package lets it look at each turn, and package rma does whenever it makes progress. What is
// not simple is left to package rma, which goes on with the same functions.
//
// A packet's origin can write to it at any time. So each of its words is read once, and checked
// against the window before a byte moves.

// Message is what a packet asks for, as it was when it was looked at.
type Message struct {
	Kind, Bytes, Type, Op, Runs uint32
	Addr                        uint64
}

// Read reads a packet's words.
func (p *Packet) Read() Message {
	return Message{Kind: atomic.LoadUint32(&p.Kind), Bytes: atomic.LoadUint32(&p.Bytes),
		Type: atomic.LoadUint32(&p.Type), Op: atomic.LoadUint32(&p.Op), Runs: atomic.LoadUint32(&p.Runs),
		Addr: atomic.LoadUint64(&p.Addr)}
}

// simpleRow bounds rows of elements that are combined here, in bytes: package rma has vector loops
// for longer ones.
const simpleRow = 64

// Within reports whether bytes at an address of a rank are its memory in the window. Of dynamic
// windows it knows nothing.
func (t *Target) Within(addr, bytes uint64) bool {
	from := addr - uint64(t.Remote)
	return from <= t.Size && bytes <= t.Size-from
}

// Simple reports whether Carry can carry a message out, but for where its memory is.
func (w *Window) Simple(m *Message) bool {
	if m.Bytes > PacketRoom || m.Runs != 0 {
		return false
	}
	switch m.Kind {
	case PacketPut, PacketGet:
		return true
	case PacketSwap:
		return (m.Bytes == 4 || m.Bytes == 8) && m.Addr%uint64(m.Bytes) == 0
	case PacketAccumulate, PacketFetch:
		kind := w.Endpoint.Element(uintptr(m.Type))
		fit := uint64(elementSize(kind)) - 1
		return m.Bytes <= simpleRow && Combines(kind, uintptr(m.Op)) && (m.Addr|uint64(m.Bytes))&fit == 0
	}
	return false
}

// Carry carries out a simple message in this rank's own memory.
func (w *Window) Carry(m *Message, p *Packet) {
	to := uintptr(m.Addr)
	data := p.Data(m.Bytes)
	switch m.Kind {
	case PacketPut:
		move(to, data, m.Bytes)
	case PacketGet:
		move(data, to, m.Bytes)
	case PacketSwap:
		SwapElement(to, data, data+PacketCompare, data, m.Bytes)
	case PacketAccumulate:
		CombineRow(w.Endpoint.Element(uintptr(m.Type)), uintptr(m.Op), to, data, 0, uint64(m.Bytes))
	case PacketFetch:
		CombineRow(w.Endpoint.Element(uintptr(m.Type)), uintptr(m.Op), to, data, data, uint64(m.Bytes))
	}
}

// Accept takes a packet that is posted, and this rank's guard if it combines: with the guard,
// somebody may reach the memory by single copy. It reports false when it has to wait for one of the
// two.
func (w *Window) Accept(p *Packet, m *Message, number uint32) bool {
	guard := w.own().word(BlockGuard)
	if m.Kind >= PacketAccumulate {
		if !atomic.CompareAndSwapUint32(guard, 0, w.Me+1) {
			return false
		}
		w.Guarding = 1
	}
	if p.Take(number) {
		return true
	}
	w.unguard()
	return false
}

// unguard gives this rank's guard back, if Accept has taken it.
func (w *Window) unguard() {
	if w.Guarding != 0 {
		w.Guarding = 0
		shm.StoreRel32(w.own().word(BlockGuard), 0)
	}
}

// Finish ends a packet that was accepted, which is the next one of a rank.
func (w *Window) Finish(t *Target, phase uint32) {
	PacketAt(t.Calls, t.Next).End(t.Next, phase)
	w.unguard()
	shm.StoreRel32(&t.Next, t.Next+1)
}

// Arrival is how far the next packet of a rank is: Done when there is none, NoRoom when it is long
// done (its origin did it), Waiting when its origin is about it, NotPlain when it is posted.
func (t *Target) Arrival() Reason {
	next := atomic.LoadUint32(&t.Next)
	state := atomic.LoadUint32(&PacketAt(t.Calls, next).State)
	ahead := int32(state&^3 - next<<2)
	switch {
	case ahead < 0:
		return Done
	case ahead > 0 || state&3 == PacketDone || state&3 == PacketFailed:
		return NoRoom
	case state&3 == PacketTaken:
		return Waiting
	}
	return NotPlain
}

// Follows reports whether another message of a rank comes within so many polls.
func (t *Target) Follows(polls uint32) bool {
	for ; polls > 0; polls-- {
		if t.Arrival() != Done {
			return true
		}
		pause()
	}
	return false
}

// ServeFrom carries out the messages of one rank, as many as fit into its ring at most. Waiting
// says that some have to wait, NeedsEngine that the next one is left to package rma. touch says
// that this thread may touch memory that is not there.
func (w *Window) ServeFrom(t *Target, touch bool) Reason {
	first := t.Next
	how := Done
	arrival := t.Arrival()
	for arrival != Done && how == Done && t.Next-first < RingPackets {
		switch arrival {
		case NoRoom:
			shm.StoreRel32(&t.Next, t.Next+1)
		case Waiting:
			how = Waiting
		default:
			how = w.serveOne(t, touch)
		}
		arrival = t.Arrival()
	}
	if how == Done && arrival != Done {
		how = Waiting
	}
	if t.Next != first {
		ring(t.Bell)
	}
	return how
}

// serveOne carries out the next message of a rank, which is posted.
func (w *Window) serveOne(t *Target, touch bool) Reason {
	p := PacketAt(t.Calls, t.Next)
	m := p.Read()
	if m.Runs != 0 && touch {
		return w.serveRuns(t, p, &m)
	}
	if !touch || !w.Simple(&m) || !w.own().Within(m.Addr, uint64(m.Bytes)) {
		return NeedsEngine
	}
	if !w.Accept(p, &m, t.Next) {
		return Waiting
	}
	w.Carry(&m, p)
	w.Finish(t, PacketDone)
	return Done
}

// serveRuns carries out a put or get of memory that is listed in front of the data.
//
//fast:cold
func (w *Window) serveRuns(t *Target, p *Packet, m *Message) Reason {
	size := m.Bytes + m.Runs*PacketRun
	if m.Kind > PacketGet || m.Runs > PacketRoom/PacketRun || m.Bytes > PacketRoom || size > PacketRoom ||
		!w.carryRuns(m, p.Data(size), false) {
		return NeedsEngine
	}
	if !w.Accept(p, m, t.Next) {
		return Waiting
	}
	phase := PacketDone
	if !w.carryRuns(m, p.Data(size), true) { // the origin has written to the list meanwhile
		phase = PacketFailed
	}
	w.Finish(t, phase)
	return Done
}

// carryRuns moves the data of a message between what follows its list and the runs, or looks at these alone;
// false when they are not all in the window, or are not as many bytes.
func (w *Window) carryRuns(m *Message, list uintptr, moves bool) bool {
	data := list + uintptr(m.Runs*PacketRun)
	left := uint64(m.Bytes)
	for i := uint32(0); i < m.Runs; i++ {
		addr := atomic.LoadUint64(shm.Word64(list))
		bytes := atomic.LoadUint64(shm.Word64(list + 8))
		if bytes > left || !w.own().Within(addr, bytes) {
			return false
		}
		if moves && m.Kind == PacketPut {
			move(uintptr(addr), data, uint32(bytes))
		} else if moves {
			move(data, uintptr(addr), uint32(bytes))
		}
		list += PacketRun
		data += uintptr(bytes)
		left -= bytes
	}
	return left == 0
}

// Callers is the classes of the ranks that may have sent messages to this one, which Handles them.
func (w *Window) Callers() uint64 {
	return atomic.LoadUint64(shm.Word64(w.own().Block+BlockCallers)) & upTo(min(w.N, MostCallers))
}

// Several reports whether more than one thread of this rank may be about the window: one of the program's
// and a progress thread, that of package rma or that of package p2p, which comes and goes. The thread of the
// program prepares the endpoint for the latter, and never between Claim and Release.
func (w *Window) Several() bool { return w.Threaded != 0 || w.Endpoint.Shared != 0 }

// Claim begins the carrying out of messages, which one thread does at a time. It reports false while
// another one does.
func (w *Window) Claim() bool {
	return !w.Several() || atomic.CompareAndSwapUint32(&w.Claimed, 0, 1)
}

// Release ends what Claim has begun.
func (w *Window) Release() {
	if w.Several() {
		shm.StoreRel32(&w.Claimed, 0)
	}
}

// Serve carries out the messages of all ranks. It gives the most urgent of their answers.
//
//fast:hot
func (w *Window) Serve() Reason {
	if w.Flags&Handles == 0 {
		return Done
	}
	return w.serveAll()
}

//fast:cold
func (w *Window) serveAll() Reason {
	if unlikely(w.Several()) {
		return w.serveClasses()
	}
	most := Done
	for callers := w.Callers(); callers != 0; callers &= callers - 1 {
		how := w.serveRank(w.Target(lowest(callers)))
		if how > most {
			most = how
		}
	}
	return most
}

// serveRank carries out the messages of one rank, if one thread of the program alone calls.
func (w *Window) serveRank(t *Target) Reason {
	if w.Flags&OneThread != 0 {
		return w.ServeFrom(t, atomic.LoadUint32(&w.Touchable) != 0)
	}
	if t.Arrival() != Done {
		return NeedsEngine
	}
	return Done
}

// serveClasses is serveAll where several threads may be about it, and in windows with any number of ranks.
//
//fast:cold
func (w *Window) serveClasses() Reason {
	carries := w.Flags&OneThread != 0 // otherwise it only looks
	if carries && !w.Claim() {
		return Waiting
	}
	most := Done
	for callers := w.Callers(); callers != 0; callers &= callers - 1 {
		for r := lowest(callers); r < w.N; r += MostCallers {
			how := w.serveRank(w.Target(r))
			if how > most {
				most = how
			}
		}
	}
	if carries {
		w.Release()
	}
	return most
}

// ring wakes the owner of a bell if it sleeps.
func ring(bell *uint32) {
	if unlikely(atomic.LoadUint32(bell) != 0) {
		wake(bell)
	}
}
