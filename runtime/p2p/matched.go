package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// Message is one that a probe has matched: no other receive or probe can get it (MPI 5.0, 3.8.2).
type Message struct {
	e      *Engine
	number uint32 // fast.NoRequest for that of MPI_PROC_NULL
}

// Mprobe waits until there is a message that a receive from src with tag would get, and takes it out of the
// matching (MPI_Mprobe, MPI 5.0, 3.8.2).
func (e *Engine) Mprobe(x *Context, src, tag int, st *request.Status) (Message, error) {
	e.lock()
	defer e.unlock()
	p := probe{e, x, src, tag}
	if err := p.wait(st); err != nil {
		return Message{}, err
	}
	return p.take(), nil
}

// Improbe is Mprobe that does not wait (MPI_Improbe, MPI 5.0, 3.8.2).
func (e *Engine) Improbe(x *Context, src, tag int, st *request.Status) (m Message, ok bool, err error) {
	e.lock()
	defer e.unlock()
	p := probe{e, x, src, tag}
	if ok, err = p.ask(st); ok {
		m = p.take()
	}
	return m, ok, err
}

// Matched is the message behind a handle, with the context in which it has come, of MPI_MESSAGE_NO_PROC none.
// ok is false when the handle names none.
func (e *Engine) Matched(handle uintptr) (m Message, ctx uint32, ok bool) {
	if handle == fast.MessageNoProc {
		return Message{e, fast.NoRequest}, 0, true
	}
	e.lock()
	defer e.unlock()
	i := e.endpoint.Matched(handle)
	if i == fast.NoRequest {
		return Message{}, 0, false
	}
	return Message{e, i}, e.endpoint.Message(i).Ctx, true
}

// EachMatched calls f with the handle of each matched message that has not been received.
func (u *unexpected) EachMatched(f func(handle uintptr)) {
	u.lock()
	defer u.unlock()
	for i := range u.endpoint.MessagesMade {
		if u.endpoint.Message(i).Flags&fast.Taken != 0 {
			f(u.endpoint.MessageHandle(i))
		}
	}
}

// Handle is the message's handle.
func (m Message) Handle() uintptr {
	if m.number == fast.NoRequest {
		return fast.MessageNoProc
	}
	m.e.lock()
	defer m.e.unlock()
	return m.e.endpoint.MessageHandle(m.number)
}

// Recv receives the message (MPI_Mrecv, MPI 5.0, 3.8.3).
func (m Message) Recv(b datatype.Buffer, st *request.Status) error {
	r, err := m.Irecv(b)
	if err != nil {
		return err
	}
	return m.e.Wait(r, st)
}

// Irecv starts to receive the message (MPI_Imrecv, MPI 5.0, 3.8.3).
func (m Message) Irecv(b datatype.Buffer) (*request.Request, error) {
	e := m.e
	e.lock()
	defer e.unlock()
	if m.number == fast.NoRequest {
		return e.null(request.Recv)
	}
	r, err := e.get(request.Recv)
	if err != nil {
		return nil, err
	}
	t := e.endpoint.Message(m.number)
	t.Flags &^= fast.Taken
	r.Buf, r.Peer, r.Key = b, -1, match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
	e.accept(r, m.number)
	return r, nil
}
