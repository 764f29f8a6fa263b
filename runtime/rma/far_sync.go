package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Synchronization with far ranks.

// enter tells the far ranks that this rank has come to the next fence. They have then done all that it has
// asked them for before.
func (f *far) enter() {
	for r := range f.ranks {
		if f.ranks[r].away && f.tell(r, sayFence, uint64(f.w.Desc.Fences), 0, 0) == nil {
			f.settled(r)
		}
	}
}

// complete tells a far rank how many accesses to its memory this rank has ended.
func (f *far) complete(rank int, count uint32) error {
	err := f.tell(rank, sayCompleted, uint64(count), 0, 0)
	if err == nil {
		f.settled(rank)
	}
	return err
}

// settled notes that what comes next to a rank finds done all that has gone before.
func (f *far) settled(rank int) {
	f.ranks[rank].dirty.Store(false)
	f.ranks[rank].sent.Store(0)
}

// flush waits until a rank has done all that it was asked for.
func (f *far) flush(rank int) error {
	if !f.ranks[rank].dirty.Load() {
		return nil
	}
	f.settled(rank)
	asked, last := f.foreseen(rank)
	if last {
		return f.hear(asked)
	}
	err := f.ask(rank, sayFlush, 0, 0)
	return after(f.hear(asked), err)
}

// flushAll is flush for all ranks, at the same time.
func (f *far) flushAll() error {
	c := f.begin(-1, datatype.Buffer{})
	var failed error
	for r := range f.ranks {
		if !f.ranks[r].dirty.Load() {
			continue
		}
		f.settled(r)
		asked, last := f.foreseen(r)
		if asked != nil {
			f.asked = append(f.asked, asked)
		}
		if last {
			continue
		}
		c.open.Add(1)
		if err := f.tell(r, sayFlush, 0, 0, c.number); err != nil {
			failed = err
		}
	}
	if failed == nil {
		failed = f.wait(c)
	}
	failed = f.end(c, failed)
	for _, asked := range f.asked {
		failed = after(f.hear(asked), failed)
	}
	if len(f.asked) > 0 {
		f.asked = f.asked[:0]
	}
	return failed
}

// foresee is the number of the call by which a packet, the last one of a put or an accumulate or not, asks
// whether its target has done it; 0 when it does not ask. It does where the last flush came behind as many
// operations.
func (f *far) foresee(rank int, last bool) uint64 {
	r := &f.ranks[rank]
	if !last || f.w.Desc.Flags&fast.OneThread == 0 || f.w.targets[rank].Open < fast.OpenShared {
		return 0
	}
	if r.issued++; r.issued != r.usual || r.asked != nil {
		return 0
	}
	r.asked = f.begin(rank, datatype.Buffer{})
	r.asked.open.Add(1)
	return uint64(r.asked.number)
}

// forget takes back a question whose packet could not say what it was to do.
func (f *far) forget(rank int) {
	r := &f.ranks[rank]
	r.asked.open.Add(-1)
	_ = f.end(r.asked, nil)
	r.asked = nil
}

// foreseen begins another count of operations, and gives out the question that is under way, if any; last
// reports whether that was asked by the last one of them.
func (f *far) foreseen(rank int) (asked *call, last bool) {
	if f.w.Desc.Flags&fast.OneThread == 0 {
		return nil, false
	}
	r := &f.ranks[rank]
	asked, last = r.asked, r.asked != nil && r.issued == r.usual
	r.usual, r.issued, r.asked = r.issued, 0, nil
	return asked, last
}

// hear waits for the answer to a question, if there is one.
func (f *far) hear(asked *call) error {
	if asked == nil {
		return nil
	}
	err := f.wait(asked)
	return f.end(asked, err)
}

// acquire takes the lock of a far rank.
func (f *far) acquire(rank int, exclusive bool) error {
	return f.ask(rank, sayLock, uint64(bit(exclusive)), 0)
}

// waiter is a far rank that waits for this one's lock.
type waiter struct {
	ticket    uint32
	exclusive bool
	from      int
	number    uint64 // of its call
}

// own is this rank.
func (f *far) own() *fast.Target { return &f.w.targets[f.w.me] }

// queue takes a ticket for a far rank.
func (f *far) queue(from int, exclusive bool, number uint64) {
	ticket := f.w.Desc.TakeTicket(f.own(), f.w.space.node)
	f.waiting = append(f.waiting, waiter{ticket, exclusive, from, number})
	f.grant()
}

// release gives the lock back that a far rank has held.
func (f *far) release(exclusive bool) {
	f.w.Desc.LeaveLock(f.own(), exclusive)
	f.grant()
}

// grant lets those far ranks in whose tickets are named.
func (f *far) grant() (did bool) {
	left := f.waiting[:0]
	for _, t := range f.waiting {
		if !f.own().Named(t.ticket, t.exclusive) {
			left = append(left, t)
			continue
		}
		f.w.Desc.EnterLock(f.own(), t.ticket, t.exclusive)
		f.reply(t.from, t.number, 0)
		did = true
	}
	f.waiting = left
	return did
}

// reply answers a call that brings no data.
func (f *far) reply(to int, number uint64, class mpierr.Class) {
	f.post(to, sayAnswer, number, 0, uint64(class), 1)
}

// told writes down how often a far rank has done something, where that is read.
func told(word *uint32, count uint64) { shm.StoreRel32(word, uint32(count)) }
