package p2p

import (
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// Sendrecv sends and receives at once, so that a ring of ranks in which each does so cannot block
// (MPI_Sendrecv, MPI 5.0, 3.10). The send's error, if any, comes before the receive's.
func (e *Engine) Sendrecv(x *Context, sb datatype.Buffer, dst, stag int, rb datatype.Buffer, src, rtag int,
	st *request.Status) error {
	recv, err := e.Irecv(x, rb, src, rtag)
	if err != nil {
		return err
	}
	send, err := e.Isend(x, sb, dst, stag)
	if err != nil {
		return err
	}
	sendErr := e.Wait(send, nil)
	err = e.Wait(recv, st)
	if pends(err) {
		e.lock()
		err = e.abandon(recv, err)
		e.unlock()
	}
	if sendErr == nil {
		return err
	}
	return sendErr
}

// SendrecvReplace is Sendrecv with one buffer for both (MPI_Sendrecv_replace, MPI 5.0, 3.10).
func (e *Engine) SendrecvReplace(x *Context, b datatype.Buffer, dst, stag, src, rtag int,
	st *request.Status) error {
	n := b.Bytes()
	c, err := e.Scratch.Try(n)
	if err != nil {
		return mpierr.Memory(err)
	}
	if err := b.PackAt(0, c.Address(), n); err != nil {
		e.Scratch.Put(c)
		return err
	}
	err = e.Sendrecv(x, datatype.AsPacked(c.Address(), n), dst, stag, b, src, rtag, st)
	if lost := mpierr.CodeOf(err) == int(mpierr.ErrProcAborted) || IsLoss(err); !lost {
		e.Scratch.Put(c)
	} else {
		e.Scratch.Retire(c) // a dying peer may still read it
	}
	return err
}

// Isendrecv starts to send and to receive under one request (MPI_Isendrecv, MPI 5.0, 3.10).
func (e *Engine) Isendrecv(x *Context, sb datatype.Buffer, dst, stag int, rb datatype.Buffer,
	src, rtag int) (*request.Request, error) {
	e.lock()
	defer e.unlock()
	var recv, send *request.Request
	p, err := e.get(request.Pair)
	if err == nil && src != ProcNull {
		recv, err = e.get(request.Recv)
	}
	if err == nil && dst != ProcNull {
		send, err = e.NewSend(x, sb, dst, stag)
	}
	if err != nil {
		for _, r := range []*request.Request{p, recv} {
			if r != nil {
				e.Pool.Put(r)
			}
		}
		return nil, err
	}
	// one for this function, so that p is not done before both have begun
	p.Status, p.Left, p.Key.Ctx = procNullStatus, 1, x.ID
	if recv != nil {
		recv.Then, recv.Parent = true, p
		p.Left++
		e.expect(recv, x, rb, src, rtag)
		e.seek(recv)
	}
	if send != nil {
		send.Then, send.Parent = true, p
		p.Left++
		e.begin(send, false)
	}
	if p.Left--; p.Left == 0 {
		e.finish(p, p.Err)
	}
	return p, nil
}

// IsendrecvReplace is Isendrecv with one buffer for both (MPI_Isendrecv_replace, MPI 5.0, 3.10).
func (e *Engine) IsendrecvReplace(x *Context, b datatype.Buffer,
	dst, stag, src, rtag int) (*request.Request, error) {
	if err := shm.Afford(b.Bytes()); err != nil {
		return nil, mpierr.Memory(err)
	}
	staged := make([]byte, b.Bytes())
	if err := b.PackAt(0, shm.Address(staged), b.Bytes()); err != nil {
		return nil, err
	}
	p, err := e.Isendrecv(x, datatype.AsPacked(shm.Address(staged), b.Bytes()), dst, stag, b, src, rtag)
	if err == nil {
		p.Staged = staged // lives as long as its parts
	}
	return p, err
}
