package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/shm"
)

// Operations on the memory of far ranks, at their origin. Puts and accumulates end when they are on their
// way, all others when what they bring is here.

// mostUnanswered is how many packets of one operation may be waiting for their answers.
const mostUnanswered = 16

// sending is a request on its way to a far rank.
type sending struct {
	*request
	what int32
	word uint64 // for the third word of the heading
	most int64  // bytes in a packet
	unit int64  // of which they are a multiple
	call *call  // that is answered; nil for none
}

// sendPackets carries the operation out by packets.
func (r *request) sendPackets() error {
	m := sending{request: r, what: sayPut, most: farPiece, unit: 1}
	switch r.kind {
	case fast.PacketGet:
		m.what, m.most = sayGet, r.n
	case fast.PacketAccumulate, fast.PacketFetch:
		m.what, m.most, m.unit = sayAccumulate, farOperation, r.basic.Size()
		m.word = uint64(r.basic.Handle()) | uint64(r.f.Handle())<<32
	case fast.PacketSwap:
		m.what, m.most, m.word = saySwap, r.n, uint64(r.basic.Handle())
		data, old := datatype.Raw(r.in, r.n), datatype.Raw(r.old, r.n)
		r.data, r.result = &data, &old
	}
	if r.result == nil {
		return m.send()
	}
	f := r.w.far
	m.call = f.begin(r.rank, *r.result)
	err := m.send()
	if e := f.wait(m.call); err == nil {
		err = e
	}
	return f.end(m.call, err)
}

// send sends the operation, in as many packets as it takes.
func (m *sending) send() error {
	w, f := m.w, m.w.far
	r := &f.ranks[m.rank]
	s := w.space.amRequests.Get().(*amRequest)
	defer w.space.putRequest(s)
	room := s.runs[:0]
	for at := int64(0); at < m.n; {
		if err := m.throttle(); err != nil {
			return err
		}
		all, first, k := collectRuns(room, &m.buf, at, m.n-at, m.most, m.unit)
		if all == nil && m.data == nil && m.kind >= fast.PacketAccumulate { // nothing says how much it is
			all = append(room, shm.Piece{Addr: uintptr(first), Size: uint64(k)})
		}
		s.runs, s.h = all, f.heading(m.what)
		s.h.Words[0], s.h.Words[1], s.h.Words[2], s.h.Words[3] = first, uint64(len(all)), m.word, uint64(at)
		s.n = 0
		last := at+k == m.n
		if m.what == sayGet {
			s.h.Words[2] = uint64(k)
		}
		if m.data != nil {
			s.data, s.at, s.n = *m.data, at, k
		}
		if m.compare != 0 {
			s.then = datatype.Raw(m.compare, m.n)
		}
		if m.call != nil {
			s.h.Words[1] |= uint64(m.call.number) << 32
			m.call.open.Add(1)
		} else {
			s.h.Words[3] = f.foresee(m.rank, last)
		}
		err := f.sendRequest(m.rank, s)
		if m.call == nil { // after it has gone, as another thread may be flushing
			r.sent.Add(k + packetCost)
			r.dirty.Store(true)
			w.Desc.Pending = 1
		}
		if err != nil {
			if m.call != nil && s.err != nil {
				m.call.open.Add(-1) // nobody answers it
			} else if s.err != nil && s.h.Words[3] != 0 {
				f.forget(m.rank)
			}
			return err
		}
		s.runs = room
		at += k
	}
	return nil
}

// throttle waits until the target has caught up with this rank, if it has fallen far behind.
func (m *sending) throttle() error {
	f := m.w.far
	if m.call == nil {
		if f.ranks[m.rank].sent.Load() >= settleEach {
			return f.flush(m.rank)
		}
		return nil
	}
	if m.call.open.Load() < mostUnanswered {
		return nil
	}
	return f.w.space.engine.WaitIn(f.ctx, few{m.call})
}

// few is the condition that another packet may go that is answered.
type few struct{ *call }

// Ready implements p2p.Condition.
func (c few) Ready() bool { return c.open.Load() < mostUnanswered }

// ask sends a note that is answered, and waits for that.
func (f *far) ask(rank int, what int32, word, more uint64) error {
	c := f.begin(rank, datatype.Buffer{})
	c.what = what
	c.open.Add(1)
	err := f.tell(rank, what, word, more, c.number)
	if err == nil {
		err = f.wait(c)
	}
	return f.end(c, err)
}

// check refuses memory that is not attached to a dynamic window of a rank.
func (f *far) check(rank int, first, n uint64) error { return f.ask(rank, sayCheck, first, n) }
