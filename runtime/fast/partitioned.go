package fast

// Partitioned communication (MPI 5.0, chapter 4) whose data fits into one packet and has no gaps. It is one
// message: the last MPI_Pready sends it, and with it all partitions have arrived. Package partitioned makes
// the requests, and leaves them here between two rounds as long as that can be so. A message of another size
// says that the sender sends its partitions one by one, which package partitioned deals with.

// Parts is the partitions of a send. A mark for each follows it: the last round in which it was ready.
type Parts struct {
	Count  uint32 // partitions
	Left   uint32 // those that are not ready in this round
	Round  uint32
	unused uint32
}

// startParts starts a round of a partitioned send.
//
//fast:cold
func (e *Endpoint) startParts(r *Request) Reason {
	p := r.parts()
	p.Round++
	p.Left = p.Count
	r.State = Unready
	e.Unready++
	return Done
}

// partial reports whether some partitions are ready and others are not.
func (p *Parts) partial() bool { return p.Left != 0 && p.Left != p.Count }

// mayBeReady reports whether partitions low to high are those of a send, and none of them is ready.
func (p *Parts) mayBeReady(low, high int32) bool {
	if low < 0 || low > high || uint32(high) >= p.Count {
		return false
	}
	for i := low; i <= high; i++ {
		if p.IsReady(uint32(i)) {
			return false
		}
	}
	return true
}

// unready is the partitioned send behind a handle that has been started; nil when there is none.
func (t *RequestTable) unready(request uintptr) *Request {
	r := t.named(request)
	if r == nil || r.State != Unready {
		return nil
	}
	return r
}

// ready notes that n partitions have been marked as ready. With the last ones the message goes. It reports
// false where package p2p has to send it. It has to after a death that it does not know of: rounds may follow
// each other without a wait, in which it would hear of that.
//
//fast:hot
func (e *Endpoint) ready(r *Request, n uint32) bool {
	p := r.parts()
	wasPartial := p.partial()
	p.Left -= n
	if p.Left == 0 && (uint32(r.Size) > e.MostEager || !e.heardAll() ||
		e.put(r.Ctx, r.Src, r.Peer, r.Buf, nil, uint32(r.Size), r.Tag, NoRequest, 0) != Done) {
		p.Left += n
		return false
	}
	if p.Left == 0 {
		r.State = Sent
		e.Unready--
	}
	if p.partial() != wasPartial {
		if wasPartial {
			e.Partial--
		} else {
			e.Partial++
		}
	}
	return true
}

// mark marks partitions low to high.
func (p *Parts) mark(low, high int32, as uint32) {
	for i := low; i <= high; i++ {
		*p.MarkAt(uint32(i)) = as
	}
}

// Pready is MPI_Pready (MPI 5.0, 4.2.1).
func Pready(e *Endpoint, partition int32, request uintptr) Reason {
	return PreadyRange(e, partition, partition, request)
}

// PreadyRange is MPI_Pready_range.
func PreadyRange(e *Endpoint, low, high int32, request uintptr) Reason {
	if !e.enter() {
		return NotPlain
	}
	how := NotPlain
	r := e.unready(request)
	if r != nil && r.parts().mayBeReady(low, high) {
		p := r.parts()
		if e.ready(r, uint32(high-low)+1) {
			p.mark(low, high, p.Round)
			how = Done
		}
	}
	e.leave()
	return how
}

// PreadyList is MPI_Pready_list.
func PreadyList(e *Endpoint, length int32, partitions *int32, request uintptr) Reason {
	if length <= 0 || nowhere(partitions) || !e.enter() {
		return NotPlain
	}
	how := NotPlain
	r := e.unready(request)
	if r != nil {
		p := r.parts()
		n := int32(0)
		for ; n < length; n++ {
			i := *intAt(partitions, n)
			if !p.mayBeReady(i, i) {
				break
			}
			p.mark(i, i, p.Round) // so that one that comes twice is found
		}
		if n == length && e.ready(r, uint32(n)) {
			how = Done
		} else {
			for ; n > 0; n-- {
				i := *intAt(partitions, n-1)
				p.mark(i, i, p.Round-1)
			}
		}
	}
	e.leave()
	return how
}

// Parrived is MPI_Parrived (MPI 5.0, 4.2.2).
func Parrived(e *Endpoint, request uintptr, partition int32, flag *int32) Reason {
	if nowhere(flag) || !e.enterToAsk() {
		return NotPlain
	}
	how := NotPlain
	r := e.named(request)
	if r != nil && uint32(partition) < r.Partitions() {
		if r.State == Inactive {
			e.Act()
			*flag = 1
			how = Done
		} else if r.State == Posted || r.State == Received {
			how = e.ask(r, flag)
		}
	}
	e.leave()
	return how
}

// Partitions is how many partitions a receive has; 0 for what is no partitioned receive of this package.
func (r *Request) Partitions() uint32 {
	if r.Flags&(Partitioned|Sends) != Partitioned {
		return 0
	}
	return r.Peer
}

// isWhole reports whether a message of that size for a receive is no sign that partitions come one by one.
func (r *Request) isWhole(size uint64) bool { return r.Flags&Partitioned == 0 || size == r.Size }

// receivePartitions makes a partitioned receive one that is done.
func (r *Request) receivePartitions() { r.receive(r.Src, r.Self, uint32(r.Size)) }

// EndUnready takes a send back that is Unready: package p2p goes on with it.
func (t *RequestTable) EndUnready(r *Request) {
	t.Unready--
	if r.parts().partial() {
		t.Partial--
	}
}

// IsPartial reports whether request i is a partitioned send of which some partitions are ready and others are
// not.
func (t *RequestTable) IsPartial(i uint32) bool {
	r := t.Request(i)
	return r.State == Unready && r.parts().partial()
}

// IsReady reports whether partition i is ready in the round that is under way.
func (p *Parts) IsReady(i uint32) bool { return *p.MarkAt(i) == p.Round }
