package main

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Sends in buffered mode and the buffers for them (MPI 5.0, 3.4 and 3.6).

// bufferAutomatic is MPI_BUFFER_AUTOMATIC.
const bufferAutomatic = 2

func mpiBsend(b datatype.Buffer, dest, tag int, c *comm.Comm) error {
	return c.Engine().Bsend(&c.P2P, b, dest, tag)
}

func mpiIbsend(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().Ibsend(&c.P2P, b, dest, tag)
}

// attach checks a buffer and attaches it to a communicator, or to the process when x is nil.
func attach(x *p2p.Context, addr uintptr, size int64) error {
	switch {
	case addr == bufferAutomatic:
		return engine().Attach(x, addr, 0, true)
	case addr == 0 && size > 0:
		return mpierr.New(mpierr.ErrBuffer, "buffer is NULL, but size is %d", size)
	}
	if size > 0 {
		touchForWriting(addr)
		touchForWriting(addr + uintptr(size) - 1)
	}
	return engine().Attach(x, addr, size, false)
}

func detach(x *p2p.Context) (uintptr, int64, error) { return engine().Detach(x) }

func mpiBuffer_attach(addr uintptr, size int64) error { return attach(nil, addr, size) }

func mpiBuffer_detach() (uintptr, int64, error) { return detach(nil) }

func mpiBuffer_flush() error { return engine().FlushBuffer(nil) }

func mpiBuffer_iflush() (*request.Request, error) { return engine().IflushBuffer(nil) }

func mpiComm_attach_buffer(c *comm.Comm, addr uintptr, size int64) error {
	return attach(&c.P2P, addr, size)
}

func mpiComm_detach_buffer(c *comm.Comm) (uintptr, int64, error) { return detach(&c.P2P) }

func mpiComm_flush_buffer(c *comm.Comm) error { return c.Engine().FlushBuffer(&c.P2P) }

func mpiComm_iflush_buffer(c *comm.Comm) (*request.Request, error) {
	return c.Engine().IflushBuffer(&c.P2P)
}
