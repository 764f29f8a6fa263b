package coll

import (
	"gompi/runtime/area"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// Reductions through shared memory. Of few elements, every rank that wants the outcome reads all contributions and
// combines them by itself; of many, every rank does so with its share. Both follow the order of the package.

// reduceShown is how much data a rank reads at most, in bytes, when all combine everything by themselves.
const reduceShown = 16 << 10

// reduceScatterShown is how much each rank contributes at most to a reduce-scatter that is shown at once.
const reduceScatterShown = 32 << 10

// isShown tells whether contributions of n bytes are shown in slots.
func isShown(a *area.Area, n int64) bool { return n*int64(a.Size()) <= reduceShown }

// reducesShared tells whether a reduction goes through shared memory: shown at once or in steps.
func reducesShared(a *area.Area, b datatype.Buffer) bool {
	if isShown(a, b.Bytes()) {
		return b.Contiguous()
	}
	return reducesInSteps(b)
}

// sharedReduce gives the outcome to this rank if it wants it (result is not nil). send is this rank's contribution, which
// may stand in result.
func sharedReduce(c *comm.Comm, a *area.Area, send datatype.Buffer, result *datatype.Buffer, o *op.Op) error {
	s := begin(c, a)
	s.show(send)
	if result == nil {
		return s.end(false)
	}
	s.await(0, s.size)
	s.combineShown(o, 0, *result)
	return s.end(true)
}

// combineShown combines what all ranks show, from element first on, to as many elements as result has.
func (s *sharing) combineShown(o *op.Op, first int64, result datatype.Buffer) {
	if s.dead {
		return
	}
	want := s.a.Bytes(s.rank)
	for r := range s.size {
		if !s.expect(r, s.a.Bytes(r), want) {
			return
		}
	}
	n := result.Bytes()
	g := arrange(s.size, -1)
	last := s.size - 1
	stride := (n + cacheLine - 1) &^ (cacheLine - 1)
	values := s.a.Scratch(int64(s.size) * stride)
	skip := uintptr(first * result.Type.Size())
	// at is where the value of a rank stands: in its slot as long as it is only read.
	at := func(r int) uintptr {
		switch {
		case r == last:
			return result.Start()
		case g.written(r):
			return values + uintptr(int64(r)*stride)
		}
		return s.data(r, int64(skip)+n) + skip
	}
	for r := range s.size {
		if r == last || g.written(r) {
			shm.Copy(at(r), s.data(r, int64(skip)+n)+skip, n)
		}
	}
	lb := uintptr(result.Type.TrueLB())
	g.combine(func(in, inout int) { o.Apply(at(in)-lb, at(inout)-lb, result.Count, result.Type) })
}

// written tells whether the value of a rank is combined with a lower one first, and so overwritten.
func (g groups) written(rank int) bool {
	if rank < 2*g.pairs {
		return rank&1 != 0
	}
	return g.count == 1 || g.of(rank)&1 != 0
}

// combine goes through the tree: apply combines the value of rank in with that of rank inout, where the outcome stays. In
// the end it stands where the value of the last rank stood.
func (g groups) combine(apply func(in, inout int)) {
	last := func(group int) int {
		if group < g.pairs {
			return 2*group + 1
		}
		return group + g.pairs
	}
	for group := range g.pairs {
		apply(2*group, 2*group+1)
	}
	for half := 1; half < g.count; half <<= 1 {
		for group := 0; group < g.count; group += 2 * half {
			apply(last(group+half-1), last(group+2*half-1))
		}
	}
}

// shareOut divides count elements among the ranks: what rank r gets.
func (s *sharing) shareOut(count int64, r int) share {
	const grain = 16 // elements, so that shares begin on cache lines
	each := (count/int64(s.size) + grain) &^ (grain - 1)
	from := min(int64(r)*each, count)
	return share{from, min(each, count-from)}
}

// sharedReduceScatter has every rank combine its own share of what all show, from element first on.
func sharedReduceScatter(c *comm.Comm, a *area.Area, all, recv datatype.Buffer, first int64, o *op.Op) error {
	s := begin(c, a)
	s.show(all)
	s.await(0, s.size)
	if recv.Count > 0 {
		s.combineShown(o, first, recv)
	}
	return s.end(true)
}

// scansShared is the area for a scan of b, nil when it goes by messages.
func scansShared(c *comm.Comm, b datatype.Buffer) *area.Area {
	n := b.Bytes()
	if n == 0 || !b.Type.Dense() {
		return nil
	}
	if a := sharedArea(c); a != nil && (isShown(a, n) || reducesInSteps(b)) {
		return a
	}
	return nil
}

// scanShared is a scan for which there is an area.
func scanShared(c *comm.Comm, a *area.Area, send, recv datatype.Buffer, o *op.Op, exclusive bool) error {
	if send.InPlace() {
		send = recv
	}
	if isShown(a, recv.Bytes()) {
		return sharedScan(c, a, send, recv, o, exclusive)
	}
	return steppedScan(c, a, send, recv, o, exclusive)
}

// sharedScan combines what the ranks up to this one show, without its own if exclusive.
func sharedScan(c *comm.Comm, a *area.Area, send, recv datatype.Buffer, o *op.Op, exclusive bool) error {
	s := begin(c, a)
	s.show(send)
	end := s.rank + 1
	if exclusive {
		end--
	}
	s.await(0, end)
	n := recv.Bytes()
	for r := range end {
		if s.dead || !s.expect(r, a.Bytes(r), n) {
			if !s.dead && s.stepped(0) { // which says how long all go on
				a.Close(stepsOfScan(a, recv.Type))
				return s.finish()
			}
			return s.end(false)
		}
	}
	// From the highest rank down, each is combined with all above it, which are in recv.
	lb := uintptr(recv.Type.TrueLB())
	for r := end - 1; r >= 0; r-- {
		if r == end-1 {
			shm.Copy(recv.Start(), s.data(r, n), n)
		} else {
			o.Apply(s.data(r, n)-lb, recv.Addr, recv.Count, recv.Type)
		}
	}
	return s.end(false)
}
