package fast

// Matched probes and receives (MPI 5.0, 3.8). A message that a probe has matched is a record that is not
// filed any more, and that its handle names.

// The shape of the handles of messages, and the predefined ones.
const (
	messageFlag   uintptr = 1 << 30
	messageGens           = 1<<8 - 1
	MessageNull   uintptr = 0x128
	MessageNoProc uintptr = 0x129
)

// MessageHandle is the handle of message i.
func (t *UnexpectedTable) MessageHandle(i uint32) uintptr {
	return messageFlag | uintptr(t.Message(i).Gen&messageGens)<<messageBits | uintptr(i)
}

// Matched is the message behind a handle; NoRequest when there is none.
func (t *UnexpectedTable) Matched(handle uintptr) uint32 {
	i := uint32(handle & (1<<messageBits - 1))
	if i >= t.MessagesMade || t.Message(i).Flags&Taken == 0 || t.MessageHandle(i) != handle {
		return NoRequest
	}
	return i
}

// TakeOut takes message i out of the matching for the probe that has matched it.
func (t *UnexpectedTable) TakeOut(i uint32) {
	t.Unfile(i)
	t.Message(i).Flags |= Taken
}

// probeToTake is probe that takes the message out of the matching, and writes its handle to message. It
// leaves the message there where message is 0.
func (e *Endpoint) probeToTake(c *Comm, source, tag int32, message uintptr, status *Status) step {
	s := e.probe(c, source, tag, nil, status)
	if s != advanced || message == 0 {
		return s
	}
	if source == ProcNull {
		*wordAt(message) = MessageNoProc
		return s
	}
	i := e.UnexpectedFor(c.Ctx, source, tag)
	if i == NoRequest { // it is the next packet
		m := e.current().read(e.head())
		i = e.FreeMessage
		s = e.keepPacket(e.current(), &m)
	}
	if s == advanced {
		e.TakeOut(i)
		*wordAt(message) = e.MessageHandle(i)
	}
	return s
}

// Mprobe is MPI_Mprobe (MPI 5.0, 3.8.2).
func Mprobe(e *Endpoint, source, tag int32, comm, message uintptr, status *Status) Reason {
	if message < Lowest {
		return NotPlain
	}
	return e.awaitProbe(source, tag, comm, message, status)
}

// Improbe is MPI_Improbe (MPI 5.0, 3.8.2).
func Improbe(e *Endpoint, source, tag int32, comm uintptr, flag *int32, message uintptr,
	status *Status) Reason {
	c := e.comm(comm)
	if c == nil || nowhere(flag) || message < Lowest || nowhereElse(status) ||
		!e.receives(c, source, tag) || !e.enterToAsk() {
		return NotPlain
	}
	how := Done
	s := e.probeToTake(c, source, tag, message, status)
	if s == advanced {
		e.Act()
		*flag = 1
	} else {
		how = e.answer(s, flag)
		if how == Done {
			*wordAt(message) = MessageNull
		}
	}
	e.leave()
	return how
}

// Mrecv is MPI_Mrecv (MPI 5.0, 3.8.3).
func Mrecv(e *Endpoint, buf uintptr, count int32, datatype, message uintptr, status *Status) Reason {
	room, t := e.sized(buf, count, datatype)
	if room == noSize || message < Lowest || nowhereElse(status) || !e.enter() {
		return NotPlain
	}
	how := NeedsEngine
	i := e.Matched(*wordAt(message))
	if i != NoRequest {
		how = e.recvKept(i, buf, t, room, status)
	} else if *wordAt(message) == MessageNoProc {
		status.setNobody()
		how = Done
	}
	if how == Done {
		*wordAt(message) = MessageNull
	}
	e.leave()
	return how
}

// Imrecv is MPI_Imrecv (MPI 5.0, 3.8.3).
func Imrecv(e *Endpoint, buf uintptr, count int32, datatype, message uintptr, request *uintptr) Reason {
	room, t := e.sized(buf, count, datatype)
	if room == noSize || message < Lowest || nowhere(request) || !e.enter() {
		return NotPlain
	}
	how := NeedsEngine
	i := e.Matched(*wordAt(message))
	if i != NoRequest && e.Free != e.RequestsMade && e.receiveKept(i, buf, room, t) {
		r := e.firstFree()
		r.receiveFrom(e.Message(i))
		*request = e.handle(e.index(r))
		*wordAt(message) = MessageNull
		how = Done
	}
	e.leave()
	return how
}
