package am

import (
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// The messages of far ranks at their target. They are handled when their packets arrive, under the engine's
// lock, where nothing may wait.

// Receive implements p2p.AMHandler.
func (s *Worker) Receive(peer int, h p2p.AMHeader, body uintptr, n int64) {
	w, from := (*s.far.Load())[h.Ctx], int(h.Src)
	switch {
	case w == nil:
		// The window was given up here because of a failure.
	case uint(from) >= uint(len(w.Peers)) || !w.far.ranks[from].away || w.far.ranks[from].peer != peer,
		h.What < 0, h.What > int32(reply):
		s.engine.Malformed(peer, "a malformed packet: an operation of kind %d on a window, in the name of rank %d there", h.What, from)
	case h.What == int32(reply):
		w.far.answered(peer, &h, body, n)
	case w.far.ranks[from].late > 0 || !w.far.handle(from, &h, body, n):
		w.far.putOff(from, &h, body, n)
	}
}

// answered takes in what was asked for.
func (f *far) answered(peer int, h *p2p.AMHeader, body uintptr, n int64) {
	c := f.call(uint32(h.Words[0]))
	if c == nil || c.rank >= 0 && c.rank != int(h.Src) {
		f.w.Engine.Malformed(peer, "a malformed packet: an answer to question %d, which was not asked", h.Words[0])
	}
	if class := mpierr.Class(h.Words[2]); class != 0 {
		if c.err == nil {
			c.err = refusal(class, c.rank)
		}
	} else if room := c.room(); n > 0 && (h.Words[1] > room || uint64(n) > room-h.Words[1]) {
		c.err = mpierr.New(mpierr.ErrIntern,
			"rank %d has answered with %d bytes at %d where %d bytes were asked for", h.Src, n, h.Words[1], room)
	} else if n > 0 {
		if err := c.result.UnpackAt(int64(h.Words[1]), body, n); c.err == nil {
			c.err = err
		}
	}
	if h.Words[3] != 0 && c.open.Load() > 0 {
		c.open.Add(-1)
	}
}

// refusal is the error of an operation that its target could not carry out.
func refusal(class mpierr.Class, rank int) error {
	if rank < 0 {
		return mpierr.New(class, "a target could not carry out an operation: its memory cannot be accessed, or is attached no more")
	}
	return mpierr.New(class, "rank %d could not carry out an operation: that memory is not attached to its window, or cannot be accessed", rank)
}

// late is a packet that has to wait.
type late struct {
	from int
	h    p2p.AMHeader
	body []byte
}

func (f *far) putOff(from int, h *p2p.AMHeader, body uintptr, n int64) {
	l := late{from, *h, make([]byte, n)}
	if n > 0 {
		shm.Copy(shm.Address(l.body), body, n)
	}
	f.late = append(f.late, l)
	f.ranks[from].late++
}

// serve goes on with what had to wait. It is called under the engine's lock when nothing has arrived.
func (f *far) serve() (did bool) {
	did = f.w.Resume()
	for len(f.late) > 0 {
		l := &f.late[0]
		body := uintptr(0)
		if len(l.body) > 0 {
			body = shm.Address(l.body)
		}
		if !f.handle(l.from, &l.h, body, int64(len(l.body))) {
			if f.w.Engine.AliveIn(f.w.group) != nil {
				return false
			}
			shm.Yield() // whoever holds the guard does so shortly, and rings nobody
			return true
		}
		f.ranks[l.from].late--
		*l = late{}
		f.late = f.late[1:]
		did = true
	}
	return did
}

// handle does what a packet wants; false when it has to wait.
func (f *far) handle(from int, h *p2p.AMHeader, body uintptr, n int64) bool {
	m, w := &f.message, f.w
	m.Header, m.From, m.answer = readHeader(h), from, nil
	switch m.Kind {
	case nothing:
		return true
	case Flush:
		f.settle(from, m.Call)
		return true
	}
	fetches := m.Kind == fast.PacketGet || m.Kind == fast.PacketFetch || m.Kind == fast.PacketSwap
	ok := m.readBody(f.base, body, n) && (!fetches || m.Call != 0)
	if ok {
		var done bool
		if fetches {
			m.answer = f.answer(m)
		}
		if done, ok = w.handlers[m.Kind].Handle(m); m.answer != nil {
			if done && ok {
				w.Engine.AM.Post(f.ranks[from].peer, m.answer)
			} else {
				f.answers = append(f.answers, m.answer)
			}
		}
		if !done {
			return false
		}
	}
	switch {
	case m.Call == 0 && !ok:
		f.ranks[from].failure = mpierr.ErrRMARange // its origin hears of it when it flushes
	case !ok:
		w.Answer(from, m.Call, mpierr.ErrRMARange)
	case m.Kind == Check:
		w.Answer(from, m.Call, 0)
	}
	if m.Call == 0 && m.At != 0 && m.Kind <= fast.PacketSwap {
		f.settle(from, uint32(m.At)) // it asks what a flush would
	}
	return true
}

// settle answers a flush: all is done that a rank has wanted, or some of it could not be done.
func (f *far) settle(from int, call uint32) {
	f.w.Answer(from, call, f.ranks[from].failure)
	f.ranks[from].failure = 0
}
