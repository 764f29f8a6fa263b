package rma

import (
	"sync/atomic"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/shm"
)

// A rank that waits inside MPI carries out, between two looks at what it waits for, what others want done in its private
// memory (host.go): that takes a fraction of what the kernel takes to reach it. What others want stands in errands
// (shm.Errand). When the target does not come for them, because it computes or sleeps, the rank takes them back one by
// one and does them by the ways that need no target; whoever takes an errand does it, and nobody else. So the target may
// come and go at any time. Sending errands to a target that did not come is given up for a while, longer each time.
//
// Puts and accumulates end when their errand is sent: they are carried out behind the back of the rank, until the call
// that completes them waits for that (settleErrands). Everything else that the rank does at the same target comes after
// them. Where the target's own call ends the epoch as well (MPI_Win_wait, fences), it carries out what is left before it
// returns, and the origin need not wait. So such errands are sent to targets that sleep as well, and they are the only ones where
// ranks share cores (Target.Late): a target that waits is seldom there when it is wanted then.

// mostCallers bounds the ranks of windows that have errands: the rings take memory by its square, and callers are bits
// of a word.
const mostCallers = 64

// mostLate is the same where ranks share cores: there the rings save less, and some 64 KiB are touched for each pair of ranks.
const mostLate = 16

// How long a rank waits for a target to take an errand, in pauses of some 20 ns: the kernel takes 2 us to do without it.
const (
	errandPatience = 200 // if the target waits inside MPI
	errandGrace    = 50  // if not: it may be about to
	errandProgress = 8   // pauses between looks at what others want
	mostShy        = 64  // operations for which no errands are tried
)

// ring is where the errands of a rank for a target stand.
func (w *Window) ring(errands int64, target, origin int) uintptr {
	return w.extent.base + uintptr(errands+int64(target*w.n+origin)*shm.ErrandsSize)
}

// beginErrands and endErrands stand around what sends errands or waits for them.
func (w *Window) beginErrands() {
	if w.space.multi {
		w.asking.Lock()
	}
}

func (w *Window) endErrands() {
	if w.space.multi {
		w.asking.Unlock()
	}
}

// errands tells whether errands are the way to the private memory of a spot. What is under way at the target comes
// first otherwise. later says that the operation fits into one errand and brings nothing back.
func (s *spot) errands(later bool) (bool, error) {
	t := &s.w.targets[s.rank]
	switch {
	case t.Owed != 0:
		return true, nil
	case !s.buf.Contiguous():
	case later && defers(t):
		return true, nil
	case t.Late != 0:
	case atomic.LoadUint32(t.Bell) != 0: // it sleeps
		if t.Naps++; t.Naps > t.Doze {
			// It comes too late for this one, which this rank does at once, but learns from it that it had better stay awake, and
			// does so for some tens of microseconds. They must not go by unused.
			t.Naps, t.Doze = 0, min(2*t.Doze+1, mostShy)
			t.Shy, t.Skip = 0, 1
			s.peer.bell.Ring()
			return true, nil
		}
	case t.Skip > 0 && (t.Away == 0 || atomic.LoadUint32(t.Inside) == 0):
		t.Skip--
	default:
		return true, nil
	}
	return false, s.w.settleErrands(s.rank)
}

// defers tells whether there is room for an errand for a target that ends the epoch as well, and carries out until then what is left
// to do. So nobody need wait for it before that.
func defers(t *shm.Target) bool {
	if t.Open != shm.OpenFence && t.Open != shm.OpenStart {
		return false
	}
	if t.Sent-t.Done < shm.Errands {
		return true
	}
	phase, _ := shm.ErrandAt(t.Errands, t.Done+1).Phase(t.Done + 1)
	return phase == shm.ErrandDone
}

// owing is the ranks for which this one has errands under way.
func (w *Window) owing() (ranks uint64) {
	if w.Desc.Pending == 0 {
		return 0
	}
	w.beginErrands()
	defer w.endErrands()
	for r := range w.targets {
		if t := &w.targets[r]; t.Sent != t.Done {
			ranks |= 1 << r
		}
	}
	return ranks
}

// avoid goes other ways for a while, or until the target waits inside MPI if it did not.
func avoid(t *shm.Target) {
	t.Shy = min(t.Shy+1, mostShy)
	t.Skip = t.Shy
	t.Away = bit(atomic.LoadUint32(t.Inside) == 0)
}

// room waits for a place for the next errand for a target and begins it.
func (w *Window) room(rank int) (*shm.Errand, error) {
	t := &w.targets[rank]
	if t.Sent-t.Done == shm.Errands {
		if err := w.await(rank, t.Done+1); err != nil {
			return nil, err
		}
	}
	if t.Sent == 0 { // the first one
		atomic.OrUint64(shm.Word64(w.peers[rank].block+shm.WinCallers), 1<<w.me)
	}
	return shm.ErrandAt(t.Errands, t.Sent+1), nil
}

// send sends the errand that room has begun.
func (w *Window) send(e *shm.Errand, rank int) {
	t := &w.targets[rank]
	t.Sent++
	e.Post(t.Sent)
	w.Desc.Pending = 1
}

// carried is the condition that an errand that was taken is done.
type carried struct {
	errand *shm.Errand
	number uint32
}

// Ready implements p2p.Condition. Pairs with Errand.End.
func (c *carried) Ready() bool {
	phase, _ := c.errand.Phase(c.number)
	return phase != shm.ErrandTaken
}

// await waits until the errand of that number for a target is done, and all before it. It does itself what the target
// does not come for. The error is that of the first one that could not be done.
func (w *Window) await(rank int, number uint32) (failed error) {
	t := &w.targets[rank]
	alone, looks := false, 0
	for int32(number-t.Done) > 0 {
		e := shm.ErrandAt(t.Errands, t.Done+1)
		phase, _ := e.Phase(t.Done + 1)
		var err error
		switch phase {
		case shm.ErrandPosted:
			if !alone && w.hopes(t, looks) {
				looks++
				continue
			}
			if !e.Take(t.Done + 1) {
				continue
			}
			if !alone {
				alone = true
				avoid(t)
			}
			w.takenBack.Add(1)
			err = w.alone(e, rank)
			e.End(t.Done+1, shm.ErrandDone)
		case shm.ErrandTaken:
			err = w.space.engine.WaitFor(&carried{e, t.Done + 1})
			if err == nil {
				continue
			}
		case shm.ErrandFailed:
			err = w.alone(e, rank) // which says why
		default:
			t.Shy, t.Skip, t.Doze = 0, 0, 0
		}
		if failed == nil {
			failed = err
		}
		t.Done++
		looks = 0
	}
	return failed
}

// hopes waits a moment for the target after so many looks; false when it is no use.
func (w *Window) hopes(t *shm.Target, looks int) bool {
	if t.Skip > 0 || t.Late != 0 {
		return false // it has just been too long, or will be
	}
	patience := errandGrace
	if atomic.LoadUint32(t.Inside) != 0 && atomic.LoadUint32(t.Bell) == 0 {
		patience = errandPatience
	}
	if looks >= patience {
		return false
	}
	if looks%errandProgress == errandProgress-1 {
		w.space.engine.Progress() // others may have errands for this rank
	}
	shm.Pause(1)
	return true
}

// settleErrands waits until all errands for a target are done.
func (w *Window) settleErrands(rank int) error {
	if t := &w.targets[rank]; t.Sent != t.Done {
		return w.await(rank, t.Sent)
	}
	return nil
}

// settleAll waits until all errands of this rank are done.
func (w *Window) settleAll() (failed error) {
	if w.Desc.Pending == 0 {
		return nil
	}
	w.beginErrands()
	defer w.endErrands()
	w.Desc.Pending = 0
	for r := range w.targets {
		if err := w.settleErrands(r); failed == nil {
			failed = err
		}
	}
	if w.far != nil {
		failed = after(w.far.flushAll(), failed)
	}
	return failed
}

// settleOne is settleErrands for calls that name the target, which may be none.
func (w *Window) settleOne(rank int) error {
	if w.Desc.Pending == 0 || uint(rank) >= uint(w.n) {
		return nil
	}
	if w.away(rank) {
		return w.far.flush(rank)
	}
	w.beginErrands()
	defer w.endErrands()
	return w.settleErrands(rank)
}

// alone does an errand without the target.
func (w *Window) alone(e *shm.Errand, rank int) error {
	o := e.Order()
	if !possible(&o) || !w.within(rank, o.Addr, uint64(o.Bytes)) {
		return mpierr.New(mpierr.ErrRMARange,
			"%d bytes at %#x are not in the window of rank %d: an operation was corrupted on its way", o.Bytes, o.Addr, rank)
	}
	n := int64(o.Bytes)
	s := spot{w: w, peer: &w.peers[rank], rank: rank, buf: datatype.Raw(uintptr(o.Addr), n)}
	data := e.Data(n)
	switch o.Kind {
	case shm.ErrandPut:
		return s.write(0, data, n)
	case shm.ErrandGet:
		return s.read(0, data, n)
	}
	chunk := w.space.engine.Scratch.Take(2 * shm.ErrandRoom)
	defer w.space.engine.Scratch.Put(chunk)
	if err := w.guard(rank); err != nil {
		return err
	}
	defer w.unguard(rank)
	old, work := chunk.Address(), chunk.Address()+shm.ErrandRoom
	if err := s.read(0, old, n); err != nil {
		return err
	}
	shm.Copy(work, old, n)
	if changed := combine(&o, data, work, n); changed {
		if err := s.write(0, work, n); err != nil {
			return err
		}
	}
	if o.Kind != shm.ErrandAccumulate {
		shm.Copy(data, old, n)
	}
	return nil
}

// combine does to n bytes at addr what an accumulating errand with that data wants; false when they stay as they are.
func combine(o *shm.Order, data, addr uintptr, n int64) bool {
	switch {
	case o.Kind == shm.ErrandSwap:
		if string(shm.Bytes(addr, n)) != string(shm.Bytes(data+shm.ErrandSmall/2, n)) {
			return false
		}
		shm.Copy(addr, data, n)
	case o.Op == opNoOp:
		return false
	case o.Op == opReplace:
		shm.Copy(addr, data, n)
	default:
		t := datatype.ByHandle(o.Type)
		op.ByHandle(o.Op).Apply(data, addr, n/t.Size(), t)
	}
	return true
}
