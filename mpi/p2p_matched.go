package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Matched probes and receives (MPI 5.0, 3.8).

// MessageHandle is the handle of a message that a probe has taken out of the matching.
type MessageHandle uintptr

// PutMessage writes a handle that a call returns.
func PutMessage(addr uintptr, h MessageHandle) {
	StoreWord(addr, uintptr(h))
	if n := call(); n != nil {
		n.makes(uintptr(h))
	}
}

// MessageCell is a message handle that a call takes away.
type MessageCell uintptr

// take is the message that the cell names, and whose error handler hears of errors. Nobody else gets it.
func (c MessageCell) take() (p2p.Message, *object.Base, error) {
	h := LoadWord(uintptr(c))
	if h == fast.MessageNull {
		return p2p.Message{}, nil, mpierr.New(mpierr.ErrRequest, "message is MPI_MESSAGE_NULL")
	}
	m, ctx, ok := engine().Matched(h)
	if !ok {
		return m, nil, badHandle(mpierr.ErrRequest, "message", h, "a matched message")
	}
	var on *object.Base
	if c, _, _ := registry().InContext(ctx); c != nil && h != fast.MessageNoProc {
		on = &c.Base
	}
	StoreWord(uintptr(c), fast.MessageNull)
	return m, on, nil
}

func Mprobe(source, tag int, c *comm.Comm, st *request.Status) (MessageHandle, error) {
	m, err := c.Engine().Mprobe(&c.P2P, source, tag, st)
	if err != nil {
		return 0, err
	}
	return MessageHandle(m.Handle()), nil
}

func Improbe(source, tag int, c *comm.Comm, st *request.Status) (flag bool, h MessageHandle, err error) {
	m, ok, err := c.Engine().Improbe(&c.P2P, source, tag, st)
	if err != nil || !ok {
		return false, MessageHandle(fast.MessageNull), err
	}
	return true, MessageHandle(m.Handle()), nil
}

func Mrecv(b datatype.Buffer, cell MessageCell, st *request.Status) error {
	m, on, err := cell.take()
	if err != nil {
		return err
	}
	return object.Locate(on, m.Recv(b, st))
}

func Imrecv(b datatype.Buffer, cell MessageCell) (*request.Request, error) {
	m, on, err := cell.take()
	if err != nil {
		return nil, err
	}
	r, err := m.Irecv(b)
	return r, object.Locate(on, err)
}
