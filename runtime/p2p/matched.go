package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// Message is one that a probe has matched: no other receive or probe can get it (MPI 5.0, 3.8.2).
type Message = unexpected

// Mprobe waits until there is a message that a receive from src with tag would get, and takes it out of the
// matching. The message is nil when src is MPI_PROC_NULL (MPI_Mprobe, MPI 5.0, 3.8.2).
func (e *Engine) Mprobe(x *Context, src, tag int, st *request.Status) (*Message, error) {
	e.lock()
	defer e.unlock()
	if err := e.awaitMessage(x, src, tag, st); err != nil {
		return nil, err
	}
	return e.takeMessage(x, src, tag), nil
}

// Improbe is Mprobe that does not wait (MPI_Improbe, MPI 5.0, 3.8.2).
func (e *Engine) Improbe(x *Context, src, tag int, st *request.Status) (*Message, bool, error) {
	e.lock()
	defer e.unlock()
	if look(e, found{e, x, src, tag}); !e.seen(x, src, tag, st) {
		inVain(e, found{e, x, src, tag})
		return nil, false, certain(e.hopeless(x, src, tag))
	}
	return e.takeMessage(x, src, tag), true, nil
}

func (e *Engine) takeMessage(x *Context, src, tag int) *Message {
	if src == ProcNull {
		return nil
	}
	u := e.unexpected.first(pattern(x, src, tag))
	e.unexpected.remove(e, u)
	return u
}

// Mrecv receives a matched message, nil for that of MPI_PROC_NULL (MPI_Mrecv, MPI 5.0, 3.8.3).
func (e *Engine) Mrecv(b datatype.Buffer, m *Message, st *request.Status) error {
	r, err := e.Imrecv(b, m)
	if err != nil {
		return err
	}
	return e.Wait(r, st)
}

// Imrecv starts to receive a matched message (MPI_Imrecv, MPI 5.0, 3.8.3).
func (e *Engine) Imrecv(b datatype.Buffer, m *Message) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	if m == nil {
		return e.null(request.Recv)
	}
	r, err := e.get(request.Recv)
	if err != nil {
		return nil, err
	}
	r.Buf, r.Peer, r.Key = b, -1, m.key
	e.accept(r, m)
	return r, nil
}
