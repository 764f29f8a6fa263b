package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
	"gompi/runtime/session"
)

// Sends in buffered mode and the buffers for them (MPI 5.0, 3.4 and 3.6).

// bufferAutomatic is MPI_BUFFER_AUTOMATIC.
const bufferAutomatic = 2

func Bsend(b datatype.Buffer, dest, tag int, c *comm.Comm) error {
	return c.Engine().Bsend(&c.P2P, b, dest, tag)
}

func Ibsend(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().Ibsend(&c.P2P, b, dest, tag)
}

// attach checks a buffer and attaches it.
func attach(to p2p.Owner, addr uintptr, size int64) error {
	switch {
	case addr == bufferAutomatic:
		return engine().Attach(to, addr, 0, true)
	case addr == 0 && size > 0:
		return mpierr.New(mpierr.ErrBuffer, "buffer is NULL, but size is %d", size)
	}
	if err := reach(mpierr.ErrBuffer, "buffer", addr, size, touchForWriting); err != nil {
		return err
	}
	return engine().Attach(to, addr, size, false)
}

func BufferAttach(addr uintptr, size int64) error { return attach(p2p.Owner{}, addr, size) }

func BufferDetach() (uintptr, int64, error) { return engine().Detach(p2p.Owner{}) }

func BufferFlush() error { return engine().FlushBuffer(p2p.Owner{}) }

func BufferIflush() (*request.Request, error) { return engine().IflushBuffer(p2p.Owner{}) }

func CommAttachBuffer(c *comm.Comm, addr uintptr, size int64) error {
	return attach(p2p.OfContext(&c.P2P), addr, size)
}

func CommDetachBuffer(c *comm.Comm) (uintptr, int64, error) {
	return c.Engine().Detach(p2p.OfContext(&c.P2P))
}

func CommFlushBuffer(c *comm.Comm) error {
	return c.Engine().FlushBuffer(p2p.OfContext(&c.P2P))
}

func CommIflushBuffer(c *comm.Comm) (*request.Request, error) {
	return c.Engine().IflushBuffer(p2p.OfContext(&c.P2P))
}

func SessionAttachBuffer(s *session.Session, addr uintptr, size int64) error {
	return attach(p2p.OfSession(s.ID()), addr, size)
}

func SessionDetachBuffer(s *session.Session) (uintptr, int64, error) {
	return engine().Detach(p2p.OfSession(s.ID()))
}

func SessionFlushBuffer(s *session.Session) error {
	return engine().FlushBuffer(p2p.OfSession(s.ID()))
}

func SessionIflushBuffer(s *session.Session) (*request.Request, error) {
	return engine().IflushBuffer(p2p.OfSession(s.ID()))
}
