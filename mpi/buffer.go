package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p/buffered"
	"gompi/runtime/request"
	"gompi/runtime/session"
)

// Sends in buffered mode and the buffers for them (MPI 5.0, 3.4 and 3.6).

func Bsend(b datatype.Buffer, dest, tag int, c *comm.Comm) error {
	return buffers().Send(&c.P2P, b, dest, tag)
}

func Ibsend(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return buffers().Isend(&c.P2P, b, dest, tag)
}

// attach checks a buffer and attaches it.
func attach(to buffered.Owner, addr uintptr, size int64) error {
	switch {
	case addr == fast.BufferAutomatic:
		return buffers().Attach(to, addr, 0)
	case addr == 0 && size > 0:
		return mpierr.New(mpierr.ErrBuffer, "buffer is NULL, but size is %d", size)
	}
	if err := reach(mpierr.ErrBuffer, "buffer", addr, size, touchForWriting); err != nil {
		return err
	}
	return buffers().Attach(to, addr, size)
}

func BufferAttach(addr uintptr, size int64) error { return attach(buffered.Owner{}, addr, size) }

func BufferDetach() (uintptr, int64, error) { return buffers().Detach(buffered.Owner{}) }

func BufferFlush() error { return buffers().Flush(buffered.Owner{}) }

func BufferIflush() (*request.Request, error) { return buffers().Iflush(buffered.Owner{}) }

func CommAttachBuffer(c *comm.Comm, addr uintptr, size int64) error {
	return attach(buffered.OfContext(&c.P2P), addr, size)
}

func CommDetachBuffer(c *comm.Comm) (uintptr, int64, error) {
	return buffers().Detach(buffered.OfContext(&c.P2P))
}

func CommFlushBuffer(c *comm.Comm) error {
	return buffers().Flush(buffered.OfContext(&c.P2P))
}

func CommIflushBuffer(c *comm.Comm) (*request.Request, error) {
	return buffers().Iflush(buffered.OfContext(&c.P2P))
}

func SessionAttachBuffer(s *session.Session, addr uintptr, size int64) error {
	return attach(buffered.OfSession(s.ID()), addr, size)
}

func SessionDetachBuffer(s *session.Session) (uintptr, int64, error) {
	return buffers().Detach(buffered.OfSession(s.ID()))
}

func SessionFlushBuffer(s *session.Session) error {
	return buffers().Flush(buffered.OfSession(s.ID()))
}

func SessionIflushBuffer(s *session.Session) (*request.Request, error) {
	return buffers().Iflush(buffered.OfSession(s.ID()))
}
