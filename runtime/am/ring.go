package am

import (
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Messages to near ranks. When the target does not come for them, because it computes or sleeps, this rank
// takes them back one by one and does by single copy what they are about; where the kernel refuses that, it
// summons the target's progress thread.

// LockRings and UnlockRings stand around what posts messages to near ranks or waits for them.
func (w *Window) LockRings() {
	if w.worker.multiple {
		w.sending.Lock()
	}
}

// UnlockRings ends what LockRings has begun.
func (w *Window) UnlockRings() {
	if w.worker.multiple {
		w.sending.Unlock()
	}
}

// posted is a message of an operation that is under way.
type posted struct {
	bytes int64
	data  uintptr
}

// exchange posts the messages of an operation and unpacks their answers, if there are any. It has as many
// messages under way at once as there is room for. A C stub may have posted the only one already (Owed).
func (w *Window) exchange(r *Request) error {
	t := &w.Targets[r.Rank]
	var sent [fast.RingPackets]posted
	var list []shm.Piece
	if !r.Memory.Contiguous() {
		s := w.worker.sends.Get().(*send)
		defer w.worker.sends.Put(s)
		list = s.runs[:0]
	}
	number, to := t.Sent+1, int64(0)
	if t.Owed != 0 {
		t.Owed, number, to = 0, t.Sent, r.Bytes
		sent[number%fast.RingPackets] = posted{r.Bytes, fast.PacketAt(t.Ring, number).Data(uint32(r.Bytes))}
	}
	for at := int64(0); at < r.Bytes; number++ {
		for to < r.Bytes && (to == at || t.Sent-t.Done < fast.RingPackets) {
			p, err := w.post(r, to, list)
			if err != nil {
				return err
			}
			sent[t.Sent%fast.RingPackets] = p
			to += p.bytes
		}
		p := &sent[number%fast.RingPackets]
		if r.Result != nil {
			if err := w.await(r.Rank, number); err != nil {
				return err
			}
			r.Result.Unpack(at, shm.Bytes(p.data, p.bytes))
		}
		at += p.bytes
	}
	return nil
}

// post posts the message about the bytes from at on.
func (w *Window) post(r *Request, at int64, list []shm.Piece) (m posted, err error) {
	t := &w.Targets[r.Rank]
	p, err := w.begin(r.Rank)
	if err != nil {
		return m, err
	}
	h, runs := r.next(at, list, false)
	m.bytes = int64(h.Bytes)
	body := p.Data(uint32(h.Bytes) + h.Runs*runSize)
	if m.data, err = r.write(body, runs, at, m.bytes, fast.PacketCompare); err != nil {
		return m, err
	}
	p.Type, p.Op, p.Runs = h.Type, h.Op, h.Runs
	w.Desc.Post(t, p, h.Kind, h.Addr, uint32(h.Bytes))
	return m, nil
}

// begin waits for room for the next message to a target and begins it.
func (w *Window) begin(rank int) (*fast.Packet, error) {
	t := &w.Targets[rank]
	p := w.Desc.Begin(t)
	for p == nil {
		if err := w.await(rank, t.Done+1); err != nil {
			return nil, err
		}
		p = w.Desc.Begin(t)
	}
	return p, nil
}

// carried is the condition that a message is done or has failed.
type carried struct {
	packet *fast.Packet
	window *Window
}

// Group says whose failure ends the wait.
func (c *carried) Group() (name string, g *group.Group) { return c.window.Identity() }

// Ready implements p2p.Condition. Pairs with Packet.End.
func (c *carried) Ready() bool {
	phase := c.packet.Phase()
	return phase == fast.PacketDone || phase == fast.PacketFailed
}

// await waits until the message of that number for a target is done, and all before it. What the
// target does not come for is done by single copy, or by the target's progress thread. The error is
// that of the first one that could not be done.
func (w *Window) await(rank int, number uint32) (failed error) {
	t := &w.Targets[rank]
	for w.Desc.Settle(t, number) != fast.Done {
		p := fast.PacketAt(t.Ring, t.Done+1)
		var err error
		switch phase := p.Phase(); {
		case phase == fast.PacketDone:
			continue
		case phase == fast.PacketPosted && t.Backoff.Left == 0:
			w.Engine.Progress() // others want something of this rank that package fast leaves alone
			continue
		case phase == fast.PacketPosted && w.Peers[rank].Process != nil:
			if !p.Take(t.Done + 1) {
				continue
			}
			w.takenBack.Add(1)
			err = w.takeBack(p, rank)
			p.End(t.Done+1, fast.PacketDone)
		case phase == fast.PacketFailed:
			err = w.takeBack(p, rank) // which says why
		default:
			if phase == fast.PacketPosted {
				summon(w.Peers[rank].Summons)
			}
			if err = w.Engine.WaitFor(&carried{p, w}); err == nil {
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

// takeBack does by single copy what a message is about.
func (w *Window) takeBack(p *fast.Packet, rank int) error {
	words := p.Read()
	if w.Peers[rank].Process == nil {
		return mpierr.New(mpierr.ErrRMARange, "rank %d has refused an operation, or cannot access the %d bytes of its window", rank, words.Bytes)
	}
	m := w.worker.messages.Get().(*Message)
	defer w.worker.messages.Put(m)
	if !m.readRing(w, p, &words) {
		return Corrupted(rank, &m.Header)
	}
	return w.TakeBack(rank, m)
}

// Corrupted is the error for a message of this rank's that another one has written to.
func Corrupted(rank int, h *Header) error {
	return mpierr.New(mpierr.ErrRMARange,
		"%d bytes at %#x are not in the window of rank %d: an operation was corrupted on its way", h.Bytes, h.Addr, rank)
}
