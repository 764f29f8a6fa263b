package rma

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// The handler of active messages (fast/handler.go) as a part of progress: it carries out what
// others want done in this rank's private memory, also what package fast leaves alone, and turns
// memory that is not there into errors.

// manyMessages is after how many messages the program's memory is looked at, and the C stubs may
// carry them out as well.
const manyMessages = 64

// handler carries out what ranks near to this one want done in its part of a window.
type handler struct {
	*core
	attachments *attachments
	guards      *guards
	carried     int // messages that were carried out, up to manyMessages
}

// handle has messages looked for in a window.
func (s *Space) handle(w *Window) {
	s.mu.Lock()
	defer s.mu.Unlock()
	handlers := []*Window{w}
	if old := s.handlers.Load(); old != nil {
		handlers = append(handlers, *old...)
	}
	s.handlers.Store(&handlers)
	s.engine.SetServer(s)
}

// unhandle ends what handle began: nobody looks there any more when it returns.
func (s *Space) unhandle(w *Window) {
	s.mu.Lock()
	defer s.mu.Unlock()
	handlers := slices.DeleteFunc(slices.Clone(*s.handlers.Load()), func(h *Window) bool { return h == w })
	s.handlers.Store(&handlers)
	if len(handlers) == 0 {
		s.engine.SetServer(nil)
	} else {
		s.engine.SetServer(s)
	}
}

// Serve carries out messages of other ranks. It implements p2p.Server, under the engine's lock.
func (s *Space) Serve() (did bool) {
	for _, w := range *s.handlers.Load() {
		if w.far != nil && w.far.serve() {
			did = true
		}
		if w.Desc.Flags&fast.Handles == 0 {
			continue
		}
		if n := w.handler.serve(); n > 0 {
			did = true
			if w.handler.carried < manyMessages {
				w.handler.admitStubs(n)
			}
		}
	}
	return did
}

// callers gives the ranks that may have sent messages to this one.
func (h *handler) callers(yield func(*fast.Target) bool) {
	for classes := h.Desc.Callers(); classes != 0; classes &= classes - 1 {
		for r := bits.TrailingZeros64(classes); r < h.n; r += fast.MostCallers {
			if !yield(&h.targets[r]) {
				return
			}
		}
	}
}

// serve carries out the messages of all ranks, on whichever thread of this one, and gives their number.
func (h *handler) serve() (n int) {
	if !h.Desc.Claim() {
		return 0
	}
	for t := range h.callers {
		n += h.serveFrom(t)
	}
	h.Desc.Release()
	return n
}

// serveFrom carries out the messages of one rank, as many as fit into its ring at most. Those that
// their origin was quicker with count as well: there may be more soon. It waits a moment for the next
// one: whoever waits for an answer often asks again at once, sooner than all other progress is made.
func (h *handler) serveFrom(t *fast.Target) int {
	first := t.Next
	for t.Next-first < fast.RingPackets {
		how := h.tryServe(t)
		if how == fast.NeedsEngine && h.serveOne(t) {
			shm.BellAt(t.Bell).Ring()
		} else if how != fast.Done || t.Next == first || !t.Follows(h.space.nextPolls) {
			break
		}
	}
	return int(t.Next - first)
}

// tryServe is fast.Window.ServeFrom. A message about memory that is not there fails.
func (h *handler) tryServe(t *fast.Target) (how fast.Reason) {
	defer h.failed(t, &how)
	return h.Desc.ServeFrom(t, true)
}

// failed ends the message in which memory was touched that is not there.
func (h *handler) failed(t *fast.Target, how *fast.Reason) {
	if p := recover(); p != nil {
		_ = datatype.Fault(p)
		h.Desc.Finish(t, fast.PacketFailed)
		*how = fast.Done
	}
}

// serveOne carries out the next message of a rank, which is posted and more than package fast deals
// with, or refuses it. It is false when the message has to wait.
func (h *handler) serveOne(t *fast.Target) (taken bool) {
	p := fast.PacketAt(t.Calls, t.Next)
	m := p.Read()
	if !h.Desc.Accept(p, &m, t.Next) {
		return false
	}
	how := fast.Done
	defer h.failed(t, &how)
	phase := fast.PacketFailed
	if h.carry(&m, p) {
		phase = fast.PacketDone
	}
	h.Desc.Finish(t, phase) // pairs with Settle
	return true
}

// carry carries out a message that is possible, if it is about memory of the window. This rank has its guard
// if the message combines.
func (h *handler) carry(m *fast.Message, p *fast.Packet) bool {
	l := h.space.lists.Get().(*list)
	defer h.space.lists.Put(l)
	o, ok := h.readMessage(m, p, l.pieces[:0])
	for i := range o.list {
		ok = ok && h.attachments.holds(uint64(o.list[i].Addr), o.list[i].Size)
	}
	switch {
	case !ok || total(o.list) != uint64(o.n):
		return false
	case h.Desc.Simple(m):
		h.Desc.Carry(m, p)
		return true
	case o.kind != fast.PacketFetch && o.kind != fast.PacketSwap:
		_, ok = h.carryOut(&o, true)
		return ok
	}
	// What was there before goes where the operands are.
	chunk := h.space.engine.Scratch.Take(o.n)
	defer h.space.engine.Scratch.Put(chunk)
	to := o.in
	o.old = chunk.Address()
	_, ok = h.carryOut(&o, true)
	shm.Copy(to, chunk.Address(), o.n)
	return ok
}

// admitStubs counts messages that were carried out. When there are many, the stubs may carry them
// out as well, if the window's memory can be touched everywhere: an access to memory that is not
// there is an error here, and the end of the program in C.
func (h *handler) admitStubs(n int) {
	h.carried += n
	if d := h.Desc; h.carried >= manyMessages && h.flavor == Create && d.Flags&fast.OneThread != 0 {
		if t := &h.targets[h.me]; shm.Writable(t.Remote, t.Size) {
			atomic.StoreUint32(&d.Touchable, 1)
		}
	}
}

// served reports whether this rank has carried out all that others have asked it for so far. A
// message that its origin has carried out counts as well: there may be more behind it.
func (h *handler) served() bool {
	if h.Desc.Flags&fast.Handles != 0 {
		return h.empty()
	}
	return true
}

// empty reports whether no message of another rank is left to carry out.
func (h *handler) empty() bool {
	for t := range h.callers {
		if t.Arrival() != fast.Done {
			return false
		}
	}
	return true
}

// readMessage makes an operation of a message; false when it makes none: its words may be anything, if memory
// is corrupted.
func (c *core) readMessage(m *fast.Message, p *fast.Packet, list []shm.Piece) (o operation, ok bool) {
	if m.Bytes > fast.PacketRoom || m.Kind > fast.PacketSwap {
		return o, false
	}
	o.desc, o.kind = c.Desc, m.Kind
	data, runs := p.Data(m.Bytes), int64(0)
	if ofPieces(m) {
		o.kind -= fast.PacketScatter - fast.PacketPut
		data, runs = p.Data(fast.PacketRoom), int64(m.Type)
	}
	if o.list, o.in, o.n, ok = readRuns(list, m.Addr, runs, data, int64(m.Bytes)); !ok {
		return o, false
	}
	switch m.Kind {
	case fast.PacketScatter, fast.PacketGather:
		ok = runs > 0
	case fast.PacketAccumulate, fast.PacketFetch:
		ok = o.elemental(m.Type, m.Op) && o.basic.Size() == o.basic.Extent()
	case fast.PacketSwap:
		o.compare = o.in + fast.PacketSmall/2
		ok = m.Bytes <= fast.PacketSmall/2
	}
	if o.kind == fast.PacketGet {
		o.old = o.in
	}
	return o, ok
}

// ofPieces reports whether a message is about pieces of memory.
func ofPieces(m *fast.Message) bool {
	return m.Kind == fast.PacketScatter || m.Kind == fast.PacketGather
}
