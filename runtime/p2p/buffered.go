package p2p

import (
	"slices"

	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
	"gompi/shm"
)

// BsendOverhead is MPI_BSEND_OVERHEAD: what a message takes of an attached buffer beyond its data, in bytes.
const BsendOverhead = 512

// Attached is a buffer for messages in buffered mode (MPI 5.0, 3.6). Messages lie in it until they have gone.
type Attached struct {
	e         *Engine
	addr      uintptr
	size      int64
	automatic bool            // MPI_BUFFER_AUTOMATIC: memory of the library's, as much as is needed
	messages  []*bufferedSend // by address; for an automatic one in no order
	seq       uint64          // messages ever put in
	flushes   []*flush
}

// bufferedSend is a message in an attached buffer.
type bufferedSend struct {
	in     *Attached
	at, n  int64
	seq    uint64
	memory []byte // when the buffer is automatic
}

// flush is somebody who waits for the messages up to a certain one.
type flush struct {
	r    *request.Request
	upTo uint64
	left int
}

// Owner is whom a buffer is attached to: the process (the zero Owner), a session or a communicator.
type Owner struct {
	kind ownerKind
	id   uint32 // number of the session, or the context of the communicator's messages
}

type ownerKind uint8

const (
	ofProcess ownerKind = iota
	ofSession
	ofContext
)

// OfContext is the communicator whose messages go in x.
func OfContext(x *Context) Owner { return Owner{ofContext, x.ID} }

// OfSession is the session with that number.
func OfSession(id uint32) Owner { return Owner{ofSession, id} }

// Attach gives the engine a buffer for messages in buffered mode of one communicator, of those that come from
// a session, or of all (MPI_Buffer_attach, MPI_Session_attach_buffer and MPI_Comm_attach_buffer, MPI 5.0,
// 3.6).
func (e *Engine) Attach(key Owner, addr uintptr, size int64, automatic bool) error {
	e.lock()
	defer e.unlock()
	if e.attached[key] != nil {
		return mpierr.New(mpierr.ErrBuffer, "a buffer is attached already; it has to be detached before another one is attached")
	}
	if e.attached == nil {
		e.attached = map[Owner]*Attached{}
	}
	e.attached[key] = &Attached{e: e, addr: addr, size: size, automatic: automatic}
	return nil
}

// Detach waits until all messages have left the buffer, and takes it away (MPI_Buffer_detach, MPI 5.0, 3.6).
// Address and size are those of Attach; there being no buffer is an error.
func (e *Engine) Detach(key Owner) (addr uintptr, size int64, err error) {
	a, err := e.flushBuffer(key)
	if err != nil {
		return 0, 0, err
	}
	e.lock()
	defer e.unlock()
	if a == nil || e.attached[key] != a {
		return 0, 0, mpierr.New(mpierr.ErrBuffer, "no buffer is attached")
	}
	delete(e.attached, key)
	return a.addr, a.size, nil
}

// AttachedBuffers calls f with the size of each attached buffer, in bytes, but for those of the library.
func (e *Engine) AttachedBuffers(f func(size int64)) {
	e.lock()
	defer e.unlock()
	for _, a := range e.attached {
		if !a.automatic {
			f(a.size)
		}
	}
}

// Abandon takes away the buffer of a communicator that is no more. No message is in it: it would still be
// pending.
func (e *Engine) Abandon(x *Context) {
	e.lock()
	defer e.unlock()
	delete(e.attached, OfContext(x))
}

// Drop is Detach for an owner that goes, with or without a buffer.
func (e *Engine) Drop(key Owner) error {
	e.lock()
	a := e.attached[key]
	e.unlock()
	if a == nil {
		return nil
	}
	_, _, err := e.Detach(key)
	return err
}

// FlushBuffer waits until the messages that are in the buffer now have left it (MPI_Buffer_flush, MPI 5.0,
// 3.6).
func (e *Engine) FlushBuffer(key Owner) error {
	_, err := e.flushBuffer(key)
	return err
}

func (e *Engine) flushBuffer(key Owner) (*Attached, error) {
	e.lock()
	a := e.attached[key]
	e.unlock()
	r, err := e.IflushBuffer(key)
	if err == nil {
		err = e.Wait(r, nil)
	}
	return a, err
}

// IflushBuffer is FlushBuffer as a request (MPI_Buffer_iflush, MPI 5.0, 3.6).
func (e *Engine) IflushBuffer(key Owner) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	r, err := e.get(request.Flush)
	if err != nil {
		return nil, err
	}
	r.Status = request.Empty
	if key.kind == ofContext {
		r.Key.Ctx = key.id
	}
	a := e.attached[key]
	if a == nil || len(a.messages) == 0 {
		r.Done = true
		return r, nil
	}
	a.flushes = append(a.flushes, &flush{r: r, upTo: a.seq, left: len(a.messages)})
	return r, nil
}

// Bsend sends b in buffered mode: it returns at once, whether a receive has been posted or not (MPI_Bsend,
// MPI 5.0, 3.4).
func (e *Engine) Bsend(x *Context, b datatype.Buffer, dst, tag int) error {
	if dst == ProcNull {
		return nil
	}
	e.lock()
	defer e.unlock()
	peer, n := x.Peers.Of(dst), b.Bytes()
	a, at, err := e.roomFor(x.ID, x.Session, n)
	if err != nil {
		return err
	}
	if n <= e.to(peer).eager && peer != e.me && e.peers[peer].out.empty() {
		if sent, err := e.sendEager(x, b, n, peer, tag); sent {
			return err
		}
	}
	_, _, err = e.store(a, at, x.ID, b, peer, int32(x.Rank), int32(tag))
	return err
}

// Ibsend is Bsend with a request, which is done from the start but can be cancelled (MPI_Ibsend, MPI 5.0,
// 3.7.2).
func (e *Engine) Ibsend(x *Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	if dst == ProcNull {
		return e.null(request.Send)
	}
	r, err := e.get(request.Send)
	if err != nil {
		return nil, err
	}
	r.Bytes, r.Peer = b.Bytes(), x.Peers.Of(dst)
	address(r, x, b, tag)
	if err := e.startBuffered(r, x.Session); err != nil {
		e.Pool.Put(r)
		return nil, err
	}
	return r, nil
}

// startBuffered sends what r says in buffered mode. r is done afterwards.
func (e *Engine) startBuffered(r *request.Request, session uint32) error {
	if r.Plan != nil {
		r.Peer = r.Plan.Peer
	}
	a, at, err := e.roomFor(r.Key.Ctx, session, r.Bytes)
	if err != nil {
		return err
	}
	if r.Bytes <= e.to(r.Peer).eager && r.Peer != e.me && e.peers[r.Peer].out.empty() {
		e.endpoint.Sending++
		if sent, _ := e.launchEager(r); sent {
			return nil
		}
		e.endpoint.Sending--
	}
	in, gen, err := e.store(a, at, r.Key.Ctx, r.Buf, r.Peer, r.Key.Src, r.Key.Tag)
	if err != nil {
		return err
	}
	r.Done, r.State = true, request.Sent
	r.Inner, r.InnerGen = in, gen
	return nil
}

// roomFor finds the buffer for a message of n bytes in a communicator, and where in it there is room: the
// buffer of the communicator if it has one, otherwise that of the session that it comes from, otherwise that
// of the process (MPI 5.0, 3.6).
func (e *Engine) roomFor(ctx, session uint32, n int64) (*Attached, int64, error) {
	a := e.attached[Owner{ofContext, ctx}]
	if a == nil && session != 0 {
		a = e.attached[Owner{ofSession, session}]
	}
	if a == nil {
		a = e.attached[Owner{}]
	}
	if a == nil {
		return nil, 0, mpierr.New(mpierr.ErrBuffer, "a send in buffered mode needs a buffer, and none is attached")
	}
	if a.automatic {
		if err := shm.Afford(n); err != nil {
			return nil, 0, mpierr.Memory(err)
		}
	}
	at := a.room(n + BsendOverhead)
	if at < 0 {
		e.progress()
		at = a.room(n + BsendOverhead)
	}
	if at < 0 {
		return nil, 0, mpierr.New(mpierr.ErrBuffer, "the attached buffer of %d bytes has no room for a message of %d bytes and %d (MPI_BSEND_OVERHEAD) more", a.size, n, BsendOverhead)
	}
	return a, at, nil
}

// room is where n free bytes in a row begin, -1 if there are none.
func (a *Attached) room(n int64) int64 {
	if a.automatic {
		return 0
	}
	end := int64(0)
	// behind the last message first: they leave in the order in which they came, mostly
	if k := len(a.messages); k > 0 {
		if last := a.messages[k-1]; a.size-(last.at+last.n) >= n {
			return last.at + last.n
		}
	}
	for _, m := range a.messages {
		if m.at-end >= n {
			return end
		}
		end = m.at + m.n
	}
	if a.size-end >= n {
		return end
	}
	return -1
}

// store packs a message into its part of the buffer and starts to send it from there. The request is given
// back when the message has gone, which may be at once: then its generation is another one than that
// returned.
func (e *Engine) store(a *Attached, at int64, x uint32, b datatype.Buffer, peer int,
	src, tag int32) (*request.Request, uint32, error) {
	r, err := e.get(request.Send)
	if err != nil {
		return nil, 0, err
	}
	n := b.Bytes()
	m := &bufferedSend{in: a, at: at, n: n + BsendOverhead}
	a.seq++
	m.seq = a.seq
	where := 0
	addr := (a.addr + uintptr(at) + shm.CacheLine - 1) &^ (shm.CacheLine - 1)
	if a.automatic {
		m.memory = make([]byte, n)
		addr = shm.Address(m.memory)
		where = len(a.messages)
	} else {
		before := func(m *bufferedSend, at int64) int { return int(m.at - at) }
		where, _ = slices.BinarySearchFunc(a.messages, at, before)
	}
	a.messages = slices.Insert(a.messages, where, m)
	b.Pack(0, shm.Bytes(addr, n))
	r.Then, r.Orphan, r.Storage = true, true, m
	r.Status = request.Empty
	r.Bytes, r.Peer, r.Self = n, peer, src
	r.Buf = datatype.AsPacked(addr, n)
	r.Key = match.Key{Ctx: x, Src: src, Tag: tag}
	gen := r.Gen()
	e.begin(r, false)
	return r, gen, nil
}

// Release implements request.Storage.
func (m *bufferedSend) Release() {
	a := m.in
	a.messages = slices.DeleteFunc(a.messages, func(h *bufferedSend) bool { return h == m })
	a.flushes = slices.DeleteFunc(a.flushes, func(f *flush) bool {
		if m.seq > f.upTo {
			return false
		}
		if f.left--; f.left > 0 {
			return false
		}
		a.e.finish(f.r, nil)
		return true
	})
}
