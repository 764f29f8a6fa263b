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

// isShown tells whether contributions of n bytes are shown in slots.
func isShown(a *area.Area, n int64) bool { return n*int64(a.Size()) <= reduceShown }

// reducesShared tells whether a reduction goes through shared memory; most is up to where it does.
func reducesShared(a *area.Area, b datatype.Buffer, most int64) bool {
	n := b.Bytes()
	return isShown(a, n) && b.Contiguous() || a.Direct() && n >= reduceDirect && n <= most && b.Type.Dense()
}

// sharedReduce gives the outcome to this rank if it wants it (result is not nil). everybody says that all do; if not,
// only root does. send is this rank's contribution, which may stand in result.
func sharedReduce(c *comm.Comm, a *area.Area, send datatype.Buffer, result *datatype.Buffer, o *op.Op, root int) error {
	if !isShown(a, send.Bytes()) {
		if root < 0 {
			return directAllreduce(c, a, send, *result, o)
		}
		return directReduce(c, a, send, result, o, root)
	}
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
		return s.a.Data(r) + skip
	}
	for r := range s.size {
		if r == last || g.written(r) {
			shm.Copy(at(r), s.a.Data(r)+skip, n)
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

// seat is the place in the tree that a rank takes which may not overwrite its value: its own, or, if the operation
// commutes, that of the rank with which it is combined first.
func (g groups) seat(rank int, commutes bool) int {
	single := rank >= 2*g.pairs
	if commutes && g.written(rank) && g.count > 1 && (!single || rank-1 >= 2*g.pairs) {
		return rank - 1
	}
	return rank
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

// directStep is how many bytes of each contribution are combined at a time, so that they stay in the cache.
const directStep = 512 << 10

// combineDirect combines a share of all contributions, which lie where their ranks say, piece by piece. The outcome goes
// to where put says, which is given the number of the first element in the share and that of elements; and if put says
// nil, to take.
func (s *sharing) combineDirect(o *op.Op, send datatype.Buffer, mine share, put func(at, n int64) datatype.Buffer, take func(part datatype.Buffer, at int64)) {
	s.await(0, s.size)
	if s.dead || mine.count == 0 {
		return
	}
	for r := range s.size {
		if r != s.rank && !s.expect(r, s.a.Bytes(r), send.Bytes()) {
			return
		}
	}
	t := send.Type
	step := max(directStep/t.Size(), 1)
	room := s.like(datatype.Buffer{Count: min(step, mine.count) * int64(s.size), Type: t})
	g := arrange(s.size, -1)
	seat := g.seat(s.rank, o.Commutative())
	for at := int64(0); at < mine.count && !s.dead; at += step {
		n := min(step, mine.count-at)
		own := send.Slice(mine.from+at, n)
		last := room.Slice(int64(s.size-1)*n, n)
		to := put(at, n)
		if to.Count > 0 && (to.Addr != own.Addr || seat == s.size-1) {
			last = to
		}
		value := func(place int) datatype.Buffer {
			switch {
			case place == s.size-1:
				return last
			case place == seat && !g.written(place):
				return own
			}
			return room.Slice(int64(place)*n, n)
		}
		for i := 1; i < s.size; i++ {
			r := (s.rank + i) % s.size
			place := r
			if r == seat {
				place = s.rank // whose seat this rank has taken
			}
			v := value(place)
			s.read(r, v.Start(), s.a.Where(r)+uintptr((mine.from+at)*t.Extent()), v.Bytes())
		}
		if v := value(seat); v.Addr != own.Addr {
			s.copy(v, own)
		}
		g.combine(func(in, inout int) { s.apply(o, value(in), value(inout)) })
		switch {
		case to.Count == 0:
			take(last, at)
		case to.Addr != last.Addr:
			s.copy(to, last)
		}
	}
}

// directAllreduce has every rank combine its share, and then read the others'.
func directAllreduce(c *comm.Comm, a *area.Area, send, recv datatype.Buffer, o *op.Op) error {
	s := begin(c, a)
	s.point(send)
	mine := s.shareOut(recv.Count, s.rank)
	s.combineDirect(o, send, mine, func(at, n int64) datatype.Buffer { return recv.Slice(mine.from+at, n) }, nil)
	if s.dead {
		return s.finish()
	}
	a.Done(true)
	a.Begin() // who has come here does not read contributions any more
	s.point(recv)
	if send.Addr == recv.Addr {
		s.await(0, s.size) // until nobody reads what this rank's recv held
	}
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		theirs := s.shareOut(recv.Count, r)
		if s.await(r, r+1); s.dead {
			break
		}
		s.pull(recv.Slice(theirs.from, theirs.count), r, theirs.from*recv.Type.Extent())
	}
	return s.end(true)
}

// directReduce has every rank combine its share and write it to the root's memory.
func directReduce(c *comm.Comm, a *area.Area, send datatype.Buffer, result *datatype.Buffer, o *op.Op, root int) error {
	s := begin(c, a)
	if s.room(); s.dead {
		return s.finish()
	}
	if result != nil {
		*shm.Word64(a.Data(s.rank)) = uint64(result.Start())
	}
	s.point(send)
	mine := s.shareOut(send.Count, s.rank)
	none := datatype.Buffer{Type: send.Type}
	s.combineDirect(o, send, mine, func(at, n int64) datatype.Buffer {
		if result != nil {
			return result.Slice(mine.from+at, n)
		}
		return none
	}, func(part datatype.Buffer, at int64) {
		to := uintptr(*shm.Word64(a.Data(root))) + uintptr((mine.from+at)*send.Type.Extent())
		s.write(root, to, part.Start(), part.Bytes())
	})
	return s.end(true)
}

// sharedReduceScatter has every rank combine its own share of what all show.
func sharedReduceScatter(c *comm.Comm, a *area.Area, all, recv datatype.Buffer, mine share, inPlace bool, o *op.Op) error {
	s := begin(c, a)
	to := recv.Slice(0, mine.count)
	if all.Bytes() <= area.MaxData {
		s.show(all)
		s.await(0, s.size)
		if mine.count > 0 {
			s.combineShown(o, mine.from, to)
		}
		return s.end(true)
	}
	s.point(all)
	if inPlace { // others still read what stands where the outcome goes
		to = s.like(to)
	}
	s.combineDirect(o, all, mine, func(at, n int64) datatype.Buffer { return to.Slice(at, n) }, nil)
	if s.dead {
		return s.finish()
	}
	a.Done(true)
	s.drain(0, s.size)
	if inPlace {
		s.copy(recv.Slice(0, mine.count), to)
	}
	return s.finish()
}

// scansShared is the area for a scan of b, nil when it goes by messages.
func scansShared(c *comm.Comm, b datatype.Buffer) *area.Area {
	if n := b.Bytes(); n == 0 || !b.Type.Dense() || n > reduceShown {
		return nil
	}
	if a := sharedArea(c); a != nil && isShown(a, b.Bytes()) {
		return a
	}
	return nil
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
			return s.end(false)
		}
	}
	// From the highest rank down, each is combined with all above it, which are in recv.
	lb := uintptr(recv.Type.TrueLB())
	for r := end - 1; r >= 0; r-- {
		if r == end-1 {
			shm.Copy(recv.Start(), a.Data(r), n)
		} else {
			o.Apply(a.Data(r)-lb, recv.Addr, recv.Count, recv.Type)
		}
	}
	return s.end(false)
}
