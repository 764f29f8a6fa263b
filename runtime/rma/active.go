package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Operations on private memory go by active messages (fast/active.go) as far as the target comes
// for them: that takes a fraction of what the kernel takes to reach the memory. When it does not,
// because it computes or sleeps, this rank takes them back one by one and does them by single copy;
// where the kernel refuses that, it summons the target's progress thread. Where ranks share cores,
// messages are otherwise only for what the target may do when it ends the epoch.

// mostLate bounds the ranks of windows that have active messages where ranks share cores: there the
// rings save less, and some 64 KiB are touched for each pair of ranks.
const mostLate = 16

// ring is where the packets of a rank for a target stand.
func (w *Window) ring(rings int64, target, origin int) uintptr {
	return w.allocation.base + uintptr(rings+int64(target*w.n+origin)*fast.PacketRingSize)
}

// beginActive and endActive stand around what sends active messages or waits for them.
func (w *Window) beginActive() {
	if w.space.multi {
		w.asking.Lock()
	}
}

func (w *Window) endActive() {
	if w.space.multi {
		w.asking.Unlock()
	}
}

// begin waits for room for the next message to a target and begins it.
func (w *Window) begin(rank int) (*fast.Packet, error) {
	t := &w.targets[rank]
	p := w.Desc.Begin(t)
	for p == nil {
		if err := w.await(rank, t.Done+1); err != nil {
			return nil, err
		}
		p = w.Desc.Begin(t)
	}
	return p, nil
}

// finish goes on with an operation of package fast until that is done: it waits for what that waits for.
func (w *Window) finish(rank int, try func() fast.Reason) error {
	t := &w.targets[rank]
	for {
		how := try()
		if how == fast.Done {
			return nil
		}
		next := t.Sent
		if how == fast.NoRoom {
			next = t.Done + 1
		}
		if err := w.await(rank, next); err != nil {
			t.Owed = 0
			return err
		}
	}
}

// carried is the condition that a message is done or has failed.
type carried struct {
	packet *fast.Packet
	window *Window
}

// Group says whose failure ends the wait.
func (c *carried) Group() (name string, g *group.Group) { return c.window.called() }

// Ready implements p2p.Condition. Pairs with Packet.End.
func (c *carried) Ready() bool {
	phase := c.packet.Phase()
	return phase == fast.PacketDone || phase == fast.PacketFailed
}

// await waits until the message of that number for a target is done, and all before it. What the
// target does not come for is done by single copy, or by the target's progress thread. The error is
// that of the first one that could not be done.
func (w *Window) await(rank int, number uint32) (failed error) {
	t := &w.targets[rank]
	for w.Desc.Settle(t, number) != fast.Done {
		p := fast.PacketAt(t.Ring, t.Done+1)
		var err error
		switch phase := p.Phase(); {
		case phase == fast.PacketDone:
			continue
		case phase == fast.PacketPosted && t.Backoff.Left == 0:
			w.space.engine.Progress() // others want something of this rank that package fast leaves alone
			continue
		case phase == fast.PacketPosted && w.peers[rank].process != nil:
			if !p.Take(t.Done + 1) {
				continue
			}
			w.takenBack.Add(1)
			err = w.alone(p, rank)
			p.End(t.Done+1, fast.PacketDone)
		case phase == fast.PacketFailed:
			err = w.alone(p, rank) // which says why
		default:
			if phase == fast.PacketPosted {
				summon(w.peers[rank].summons)
			}
			if err = w.space.engine.WaitFor(&carried{p, w}); err == nil {
				continue
			}
		}
		if failed == nil {
			failed = err
		}
		t.Done++
	}
	return failed
}

// settleTarget waits until all messages to a target are done.
func (w *Window) settleTarget(rank int) error {
	if t := &w.targets[rank]; t.Sent != t.Done {
		return w.await(rank, t.Sent)
	}
	return nil
}

// settleAll waits until all messages of this rank are done.
func (w *Window) settleAll() (failed error) {
	if w.Desc.Pending == 0 {
		return nil
	}
	w.beginActive()
	defer w.endActive()
	w.Desc.Pending = 0
	for r := range w.targets {
		if err := w.settleTarget(r); failed == nil {
			failed = err
		}
	}
	if w.far != nil {
		failed = after(w.far.flushAll(), failed)
	}
	return failed
}

// settleOne is settleTarget for calls that name the target, which may be none.
func (w *Window) settleOne(rank int) error {
	if w.Desc.Pending == 0 || uint(rank) >= uint(w.n) {
		return nil
	}
	if w.away(rank) {
		return w.far.flush(rank)
	}
	w.beginActive()
	defer w.endActive()
	return w.settleTarget(rank)
}

// alone does by single copy what a message is about.
func (w *Window) alone(p *fast.Packet, rank int) error {
	m := p.Read()
	if w.peers[rank].process == nil {
		return mpierr.New(mpierr.ErrRMARange, "rank %d has refused an operation, or cannot access the %d bytes of its window", rank, m.Bytes)
	}
	if !possible(&m) || !w.within(rank, m.Addr, uint64(m.Bytes)) {
		return mpierr.New(mpierr.ErrRMARange,
			"%d bytes at %#x are not in the window of rank %d: an operation was corrupted on its way", m.Bytes, m.Addr, rank)
	}
	n := int64(m.Bytes)
	s := targetBuffer{w: w, peer: &w.peers[rank], rank: rank, buf: datatype.Raw(uintptr(m.Addr), n)}
	data := p.Data(m.Bytes)
	switch m.Kind {
	case fast.PacketPut:
		return s.write(0, data, n)
	case fast.PacketGet:
		return s.read(0, data, n)
	}
	chunk := w.space.engine.Scratch.Take(2 * fast.PacketRoom)
	defer w.space.engine.Scratch.Put(chunk)
	if err := w.guard(rank); err != nil {
		return err
	}
	defer w.unguard(rank)
	old, work := chunk.Address(), chunk.Address()+fast.PacketRoom
	if err := s.read(0, old, n); err != nil {
		return err
	}
	shm.Copy(work, old, n)
	if changed := combine(&m, data, work, n); changed {
		if err := s.write(0, work, n); err != nil {
			return err
		}
	}
	if m.Kind != fast.PacketAccumulate {
		shm.Copy(data, old, n)
	}
	return nil
}
