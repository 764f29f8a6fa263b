package am

import (
	"math/bits"
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// The messages of near ranks at their target. Package fast carries out those that are simple; what it leaves
// alone goes to the handlers. Memory that is not there becomes an error of the origin.

// manyMessages is after how many messages the program's memory is looked at, and the C stubs may
// carry them out as well.
const manyMessages = 64

// callers gives the ranks that may have sent messages to this one.
func (w *Window) callers(yield func(*fast.Target) bool) {
	for classes := w.Desc.Callers(); classes != 0; classes &= classes - 1 {
		for r := bits.TrailingZeros64(classes); r < len(w.Targets); r += fast.MostCallers {
			if !yield(&w.Targets[r]) {
				return
			}
		}
	}
}

// serveRings carries out the messages of all near ranks, on whichever thread of this one, and gives their
// number. The two threads of a rank that do exclude each other.
func (w *Window) serveRings() (n int) {
	if !w.Desc.Claim() {
		return 0
	}
	for t := range w.callers {
		n += w.serveFrom(t)
	}
	w.Desc.Release()
	return n
}

// serveFrom carries out the messages of one rank, as many as fit into its ring at most. Those that
// their origin was quicker with count as well: there may be more soon. It waits a moment for the next
// one: whoever waits for an answer often asks again at once, sooner than all other progress is made.
func (w *Window) serveFrom(t *fast.Target) int {
	first := t.Next
	for t.Next-first < fast.RingPackets {
		how := w.tryServe(t)
		if how == fast.NeedsEngine && w.serveOne(t) {
			shm.BellAt(t.Bell).Ring()
		} else if how != fast.Done || t.Next == first || !t.Follows(w.worker.nextPolls) {
			break
		}
	}
	return int(t.Next - first)
}

// tryServe is fast.Window.ServeFrom. A message about memory that is not there fails.
func (w *Window) tryServe(t *fast.Target) (how fast.Reason) {
	defer w.failed(t, &how)
	return w.Desc.ServeFrom(t, true)
}

// failed ends the message in which memory was touched that is not there.
func (w *Window) failed(t *fast.Target, how *fast.Reason) {
	if p := recover(); p != nil {
		_ = datatype.Fault(p)
		w.Desc.Finish(t, fast.PacketFailed)
		*how = fast.Done
	}
}

// serveOne has the next message of a rank handled, which is posted and more than package fast deals
// with, or refuses it. It is false when the message has to wait.
func (w *Window) serveOne(t *fast.Target) (taken bool) {
	p := fast.PacketAt(t.Calls, t.Next)
	words := p.Read()
	if !w.Desc.Accept(p, &words, t.Next) {
		return false
	}
	how := fast.Done
	defer w.failed(t, &how)
	phase := fast.PacketFailed
	m := w.worker.messages.Get().(*Message)
	defer w.worker.messages.Put(m)
	if m.readRing(w, p, &words) && w.handle(m) {
		phase = fast.PacketDone
	}
	w.Desc.Finish(t, phase) // pairs with Settle
	return true
}

// handle has a message handled, and brings what was there before to the packet.
func (w *Window) handle(m *Message) bool {
	_, ok := w.handlers[m.Kind].Handle(m)
	if m.old != nil {
		shm.Copy(m.Data, m.old.Address(), int64(m.Bytes))
		w.Engine.Scratch.Put(m.old)
		m.old = nil
	}
	return ok
}

// Simple carries a message out of the kind that package fast knows, as it does that itself.
func (m *Message) Simple() bool {
	d := m.window.Desc
	if m.packet == nil || !d.Simple(&m.words) {
		return false
	}
	d.Carry(&m.words, m.packet)
	return true
}

// admitStubs counts messages that were carried out. When there are many, the stubs may carry them
// out as well, if the window's memory can be touched everywhere: an access to memory that is not
// there is an error here, and the end of the program in C.
func (w *Window) admitStubs(n int) {
	w.carried += n
	if w.carried >= manyMessages && w.Desc.Flags&fast.OneThread != 0 {
		if t := w.Own(); t.Size > 0 && shm.Writable(t.Remote, t.Size) {
			atomic.StoreUint32(&w.Desc.Touchable, 1)
		}
	}
}

// Served reports whether this rank has carried out all that others have asked it for so far. A
// message that its origin has carried out counts as well: there may be more behind it.
func (w *Window) Served() bool { return w.Desc.Flags&fast.Handles == 0 || w.empty() }

// empty reports whether no message of another rank is left to carry out.
func (w *Window) empty() bool {
	for t := range w.callers {
		if t.Arrival() != fast.Done {
			return false
		}
	}
	return true
}
