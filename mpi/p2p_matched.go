package mpi

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

// Matched is a message that a probe has taken out of the matching, with the communicator it came in.
type Matched struct {
	message p2p.Message
	on      *object.Base // whose error handler hears of errors; nil for noProc
}

var messages = table[Matched]{kind: kindMessage}

// noProc stands for the message from MPI_PROC_NULL.
var noProc = &Matched{message: p2p.NoMessage}

func PutMessage(addr uintptr, m *Matched) {
	switch m {
	case nil:
		StoreWord(addr, messageNull)
	case noProc:
		StoreWord(addr, messageNoProc)
	default:
		h := messages.put(m)
		StoreWord(addr, h)
		if n := call(); n != nil {
			n.makes(h)
		}
	}
}

// MessageCell is a message handle that a call takes away.
type MessageCell uintptr

// take is the message that the cell names; nobody else gets it.
func (c MessageCell) take() (*Matched, error) {
	h := LoadWord(uintptr(c))
	m := noProc
	if h == messageNull {
		return nil, mpierr.New(mpierr.ErrRequest, "message is MPI_MESSAGE_NULL")
	}
	if h != messageNoProc {
		if m = messages.remove(h); m == nil {
			return nil, badHandle(mpierr.ErrRequest, "message", h, "a matched message")
		}
	}
	StoreWord(uintptr(c), messageNull)
	return m, nil
}

func Mprobe(source, tag int, c *comm.Comm, st *request.Status) (*Matched, error) {
	m, err := c.Engine().Mprobe(&c.P2P, source, tag, st)
	if err != nil {
		return nil, err
	}
	return matchedOf(m, c), nil
}

func Improbe(source, tag int, c *comm.Comm, st *request.Status) (flag bool, found *Matched, err error) {
	m, ok, err := c.Engine().Improbe(&c.P2P, source, tag, st)
	if err != nil || !ok {
		return false, nil, err
	}
	return true, matchedOf(m, c), nil
}

func matchedOf(m p2p.Message, c *comm.Comm) *Matched {
	if m == p2p.NoMessage {
		return noProc
	}
	return &Matched{m, &c.Base}
}

func Mrecv(b datatype.Buffer, cell MessageCell, st *request.Status) error {
	m, err := cell.take()
	if err != nil {
		return err
	}
	return object.Locate(m.on, engine().Mrecv(b, m.message, st))
}

func Imrecv(b datatype.Buffer, cell MessageCell) (*request.Request, error) {
	m, err := cell.take()
	if err != nil {
		return nil, err
	}
	r, err := engine().Imrecv(b, m.message)
	return r, object.Locate(m.on, err)
}
