package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/request"
)

// Point-to-point communication (MPI 5.0, 3.2 to 3.10).

func Send(b datatype.Buffer, dest, tag int, c *comm.Comm) error {
	return c.Engine().Send(&c.P2P, b, dest, tag)
}

// Ssend is MPI_Ssend. begun, if not 0, is the handle of a send that has gone already.
func Ssend(b datatype.Buffer, dest, tag int, c *comm.Comm, begun uintptr) error {
	if begun != 0 {
		return c.Engine().Wait(lookupRequest(begun), nil)
	}
	return c.Engine().Ssend(&c.P2P, b, dest, tag)
}

// A send in ready mode may be done as any other send (MPI 5.0, 3.4).
func Rsend(b datatype.Buffer, dest, tag int, c *comm.Comm) error {
	return c.Engine().Send(&c.P2P, b, dest, tag)
}

func Recv(b datatype.Buffer, source, tag int, c *comm.Comm, st *request.Status) error {
	return c.Engine().Recv(&c.P2P, b, source, tag, st)
}

func Sendrecv(sb datatype.Buffer, dest, stag int, rb datatype.Buffer, source, rtag int, c *comm.Comm,
	st *request.Status) error {
	return c.Engine().Sendrecv(&c.P2P, sb, dest, stag, rb, source, rtag, st)
}

func SendrecvReplace(b datatype.Buffer, dst, stag, source, rtag int, c *comm.Comm,
	st *request.Status) error {
	return c.Engine().SendrecvReplace(&c.P2P, b, dst, stag, source, rtag, st)
}

func Isendrecv(sb datatype.Buffer, dst, stag int, rb datatype.Buffer, source, rtag int,
	c *comm.Comm) (*request.Request, error) {
	return c.Engine().Isendrecv(&c.P2P, sb, dst, stag, rb, source, rtag)
}

func IsendrecvReplace(b datatype.Buffer, dst, stag, source, rtag int,
	c *comm.Comm) (*request.Request, error) {
	return c.Engine().IsendrecvReplace(&c.P2P, b, dst, stag, source, rtag)
}

func Isend(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().Isend(&c.P2P, b, dest, tag)
}

func Issend(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().Issend(&c.P2P, b, dest, tag)
}

func Irsend(b datatype.Buffer, dest, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().Isend(&c.P2P, b, dest, tag)
}

func Irecv(b datatype.Buffer, source, tag int, c *comm.Comm) (*request.Request, error) {
	return c.Engine().Irecv(&c.P2P, b, source, tag)
}

func Probe(source, tag int, c *comm.Comm, st *request.Status) error {
	return c.Engine().Probe(&c.P2P, source, tag, st)
}

func Iprobe(source, tag int, c *comm.Comm, st *request.Status) (bool, error) {
	return c.Engine().Iprobe(&c.P2P, source, tag, st)
}

// undefined is MPI_UNDEFINED.
const undefined = -32766

// GetCount counts the whole elements received; the stub turns what does not fit into MPI_UNDEFINED (MPI
// 5.0, 3.2.5).
func GetCount(st request.Status, t *datatype.Type) (int64, error) {
	switch size := t.Size(); {
	case size == 0 && st.Bytes == 0:
		return 0, nil
	case size == 0 || st.Bytes%size != 0:
		return undefined, nil
	default:
		return st.Bytes / size, nil
	}
}
