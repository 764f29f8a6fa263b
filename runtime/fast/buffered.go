package fast

import "sync/atomic"

// Sends in buffered mode (MPI 5.0, 3.4 and 3.6). A message that finds room in its ring, or is one to the rank
// itself, has gone, as in standard mode, and takes no room in the attached buffer; there has to be some all
// the same. Any other is left to package p2p.

// Bsend is MPI_Bsend.
func Bsend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr) Reason {
	size, t := e.sized(buf, count, datatype)
	if size >= atomic.LoadUint32(&e.BufferRoom) {
		return NotPlain
	}
	return sendData(e, buf, t, size, dest, tag, comm)
}

// Ibsend is MPI_Ibsend (MPI 5.0, 3.7.2).
func Ibsend(e *Endpoint, buf uintptr, count int32, datatype uintptr, dest, tag int32, comm uintptr,
	request *uintptr) Reason {
	size, t := e.sized(buf, count, datatype)
	if size >= atomic.LoadUint32(&e.BufferRoom) {
		return NotPlain
	}
	return isendData(e, buf, t, size, dest, tag, comm, Buffered, request)
}
