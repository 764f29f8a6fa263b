package epoch

import (
	"gompi/runtime/am"
	"gompi/runtime/fast"
	"gompi/shm"
)

// far is what far ranks tell this one of their synchronization, and their locks of its memory. It implements
// am.Handler; the engine's lock is held.
type far struct {
	*am.Window
	node  uint32   // node rank
	queue []waiter // for this rank's lock, in the order of their tickets
}

// waiter is a far rank that waits for this one's lock, by a ticket of the lock that near ranks take as well.
type waiter struct {
	ticket    uint32
	exclusive bool
	from      int
	call      uint32
}

// handleFar has the messages about synchronization handled.
func handleFar(w *am.Window, node uint32) {
	f := &far{Window: w, node: node}
	w.SetHandler(f, am.Lock, am.Unlock, am.Fence, am.Posted, am.Completed)
	w.Resume = f.grant
}

// Handle implements am.Handler. Counters are written where those of near ranks stand.
func (f *far) Handle(m *am.Message) (done, ok bool) {
	line, count := f.Targets[m.From].Line, uint32(m.Addr)
	switch m.Kind {
	case am.Lock:
		f.queue = append(f.queue, waiter{f.Desc.TakeTicket(f.Own(), f.node), m.Addr != 0, m.From, m.Call})
		f.grant()
	case am.Unlock:
		f.Desc.LeaveLock(f.Own(), m.Addr != 0)
		f.grant()
	case am.Fence:
		shm.StoreRel32(f.Word(m.From, fast.BlockFence), count)
	case am.Posted:
		shm.StoreRel32(line, count)
	case am.Completed:
		shm.StoreRel32(shm.Next32(line, fast.LineCompleted), count)
	}
	return true, true
}

// grant lets those far ranks in whose tickets are named.
func (f *far) grant() (did bool) {
	if len(f.queue) == 0 {
		return false
	}
	left := f.queue[:0]
	for _, t := range f.queue {
		if !f.Own().Named(t.ticket, t.exclusive) {
			left = append(left, t)
			continue
		}
		f.Desc.EnterLock(f.Own(), t.ticket, t.exclusive)
		f.Answer(t.from, t.call, 0)
		did = true
	}
	f.queue = left
	return did
}

// lockWord is what a message says of a lock.
func lockWord(exclusive bool) uint64 {
	if exclusive {
		return 1
	}
	return 0
}
