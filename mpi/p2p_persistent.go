package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
)

// Persistent requests (MPI 5.0, 3.9), and the end of requests by other ways than their completion.

func SendInit(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().SendInit(&c.P2P, b, dest, tag, false)
}

func SsendInit(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().SendInit(&c.P2P, b, dest, tag, true)
}

// A send in ready mode may be done as any other send (MPI 5.0, 3.4).
func RsendInit(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().SendInit(&c.P2P, b, dest, tag, false)
}

func BsendInit(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return buffers().SendInit(&c.P2P, b, dest, tag)
}

func RecvInit(b datatype.Buffer, source, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().RecvInit(&c.P2P, b, source, tag)
}

// live is the request that a cell names, which must not be null.
func (c RequestCell) live() (*request.Request, error) {
	r, err := c.load()
	if r == nil && err == nil {
		err = mpierr.New(mpierr.ErrRequest, "request is MPI_REQUEST_NULL")
	}
	return r, err
}

func Start(cell RequestCell) error {
	r, err := cell.live()
	if err != nil {
		return err
	}
	startingRequest(cell)
	err = engine().Start(r)
	if err == nil {
		begun(r)
	}
	return locate(r.Key.Ctx, err)
}

func Startall(count int, cells RequestArray) error {
	for i := range count {
		r, err := cells.at(i).live()
		if err != nil {
			return mpierr.New(mpierr.ErrRequest, "array_of_requests[%d] is %#x, which is not a request that can be started", i, LoadWord(uintptr(cells.at(i))))
		}
		if engine().Begun(r) {
			continue
		}
		startingRequest(cells.at(i))
		if err := engine().Start(r); err != nil {
			return locate(r.Key.Ctx, err)
		}
		begun(r)
	}
	return nil
}

func RequestFree(cell RequestCell) error {
	r, err := cell.live()
	if err != nil {
		return err
	}
	context := r.Key.Ctx
	freeing(cell)
	err = engine().Free(r)
	cell.clear() // r is gone, also when the program's function for that has failed
	return locate(context, err)
}

func Cancel(cell RequestCell) error {
	r, err := cell.live()
	if err != nil {
		return err
	}
	cancelling(cell)
	return locate(r.Key.Ctx, engine().Cancel(r))
}
