// Package buffered is the buffered mode of sends, with the buffers that the program attaches for it (MPI 5.0,
// 3.4 and 3.6).
package buffered

import (
	"slices"

	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/shm"
	"gompi/wire/state"
)

// Overhead is MPI_BSEND_OVERHEAD: what a message takes of an attached buffer beyond its data, in bytes.
const Overhead = fast.Overhead

// Buffers are the buffers that are attached in a process (fast.Attachments). They are used under the engine's
// lock.
type Buffers struct {
	engine *p2p.Engine
	used   map[*fast.Attached]*buffer // those that messages lie in
}

// New is a process without attached buffers.
func New(e *p2p.Engine) *Buffers { return &Buffers{e, map[*fast.Attached]*buffer{}} }

// buffer is one of them, with messages that lie in it until they have gone.
type buffer struct {
	*Buffers
	*fast.Attached
	messages []*message // by address; for an automatic one in no order
	seq      uint64     // messages put in
	flushes  []*Flush
}

// message is one in an attached buffer.
type message struct {
	in     *buffer
	at, n  int64
	seq    uint64
	memory []byte // when the buffer is automatic
}

// Owner is whom a buffer is attached to: the process (the zero Owner), a session or a communicator.
type Owner struct {
	to fast.AttachedTo
	id uint32 // number of the session, or the context of the communicator's messages
}

// OfContext is the communicator whose messages go in x.
func OfContext(x *p2p.Context) Owner { return Owner{fast.ToContext, x.ID} }

// OfSession is the session with that number.
func OfSession(id uint32) Owner { return Owner{fast.ToSession, id} }

// Attach attaches a buffer for messages in buffered mode of one communicator, of those that come from a
// session, or of all (MPI_Buffer_attach, MPI_Session_attach_buffer and MPI_Comm_attach_buffer, MPI 5.0, 3.6).
// An owner that has one already is an error (MPI_ERR_BUFFER).
func (a *Buffers) Attach(to Owner, addr uintptr, size int64) error {
	a.engine.Lock()
	defer a.engine.Unlock()
	if a.of(to) != nil {
		return mpierr.New(mpierr.ErrBuffer, "a buffer is attached already; it has to be detached before another one is attached")
	}
	if err := fast.AttachBuffer(a.engine.Endpoint(), to.to, to.id, addr, size); err != nil {
		return mpierr.Memory(err)
	}
	return nil
}

// Detach waits until all messages have left the buffer, and takes it away (MPI_Buffer_detach, MPI 5.0, 3.6).
// Address and size are those of Attach; there being no buffer is an error (MPI_ERR_BUFFER).
func (a *Buffers) Detach(from Owner) (addr uintptr, size int64, err error) {
	for {
		addr, size, pending, err := a.detachEmpty(from)
		if !pending {
			return addr, size, err
		}
		if err := a.Flush(from); err != nil {
			return 0, 0, err
		}
	}
}

// detachEmpty is Detach of a buffer without messages. pending says that there are some.
func (a *Buffers) detachEmpty(from Owner) (addr uintptr, size int64, pending bool, err error) {
	a.engine.Lock()
	defer a.engine.Unlock()
	b := a.of(from)
	switch {
	case b == nil:
		return 0, 0, false, mpierr.New(mpierr.ErrBuffer, "no buffer is attached")
	case b.Messages > 0:
		return 0, 0, true, nil
	}
	addr, size = b.Addr, b.Size
	fast.DetachBuffer(a.engine.Endpoint(), b)
	return addr, size, false, nil
}

// of is the buffer of an owner, nil when there is none. The lock is held.
func (a *Buffers) of(owner Owner) *fast.Attached { return a.engine.Endpoint().Find(owner.to, owner.id) }

// Sizes is the size of each attached buffer in bytes, but for those of the library.
func (a *Buffers) Sizes() (all []int64) {
	a.engine.Lock()
	defer a.engine.Unlock()
	for b := a.engine.Endpoint().First; b != nil; b = b.Next {
		if b.Automatic == 0 {
			all = append(all, b.Size)
		}
	}
	return all
}

// Abandon takes away the buffer of a communicator that is no more. No message is in it: it would still be
// pending.
func (a *Buffers) Abandon(x *p2p.Context) {
	a.engine.Lock()
	defer a.engine.Unlock()
	if b := a.of(OfContext(x)); b != nil {
		delete(a.used, b)
		fast.DetachBuffer(a.engine.Endpoint(), b)
	}
}

// Drop is Detach for an owner that goes, with or without a buffer.
func (a *Buffers) Drop(owner Owner) error {
	a.engine.Lock()
	b := a.of(owner)
	a.engine.Unlock()
	if b == nil {
		return nil
	}
	_, _, err := a.Detach(owner)
	return err
}

// Flush waits until the messages that are in the buffer now have left it (MPI_Buffer_flush, MPI 5.0, 3.6).
func (a *Buffers) Flush(owner Owner) error {
	r, err := a.Iflush(owner)
	if err == nil {
		err = a.engine.Wait(r, nil)
	}
	return err
}

// Flush is the operation of somebody who waits for the messages up to a certain one.
type Flush struct {
	r    *request.Request
	upTo uint64
	left int
}

// Advance implements request.Operation.
func (f *Flush) Advance(r *request.Request) (done bool, err error) {
	f.r = r
	return f.left == 0, nil
}

// Describe implements p2p.Describer.
func (f *Flush) Describe(n *state.Need) { n.Text = "messages of an attached buffer" }

// Iflush is Flush as a request (MPI_Buffer_iflush, MPI 5.0, 3.6).
func (a *Buffers) Iflush(owner Owner) (*request.Request, error) {
	f, ctx := &Flush{}, uint32(0)
	if owner.to == fast.ToContext {
		ctx = owner.id
	}
	a.engine.Lock()
	if b := a.used[a.of(owner)]; b != nil {
		f.upTo, f.left = b.seq, len(b.messages)
		b.flushes = append(b.flushes, f)
	}
	a.engine.Unlock()
	return a.engine.Ops.Begin(f, ctx)
}

// Send sends b in buffered mode: it returns at once, whether a receive has been posted or not (MPI_Bsend,
// MPI 5.0, 3.4). Without room in the buffer it fails (MPI_ERR_BUFFER).
func (a *Buffers) Send(x *p2p.Context, b datatype.Buffer, dst, tag int) error {
	if dst == p2p.ProcNull {
		return nil
	}
	r, err := a.Isend(x, b, dst, tag)
	if err != nil {
		return err
	}
	return a.engine.Wait(r, nil)
}

// Isend is Send with a request, which is done from the start but can be cancelled (MPI_Ibsend, MPI 5.0,
// 3.7.2).
func (a *Buffers) Isend(x *p2p.Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	if dst == p2p.ProcNull {
		return a.engine.Isend(x, b, dst, tag)
	}
	a.engine.Lock()
	defer a.engine.Unlock()
	r, err := a.engine.NewSend(x, b, dst, tag)
	if err != nil {
		return nil, err
	}
	if err := a.begin(r, x, dst, tag); err != nil {
		a.engine.Pool.Put(r)
		return nil, err
	}
	return r, nil
}

// SendInit makes a persistent send in buffered mode (MPI_Bsend_init, MPI 5.0, 3.9).
func (a *Buffers) SendInit(x *p2p.Context, b datatype.Buffer, dst, tag int) (*request.Request, error) {
	r, err := a.engine.SendInit(x, b, dst, tag, false)
	if err == nil {
		r.Plan.Starter = &persistent{a, *x, dst, tag}
	}
	return r, err
}

// persistent is what is needed to start such a send, beyond its request.
type persistent struct {
	buffers  *Buffers
	x        p2p.Context
	dst, tag int
}

// Start implements request.Starter.
func (p *persistent) Start(r *request.Request) error { return p.buffers.begin(r, &p.x, p.dst, p.tag) }

// begin sends what r says in buffered mode. r is done afterwards.
func (a *Buffers) begin(r *request.Request, x *p2p.Context, dst, tag int) error {
	in, at, err := a.roomFor(x, r.Bytes)
	if err != nil || a.engine.BeginSendNow(r) {
		return err
	}
	inner, err := in.send(at, x, r.Buf, dst, tag)
	if err != nil {
		return err
	}
	r.Done, r.State, r.Inner = true, request.Sent, inner
	return nil
}

// roomFor finds the buffer for a message of n bytes in a communicator, and where in it there is room: the
// buffer of the communicator if it has one, otherwise that of the session that it comes from, otherwise that
// of the process (MPI 5.0, 3.6).
func (a *Buffers) roomFor(x *p2p.Context, n int64) (*buffer, int64, error) {
	at := a.of(OfContext(x))
	if at == nil && x.Session != 0 {
		at = a.of(OfSession(x.Session))
	}
	if at == nil {
		at = a.of(Owner{})
	}
	if at == nil {
		return nil, 0, mpierr.New(mpierr.ErrBuffer, "a send in buffered mode needs a buffer, and none is attached")
	}
	b := a.used[at]
	if b == nil {
		b = &buffer{Buffers: a, Attached: at}
	}
	if b.Automatic != 0 {
		if err := shm.Afford(n); err != nil {
			return nil, 0, mpierr.Memory(err)
		}
	}
	place := b.room(n + Overhead)
	if place < 0 {
		a.engine.ProgressLocked()
		place = b.room(n + Overhead)
	}
	if place < 0 {
		return nil, 0, mpierr.New(mpierr.ErrBuffer, "the attached buffer of %d bytes has no room for a message of %d bytes and %d (MPI_BSEND_OVERHEAD) more", b.Size, n, Overhead)
	}
	return b, place, nil
}

// tell notes what lies in the buffer.
func (b *buffer) tell() {
	if len(b.messages) > 0 {
		b.used[b.Attached] = b
	} else {
		delete(b.used, b.Attached)
	}
	b.Messages, b.Behind = uint32(len(b.messages)), b.behind()
	fast.TellRoom(b.engine.Endpoint())
}

// behind is how many bytes are free behind the last message.
func (b *buffer) behind() int64 {
	if k := len(b.messages); k > 0 {
		last := b.messages[k-1]
		return b.Size - (last.at + last.n)
	}
	return b.Size
}

// room is where n free bytes in a row begin, -1 if there are none.
func (b *buffer) room(n int64) int64 {
	if b.Automatic != 0 {
		return 0
	}
	end := int64(0)
	// behind the last message first: they leave in the order in which they came, mostly
	if free := b.behind(); free >= n {
		return b.Size - free
	}
	for _, m := range b.messages {
		if m.at-end >= n {
			return end
		}
		end = m.at + m.n
	}
	if b.Size-end >= n {
		return end
	}
	return -1
}

// send packs a message into its part of the buffer and starts to send it from there.
func (b *buffer) send(at int64, x *p2p.Context, data datatype.Buffer, dst,
	tag int) (*request.Request, error) {
	n := data.Bytes()
	m := &message{in: b, at: at, n: n + Overhead}
	addr := (b.Addr + uintptr(at) + shm.CacheLine - 1) &^ (shm.CacheLine - 1)
	where := len(b.messages)
	if b.Automatic != 0 {
		m.memory = make([]byte, n)
		addr = shm.Address(m.memory)
	} else {
		before := func(m *message, at int64) int { return int(m.at - at) }
		where, _ = slices.BinarySearchFunc(b.messages, at, before)
	}
	r, err := b.engine.NewSend(x, datatype.AsPacked(addr, n), dst, tag)
	if err != nil {
		return nil, err
	}
	b.seq++
	m.seq = b.seq
	b.messages = slices.Insert(b.messages, where, m)
	b.tell()
	data.Pack(0, shm.Bytes(addr, n))
	r.Then, r.Storage = true, m
	b.engine.BeginSend(r)
	return r, nil
}

// Release implements request.Storage: the message has gone.
func (m *message) Release() {
	b := m.in
	b.messages = slices.DeleteFunc(b.messages, func(h *message) bool { return h == m })
	b.tell()
	b.flushes = slices.DeleteFunc(b.flushes, func(f *Flush) bool {
		if m.seq > f.upTo {
			return false
		}
		if f.left--; f.left == 0 && f.r != nil {
			b.engine.Ops.Resume(f.r)
		}
		return f.left == 0
	})
}
