package am

import (
	"cmp"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
)

// SettleRing waits until all messages to a near rank are done. It is called between LockRings and
// UnlockRings.
func (w *Window) SettleRing(rank int) error {
	if t := &w.Targets[rank]; t.Sent != t.Done {
		return w.await(rank, t.Sent)
	}
	return nil
}

// SettleAll waits until all messages of this rank are done.
func (w *Window) SettleAll() (failed error) {
	if w.Desc.Pending == 0 {
		return nil
	}
	w.LockRings()
	defer w.UnlockRings()
	w.Desc.Pending = 0
	for r := range w.Targets {
		if err := w.SettleRing(r); failed == nil {
			failed = err
		}
	}
	if w.far != nil {
		failed = cmp.Or(failed, w.far.flushAll())
	}
	return failed
}

// Settle is SettleRing for any rank, which may be none.
func (w *Window) Settle(rank int) error {
	if w.Desc.Pending == 0 || uint(rank) >= uint(len(w.Peers)) {
		return nil
	}
	if w.Away(rank) {
		return w.far.flush(rank)
	}
	w.LockRings()
	defer w.UnlockRings()
	return w.SettleRing(rank)
}

// flush waits until a far rank has done all that it was asked for.
func (f *far) flush(rank int) error {
	if !f.ranks[rank].dirty.Load() {
		return nil
	}
	f.flushed(rank)
	early, last := f.takeEarly(rank)
	if last {
		return f.awaitEarly(early)
	}
	err := f.ask(rank, Flush, 0, 0)
	return cmp.Or(err, f.awaitEarly(early))
}

// flushAll is flush for all far ranks, at the same time.
func (f *far) flushAll() error {
	c := f.begin(-1, datatype.Buffer{})
	var failed error
	for r := range f.ranks {
		if !f.ranks[r].dirty.Load() {
			continue
		}
		f.flushed(r)
		early, last := f.takeEarly(r)
		if early != nil {
			f.early = append(f.early, early)
		}
		if last {
			continue
		}
		c.open.Add(1)
		if err := f.tell(r, Flush, 0, 0, c.number); err != nil {
			failed = err
		}
	}
	if failed == nil {
		failed = f.wait(c)
	}
	failed = f.end(c, failed)
	for _, early := range f.early {
		failed = cmp.Or(failed, f.awaitEarly(early))
	}
	if len(f.early) > 0 {
		f.early = f.early[:0]
	}
	return failed
}

// flushed notes that what comes next to a rank finds done all that has gone before.
func (f *far) flushed(rank int) {
	f.ranks[rank].dirty.Store(false)
	f.ranks[rank].sent.Store(0)
}

// askEarly is the number of the call by which a message, the last one of a put or an accumulate or not, asks
// what the next flush would ask; 0 when it does not ask. It does where the last flush came behind as many
// operations.
func (f *far) askEarly(rank int, last bool) uint32 {
	r := &f.ranks[rank]
	if !last || f.w.Desc.Flags&fast.OneThread == 0 || f.w.Targets[rank].Open < fast.OpenShared {
		return 0
	}
	if r.issued++; r.issued != r.usual || r.early != nil {
		return 0
	}
	r.early = f.begin(rank, datatype.Buffer{})
	r.early.open.Add(1)
	return r.early.number
}

// dropEarly takes back a question whose packet could not say what it was to do.
func (f *far) dropEarly(rank int) {
	r := &f.ranks[rank]
	r.early.open.Add(-1)
	_ = f.end(r.early, nil)
	r.early = nil
}

// takeEarly begins another count of operations, and gives out the question that is under way, if any; last
// reports whether that was asked by the last one of them.
func (f *far) takeEarly(rank int) (early *call, last bool) {
	if f.w.Desc.Flags&fast.OneThread == 0 {
		return nil, false
	}
	r := &f.ranks[rank]
	early, last = r.early, r.early != nil && r.issued == r.usual
	r.usual, r.issued, r.early = r.issued, 0, nil
	return early, last
}

// awaitEarly waits for the answer to a question, if there is one.
func (f *far) awaitEarly(early *call) error {
	if early == nil {
		return nil
	}
	err := f.wait(early)
	return f.end(early, err)
}
