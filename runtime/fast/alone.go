package fast

// Collective operations of communicators of one rank, which have no cells: what the rank contributes is what
// it gets. Operations without lists are carried out here, of data as small as in a segment. Buffers
// that are no memory are found out by package coll. The functions of the operations come here when there is
// no ring.

// mostAlone is how many bytes are moved here at most.
const mostAlone = 1 << 16

// alone is what stands for the ring of a communicator of one rank; nil for all others.
func (e *Endpoint) alone(comm, request uintptr) *CellRing {
	c := e.known(comm)
	if c == nil || request != Blocking && request < Lowest || e.Open == Closed ||
		e.Open == Random && e.refuses() {
		return nil
	}
	return c.Alone
}

// moveOwn carries out an operation of a pattern that moves n bytes, which may stay where they are. A request
// for it is done at once.
func (e *Endpoint) moveOwn(s *CellRing, p Pattern, to, from uintptr, n uint32, request uintptr) Reason {
	if n > mostAlone || to == from && !readable(to, n) {
		return NotPlain
	}
	if request != Blocking {
		if !settable(wordAt(request)) || !e.enter() {
			return NotPlain
		}
		if e.Free == e.RequestsMade {
			e.leave()
			return NoRoom
		}
	}
	how := NotPlain
	if to == from || tryMove(to, from, n) {
		how = Done
		s.Carried[p]++
	}
	if request != Blocking {
		if how == Done {
			*wordAt(request) = e.doneCollective(s)
		}
		e.leave()
	}
	return how
}

//fast:cold
func barrierAlone(e *Endpoint, comm, request uintptr) Reason {
	s := e.alone(comm, request)
	if s == nil {
		return NotPlain
	}
	return e.moveOwn(s, Meeting, 0, 0, 0, request)
}

//fast:cold
func bcastAlone(e *Endpoint, buffer uintptr, count int32, datatype uintptr, root int32,
	comm, request uintptr) Reason {
	s := e.alone(comm, request)
	n := e.size(buffer, count, datatype)
	if s == nil || n == 0 || root != 0 {
		return NotPlain
	}
	return e.moveOwn(s, FromRoot, buffer, buffer, n, request)
}

// blockAlone is an operation in which each rank has a block for each: the one of this rank goes from from to
// to. A buffer in place is left to package coll, as it is an error in some of these operations.
//
//fast:cold
func blockAlone(e *Endpoint, p Pattern, from uintptr, fromCount int32, fromType uintptr,
	to uintptr, toCount int32, toType uintptr, root int32, comm, request uintptr) Reason {
	s := e.alone(comm, request)
	if s == nil || root != 0 || from == inPlace || to == inPlace || from == to {
		return NotPlain
	}
	n := e.size(to, toCount, toType)
	if n == 0 || e.size(from, fromCount, fromType) != n {
		return NotPlain
	}
	return e.moveOwn(s, p, to, from, n, request)
}

// reduceAlone is a reduction or an inclusive scan.
//
//fast:cold
func reduceAlone(e *Endpoint, p Pattern, sendbuf, recvbuf uintptr, count int32, datatype, op uintptr,
	root int32, comm, request uintptr) Reason {
	s := e.alone(comm, request)
	if s == nil || root != 0 || recvbuf < Lowest {
		return NotPlain
	}
	own, r := e.contribution(sendbuf, recvbuf, count, datatype, op, mostAlone)
	if r.kind == 0 || r.gaps != nil {
		return NotPlain
	}
	return e.moveOwn(s, p, recvbuf, own, r.bytes, request)
}
