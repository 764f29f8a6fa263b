package rma

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/shm"
)

// What far ranks want is done when their packets arrive, under the engine's lock, where nothing may wait.

// Receive implements p2p.AMHandler.
func (s *Space) Receive(peer int, h p2p.AMHeader, body uintptr, n int64) {
	var f *far
	if all := s.fars.Load(); all != nil {
		f = (*all)[h.Ctx]
	}
	from := int(h.Src)
	switch {
	case f == nil:
		// The window was given up here because of a failure.
	case uint(from) >= uint(len(f.ranks)) || !f.ranks[from].away || f.ranks[from].peer != peer,
		h.What < 0, h.What > sayAnswer:
		s.engine.Malformed(peer, "a malformed packet: an operation of kind %d on a window, in the name of rank %d there", h.What, from)
	case h.What == sayAnswer:
		f.answered(peer, &h, body, n)
	case f.ranks[from].late > 0 || !f.carryOut(from, &h, body, n):
		f.putOff(from, &h, body, n)
	}
}

// answered takes in what was asked for.
func (f *far) answered(peer int, h *p2p.AMHeader, body uintptr, n int64) {
	c := f.call(uint32(h.Words[0]))
	if c == nil || c.rank >= 0 && c.rank != int(h.Src) {
		f.w.space.engine.Malformed(peer, "a malformed packet: an answer to question %d, which was not asked", h.Words[0])
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

// serve goes on with what had to wait: tickets of the lock, and packets. It is called under the engine's lock
// when nothing has arrived.
func (f *far) serve() (did bool) {
	if len(f.waiting) > 0 {
		did = f.grant()
	}
	for len(f.late) > 0 {
		l := &f.late[0]
		body := uintptr(0)
		if len(l.body) > 0 {
			body = shm.Address(l.body)
		}
		if !f.carryOut(l.from, &l.h, body, int64(len(l.body))) {
			if f.w.space.engine.AliveIn(f.w.group) != nil {
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

// carryOut does what a packet wants; false when it has to wait.
func (f *far) carryOut(from int, h *p2p.AMHeader, body uintptr, n int64) bool {
	number := h.Words[1] >> 32
	switch h.What {
	case sayPut, sayGet, sayAccumulate, saySwap:
		return f.operate(from, h, body, n)
	case sayCheck:
		class := mpierr.Class(0)
		if _, _, ok := f.w.lookUp(f.w.me, h.Words[0], h.Words[2]); !ok {
			class = mpierr.ErrRMARange
		}
		f.reply(from, number, class)
	case sayFlush:
		f.settle(from, number)
	case sayLock:
		f.queue(from, h.Words[0] != 0, number)
	case sayUnlock:
		f.release(h.Words[0] != 0)
	case sayFence:
		told(f.w.word(from, fast.BlockFence), h.Words[0])
	case sayPosted:
		told(f.w.targets[from].Line, h.Words[0])
	case sayCompleted:
		told(shm.Next32(f.w.targets[from].Line, fast.LineCompleted), h.Words[0])
	}
	return true
}

// settle says that all is done that a rank has wanted, or that some of it could not be done.
func (f *far) settle(from int, number uint64) {
	f.reply(from, number, f.ranks[from].failure)
	f.ranks[from].failure = 0
}

// confirm does so when an operation that brings nothing has asked for it.
func (f *far) confirm(from int, h *p2p.AMHeader) {
	if number := h.Words[3]; number != 0 {
		f.settle(from, number)
	}
}

// locate makes addresses of this process of runs in the window; false when some are not the window's.
func (f *far) locate(list []shm.Piece) bool {
	for i := range list {
		p := &list[i]
		at := uint64(p.Addr)
		if f.w.flavor == Dynamic {
			if _, _, ok := f.w.lookUp(f.w.me, at, p.Size); !ok {
				return false
			}
			continue
		}
		if size := f.w.targets[f.w.me].Size; at > size || p.Size > size-at {
			return false
		}
		p.Addr += uintptr(f.base)
	}
	return true
}

// fails notes that an operation without an answer could not be carried out: its origin hears of it when it
// flushes.
func (f *far) fails(from int) { f.ranks[from].failure = mpierr.ErrRMARange }

// refuse says that an operation could not be carried out.
func (f *far) refuse(from int, number uint64) {
	if number == 0 {
		f.fails(from)
	} else {
		f.reply(from, number, mpierr.ErrRMARange)
	}
}

// operate carries out an operation; false when it has to wait.
func (f *far) operate(from int, h *p2p.AMHeader, body uintptr, n int64) bool {
	number := h.Words[1] >> 32
	o, done := operation{}, true
	ok := f.read(&o, h, body, n)
	if ok {
		done, ok = f.perform(&o, from, number, h.Words[3])
	}
	if !done {
		return false
	}
	if !ok {
		f.refuse(from, number)
	}
	if number == 0 {
		f.confirm(from, h)
	}
	return true
}

// perform carries out an operation that makes sense. What it brings goes to the data of a call of the
// origin's, from byte at on.
func (f *far) perform(o *operation, from int, number, at uint64) (done, ok bool) {
	if o.kind == fast.PacketPut {
		return f.w.handler.carryOut(o, false)
	}
	var a *answer
	if number != 0 || o.kind == fast.PacketGet || o.kind == fast.PacketSwap {
		a = f.answer(from, number, at, o.n)
	}
	if o.kind == fast.PacketGet {
		a.runs = append(a.runs, o.list...)
		a.post()
		return true, true
	}
	if a != nil {
		a.makeRoom(o.n)
		o.old = shm.Address(a.data)
	}
	chunk := f.w.space.engine.Scratch.Take(operationRoom)
	defer f.w.space.engine.Scratch.Put(chunk)
	o.work = chunk.Address()
	done, ok = f.w.handler.carryOut(o, false)
	switch {
	case a == nil:
	case done && ok:
		a.post()
	default:
		f.answers = append(f.answers, a)
	}
	return done, ok
}

// read makes an operation of a packet, in memory of this rank's part of the window; false when it makes none.
func (f *far) read(o *operation, h *p2p.AMHeader, body uintptr, n int64) (ok bool) {
	o.list, o.in, o.n, ok = readRuns(f.list[:0], h.Words[0], int64(uint32(h.Words[1])), body, n)
	if !ok {
		return false
	}
	o.desc = f.w.Desc
	basic, handle := uint32(h.Words[2]), uint32(h.Words[2]>>32)
	one := &o.list[0]
	switch h.What {
	case sayPut:
		o.kind = fast.PacketPut
	case sayGet:
		o.kind = fast.PacketGet
		if n == 0 {
			one.Size = h.Words[2]
		}
		o.n = int64(h.Words[2])
	case sayAccumulate:
		if o.kind = fast.PacketAccumulate; handle == fast.OpNoOp {
			o.n = int64(total(o.list))
		}
		ok = o.elemental(basic, handle) && o.n <= farOperation
	case saySwap:
		o.kind, o.n = fast.PacketSwap, n/2
		one.Size, o.compare = uint64(o.n), o.in+uintptr(o.n)
		o.basic = datatype.ByHandle(basic)
		ok = uint32(h.Words[1]) == 0 && o.basic != nil && o.n != 0 && o.basic.Size() == o.n && o.n <= casRoom
	}
	if ok && o.kind >= fast.PacketAccumulate {
		o.atomic, ok = f.kind(o.list)
	}
	return ok && f.locate(o.list) && total(o.list) == uint64(o.n)
}

// kind reports whether runs lie in memory of which elements are changed by atomic instructions; ok is false
// when some do and others do not.
func (f *far) kind(list []shm.Piece) (atomics, ok bool) {
	if f.w.flavor != Dynamic {
		return f.w.targets[f.w.me].Atomic != 0, true
	}
	for i := range list {
		a, parted, found := f.w.lookUp(f.w.me, uint64(list[i].Addr), list[i].Size)
		if !found || parted || i > 0 && atomics != (a[entryOff] != 0) {
			return false, false
		}
		atomics = a[entryOff] != 0
	}
	return atomics, true
}
