package rma

import (
	"sync/atomic"

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

// requester sends active messages to the ranks near to this one, and waits until they are done.
type requester struct {
	*core
	attachments *attachments
	guards      *guards
	asking      shm.Mutex     // held by the thread whose messages are under way, at MPI_THREAD_MULTIPLE
	takenBack   atomic.Uint64 // messages that this rank has done itself
}

// lock and unlock stand around what sends active messages or waits for them.
func (q *requester) lock() {
	if q.space.multi {
		q.asking.Lock()
	}
}

func (q *requester) unlock() {
	if q.space.multi {
		q.asking.Unlock()
	}
}

// begin waits for room for the next message to a target and begins it.
func (q *requester) begin(rank int) (*fast.Packet, error) {
	t := &q.targets[rank]
	p := q.Desc.Begin(t)
	for p == nil {
		if err := q.await(rank, t.Done+1); err != nil {
			return nil, err
		}
		p = q.Desc.Begin(t)
	}
	return p, nil
}

// finish goes on with an operation of package fast until that is done: it waits for what that waits for.
func (q *requester) finish(rank int, try func() fast.Reason) error {
	t := &q.targets[rank]
	for {
		how := try()
		if how == fast.Done {
			return nil
		}
		next := t.Sent
		if how == fast.NoRoom {
			next = t.Done + 1
		}
		if err := q.await(rank, next); err != nil {
			t.Owed = 0
			return err
		}
	}
}

// carried is the condition that a message is done or has failed.
type carried struct {
	packet *fast.Packet
	window *core
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
func (q *requester) await(rank int, number uint32) (failed error) {
	t := &q.targets[rank]
	for q.Desc.Settle(t, number) != fast.Done {
		p := fast.PacketAt(t.Ring, t.Done+1)
		var err error
		switch phase := p.Phase(); {
		case phase == fast.PacketDone:
			continue
		case phase == fast.PacketPosted && t.Backoff.Left == 0:
			q.space.engine.Progress() // others want something of this rank that package fast leaves alone
			continue
		case phase == fast.PacketPosted && q.peers[rank].process != nil:
			if !p.Take(t.Done + 1) {
				continue
			}
			q.takenBack.Add(1)
			err = q.takeBack(p, rank)
			p.End(t.Done+1, fast.PacketDone)
		case phase == fast.PacketFailed:
			err = q.takeBack(p, rank) // which says why
		default:
			if phase == fast.PacketPosted {
				summon(q.peers[rank].summons)
			}
			if err = q.space.engine.WaitFor(&carried{p, q.core}); err == nil {
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
func (q *requester) settleTarget(rank int) error {
	if t := &q.targets[rank]; t.Sent != t.Done {
		return q.await(rank, t.Sent)
	}
	return nil
}

// settleAll waits until all messages of this rank are done.
func (q *requester) settleAll() (failed error) {
	if q.Desc.Pending == 0 {
		return nil
	}
	q.lock()
	defer q.unlock()
	q.Desc.Pending = 0
	for r := range q.targets {
		if err := q.settleTarget(r); failed == nil {
			failed = err
		}
	}
	if q.far != nil {
		failed = after(q.far.flushAll(), failed)
	}
	return failed
}

// settleOne is settleTarget for calls that name the target, which may be none.
func (q *requester) settleOne(rank int) error {
	if q.Desc.Pending == 0 || uint(rank) >= uint(q.n) {
		return nil
	}
	if q.away(rank) {
		return q.far.flush(rank)
	}
	q.lock()
	defer q.unlock()
	return q.settleTarget(rank)
}

// takeBack does by single copy what a message is about.
func (q *requester) takeBack(p *fast.Packet, rank int) error {
	m := p.Read()
	if q.peers[rank].process == nil {
		return mpierr.New(mpierr.ErrRMARange, "rank %d has refused an operation, or cannot access the %d bytes of its window", rank, m.Bytes)
	}
	l := q.space.lists.Get().(*list)
	defer q.space.lists.Put(l)
	o, ok := q.readMessage(&m, p, l.pieces[:0])
	if !ok || ofPieces(&m) || !q.attachments.within(rank, m.Addr, uint64(m.Bytes)) {
		return mpierr.New(mpierr.ErrRMARange,
			"%d bytes at %#x are not in the window of rank %d: an operation was corrupted on its way", m.Bytes, m.Addr, rank)
	}
	s := targetMemory{q: q, peer: &q.peers[rank], rank: rank, buf: datatype.Raw(uintptr(m.Addr), o.n)}
	switch m.Kind {
	case fast.PacketPut:
		return s.write(0, o.in, o.n)
	case fast.PacketGet:
		return s.read(0, o.in, o.n)
	}
	chunk := q.space.engine.Scratch.Take(2 * fast.PacketRoom)
	defer q.space.engine.Scratch.Put(chunk)
	if err := q.guards.acquire(rank); err != nil {
		return err
	}
	defer q.guards.release(rank)
	work := chunk.Address() + fast.PacketRoom
	o.old = chunk.Address()
	if err := s.read(0, work, o.n); err != nil {
		return err
	}
	o.plainly(work, o.n)
	if string(shm.Bytes(work, o.n)) != string(shm.Bytes(o.old, o.n)) {
		if err := s.write(0, work, o.n); err != nil {
			return err
		}
	}
	if m.Kind != fast.PacketAccumulate {
		shm.Copy(o.in, o.old, o.n)
	}
	return nil
}
