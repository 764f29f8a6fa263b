package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// Sendrecv sends and receives at once, so that a ring of ranks in which each does so cannot block (MPI_Sendrecv,
// MPI 5.0, 3.10). The send's error, if any, comes before the receive's.
func (e *Engine) Sendrecv(x *Context, sb datatype.Buffer, dst, stag int, rb datatype.Buffer, src, rtag int, st *request.Status) error {
	recv, err := e.Irecv(x, rb, src, rtag)
	if err != nil {
		return err
	}
	send, err := e.Isend(x, sb, dst, stag)
	if err != nil {
		return err
	}
	sendErr := e.Wait(send, nil)
	if err := e.Wait(recv, st); sendErr == nil {
		return err
	}
	return sendErr
}
