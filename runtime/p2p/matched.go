package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p/match"
	"gompi/runtime/request"
)

// Message is the number of a message that a probe has matched: no other receive or probe can get it (MPI 5.0,
// 3.8.2). NoMessage is that of none, and of the message from MPI_PROC_NULL.
type Message uint32

// NoMessage is the number of no message.
const NoMessage = Message(fast.NoRequest)

// Mprobe waits until there is a message that a receive from src with tag would get, and takes it out of the
// matching. It is NoMessage when src is MPI_PROC_NULL (MPI_Mprobe, MPI 5.0, 3.8.2).
func (e *Engine) Mprobe(x *Context, src, tag int, st *request.Status) (Message, error) {
	e.lock()
	defer e.unlock()
	if err := e.awaitMessage(x, src, tag, st); err != nil {
		return NoMessage, err
	}
	return e.takeMessage(x, src, tag), nil
}

// Improbe is Mprobe that does not wait (MPI_Improbe, MPI 5.0, 3.8.2).
func (e *Engine) Improbe(x *Context, src, tag int, st *request.Status) (Message, bool, error) {
	e.lock()
	defer e.unlock()
	if look(e, found{e, x, src, tag}); !e.seen(x, src, tag, st) {
		inVain(e, found{e, x, src, tag})
		return NoMessage, false, certain(e.hopeless(x, src, tag))
	}
	return e.takeMessage(x, src, tag), true, nil
}

func (e *Engine) takeMessage(x *Context, src, tag int) Message {
	if src == ProcNull {
		return NoMessage
	}
	i := e.firstUnexpected(pattern(x, src, tag))
	e.endpoint.TakeOut(i)
	return Message(i)
}

// MessageHandle is the handle of a matched message, MPI_MESSAGE_NO_PROC for NoMessage.
func (e *Engine) MessageHandle(m Message) uintptr {
	if m == NoMessage {
		return fast.MessageNoProc
	}
	e.lock()
	defer e.unlock()
	return e.endpoint.MessageHandle(uint32(m))
}

// Matched is the message behind a handle, with the context in which it has come. ok is false when the handle
// names none.
func (e *Engine) Matched(handle uintptr) (m Message, ctx uint32, ok bool) {
	e.lock()
	defer e.unlock()
	i := e.endpoint.Matched(handle)
	if i == fast.NoRequest {
		return NoMessage, 0, false
	}
	return Message(i), e.endpoint.Message(i).Ctx, true
}

// EachMatched calls f with the handle of each matched message that has not been received.
func (e *Engine) EachMatched(f func(handle uintptr)) {
	e.lock()
	defer e.unlock()
	for i := range e.endpoint.MessagesMade {
		if e.endpoint.Message(i).Flags&fast.Taken != 0 {
			f(e.endpoint.MessageHandle(i))
		}
	}
}

// Mrecv receives a matched message, NoMessage for that of MPI_PROC_NULL (MPI_Mrecv, MPI 5.0, 3.8.3).
func (e *Engine) Mrecv(b datatype.Buffer, m Message, st *request.Status) error {
	r, err := e.Imrecv(b, m)
	if err != nil {
		return err
	}
	return e.Wait(r, st)
}

// Imrecv starts to receive a matched message (MPI_Imrecv, MPI 5.0, 3.8.3).
func (e *Engine) Imrecv(b datatype.Buffer, m Message) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	if m == NoMessage {
		return e.null(request.Recv)
	}
	r, err := e.get(request.Recv)
	if err != nil {
		return nil, err
	}
	t := e.endpoint.Message(uint32(m))
	t.Flags &^= fast.Taken
	r.Buf, r.Peer, r.Key = b, -1, match.Key{Ctx: t.Ctx, Src: t.Src, Tag: t.Tag}
	e.accept(r, uint32(m))
	return r, nil
}
