package main

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Matched probes and receives (MPI 5.0, 3.8).

// Predefined message handles of the standard ABI.
const (
	messageNull   = 0x128
	messageNoProc = 0x129
)

// matched is a message that a probe has taken out of the matching, with the communicator it came in.
type matched struct {
	message *p2p.Message
	on      *object.Base // whose error handler hears of errors; nil for noProc
}

var messages = table[matched]{kind: kindMessage}

// noProc stands for the message from MPI_PROC_NULL.
var noProc = &matched{}

func putMessage(addr uintptr, m *matched) {
	switch m {
	case nil:
		storeWord(addr, messageNull)
	case noProc:
		storeWord(addr, messageNoProc)
	default:
		storeWord(addr, messages.put(m))
	}
}

// messageCell is a message handle that a call takes away.
type messageCell uintptr

// take is the message that the cell names; nobody else gets it.
func (c messageCell) take() (*matched, error) {
	h := loadWord(uintptr(c))
	m := noProc
	if h == messageNull {
		return nil, mpierr.New(mpierr.ErrRequest, "message is MPI_MESSAGE_NULL")
	}
	if h != messageNoProc {
		if m = messages.remove(h); m == nil {
			return nil, badHandle(mpierr.ErrRequest, "message", h, "a matched message")
		}
	}
	storeWord(uintptr(c), messageNull)
	return m, nil
}

func mpiMprobe(source, tag int, c *comm.Comm, st *request.Status) (*matched, error) {
	m, err := c.Engine().Mprobe(&c.P2P, source, tag, st)
	if err != nil {
		return nil, err
	}
	return matchedOf(m, c), nil
}

func mpiImprobe(source, tag int, c *comm.Comm, st *request.Status) (flag bool, found *matched, err error) {
	m, ok, err := c.Engine().Improbe(&c.P2P, source, tag, st)
	if err != nil || !ok {
		return false, nil, err
	}
	return true, matchedOf(m, c), nil
}

func matchedOf(m *p2p.Message, c *comm.Comm) *matched {
	if m == nil {
		return noProc
	}
	return &matched{m, &c.Base}
}

func mpiMrecv(b datatype.Buffer, cell messageCell, st *request.Status) error {
	m, err := cell.take()
	if err != nil {
		return err
	}
	return object.Locate(m.on, engine().Mrecv(b, m.message, st))
}

func mpiImrecv(b datatype.Buffer, cell messageCell) (*request.Request, error) {
	m, err := cell.take()
	if err != nil {
		return nil, err
	}
	r, err := engine().Imrecv(b, m.message)
	return r, object.Locate(m.on, err)
}
