package coll

import (
	"gompi/runtime/area"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Operations that move blocks, through shared memory. A rank that has something else for each other rank shows all of it
// in one piece, in the order of ranks without its own. Where blocks may differ in size, a table stands before them: for
// each rank uint32 where, behind the table, its block ends. What is too long is shown as a table of addresses (for each
// rank uint64 address, uint64 bytes), in steps or as a message. Where sizes may differ each rank decides by its own, and
// those who read what it shows do as its slot says.

// entry is the size of what stands for one rank in a table of addresses, or of parts in a step.
const entry = 16

func setEntry(table uintptr, r int, where uintptr, n int64) {
	at := table + uintptr(r)*entry
	*shm.Word64(at) = uint64(where)
	*shm.Word64(at + 8) = uint64(n)
}

// entryOf is what stands for this rank in the table of addresses of rank r.
func (s *sharing) entryOf(r int) (where uintptr, n int64) {
	at := s.data(r, int64(s.rank+1)*entry) + uintptr(s.rank)*entry
	return uintptr(*shm.Word64(at)), int64(*shm.Word64(at + 8))
}

// spread shows a block for each rank but this one: themselves, or by where they lie.
func (s *sharing) spread(b *Blocks) {
	total := b.others(s.size, s.rank)
	if head := headOf(s.a, b); total <= area.MaxData-head {
		if at, ok := s.place(head + total); ok {
			s.layOut(at, b, head)
			s.a.Publish()
		}
		return
	}
	s.lent = true
	s.took(tool.SingleCopy)
	gaps := int64(0) // bytes of the blocks that have to be packed
	for r := range s.size {
		if x := b.Of(r); r != s.rank && !x.Contiguous() {
			gaps += x.Bytes()
		}
	}
	packed := s.raw(gaps)
	table, ok := s.place(int64(s.size) * entry)
	if !ok {
		return
	}
	for r := range s.size {
		if r == s.rank {
			continue
		}
		x := b.Of(r)
		n := x.Bytes()
		where := x.Start()
		if !x.Contiguous() {
			where = packed.Addr
			pack(where, x, n)
			packed.Addr += uintptr(n)
		}
		setEntry(table, r, where, n)
	}
	s.a.PublishTable()
}

// headOf is the size of the table before blocks that are shown themselves: none is needed where all are alike.
func headOf(a *area.Area, b *Blocks) int64 {
	if b.Counts == nil {
		return 0
	}
	return int64(a.Size()) * shm.AreaEnd
}

// spreads tells whether the blocks for all ranks but me are shown themselves.
func spreads(a *area.Area, b *Blocks, me int) bool {
	if b.Counts == nil {
		x := b.Of(0)
		return x.Bytes()*int64(a.Size()) <= spreadShown // by what the stubs go as well, and all ranks alike
	}
	return b.others(a.Size(), me) <= area.MaxData-headOf(a, b)
}

// layOut writes the blocks for the others to at, behind a table of head bytes.
func (s *sharing) layOut(at uintptr, b *Blocks, head int64) {
	end := int64(0)
	for r := range s.size {
		if r != s.rank {
			x := b.Of(r)
			n := x.Bytes()
			pack(at+uintptr(head+end), x, n)
			end += n
		}
		if head > 0 {
			*shm.Word32(at + uintptr(r)*shm.AreaEnd) = uint32(end)
		}
	}
}

// fetch copies what rank r has spread for this rank to b. alike says that all blocks have the same size.
func (s *sharing) fetch(b datatype.Buffer, r int, alike bool) {
	if s.await(r, r+1); s.dead {
		return
	}
	switch {
	case s.stepped(r):
		s.note(mpierr.New(mpierr.ErrTruncate, "rank %d contributes more than the %d bytes that this rank expects", r, b.Bytes()))
	case s.a.Pointed(r):
		if where, n := s.entryOf(r); s.expect(r, n, b.Bytes()) {
			s.pull(b, r, where)
		}
	case alike:
		n := b.Bytes()
		if s.expect(r, s.a.Bytes(r)/int64(s.size-1), n) {
			place := s.rank
			if place > r {
				place--
			}
			s.take(b, s.data(r, n*int64(s.size-1))+uintptr(int64(place)*n))
		}
	default:
		s.fetchEntry(b, r)
	}
}

// fetchEntry is fetch of blocks that may differ in size. What should be a table may be anything where ranks
// do not call the same function.
func (s *sharing) fetchEntry(b datatype.Buffer, r int) {
	all, head := s.a.Bytes(r), int64(s.size)*shm.AreaEnd
	if all < head {
		s.expect(r, all, head+b.Bytes())
		return
	}
	table, begin := s.data(r, all), uint32(0)
	if s.rank > 0 {
		begin = *shm.Word32(table + uintptr(s.rank-1)*shm.AreaEnd)
	}
	end := *shm.Word32(table + uintptr(s.rank)*shm.AreaEnd)
	if begin > end || int64(end) > all-head {
		s.note(noTable(r))
	} else if s.expect(r, int64(end-begin), b.Bytes()) {
		s.take(b, table+uintptr(head)+uintptr(begin))
	}
}

// noTable is the error for a table of blocks that leads out of what a rank shows.
func noTable(r int) error {
	return mpierr.New(mpierr.ErrIntern,
		"what rank %d contributes is no list of blocks: it has called another function, or its memory is corrupted", r)
}

// allgatherShown is the largest contribution to an allgather or a gather that is shown at once.
const allgatherShown = 64 << 10

// spreadShown is how much a rank shows at once to all others together, whatever the table before it.
const spreadShown = area.MaxData - area.MaxRanks*entry

// sharedAllgather lets everybody read everybody's contribution.
func sharedAllgather(c *comm.Comm, a *area.Area, send datatype.Buffer, recv *Blocks) error {
	own := recv.Of(c.Rank())
	if send.InPlace() {
		send = own
	} else if err := distinct(send, own); err != nil {
		return err
	}
	s := begin(c, a)
	s.show(send)
	if send.Addr != own.Addr {
		s.copied(own, send)
	}
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		s.takeWhole(recv.Of(r), r)
	}
	return s.end(true)
}

// sharedAlltoall lets everybody read its block of what the others have.
func sharedAlltoall(c *comm.Comm, a *area.Area, send, recv *Blocks) error {
	s := begin(c, a)
	s.spread(send)
	s.copied(recv.Of(s.rank), send.Of(s.rank))
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		s.fetch(recv.Of(r), r, send.Counts == nil)
	}
	return s.end(true)
}

// sharedScatter shows everybody its part, on the root.
func sharedScatter(c *comm.Comm, a *area.Area, send *Blocks, recv datatype.Buffer) error {
	root := c.Rank()
	if !recv.InPlace() {
		if err := distinct(send.Of(root), recv); err != nil {
			return err
		}
	}
	if !spreads(a, send, root) && !(a.Direct() && a.Size() > scatterInSteps) {
		return steppedScatter(c, a, send, recv)
	}
	s := begin(c, a)
	s.spread(send)
	if !recv.InPlace() {
		s.copied(recv, send.Of(root))
	}
	return s.end(false)
}

// sharedPart takes what the root has for this rank, however it shows that. alike says that all parts have the same size.
func sharedPart(c *comm.Comm, a *area.Area, recv datatype.Buffer, root int, alike bool) error {
	s := stepping(c, a, recv.Bytes())
	if s.await(root, root+1); s.stepped(root) {
		return s.takeParts(recv, root)
	}
	s.fetch(recv, root, alike)
	return s.end(false)
}

// sharedGather has the root read what the others show.
func sharedGather(c *comm.Comm, a *area.Area, send datatype.Buffer, recv *Blocks, root int) error {
	if c.Rank() != root {
		s := begin(c, a)
		s.show(send)
		return s.end(false)
	}
	own := recv.Of(c.Rank())
	if !send.InPlace() {
		if err := distinct(send, own); err != nil {
			return err
		}
	}
	s := begin(c, a)
	if !send.InPlace() {
		s.copied(own, send)
	}
	told := false
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		s.takeWhole(recv.Of(r), r)
		if s.stepped(r) && !told { // it waits to be told how the root goes on
			s.show(datatype.Raw(0, 0))
			told = true
		}
	}
	return s.end(true)
}

// sharedGatherv has the root read what the others show, or receive what is too long for that: of it they show the size.
func sharedGatherv(c *comm.Comm, a *area.Area, send datatype.Buffer, recv *Blocks, root int) error {
	if c.Rank() == root && !send.InPlace() {
		if err := distinct(send, recv.Of(root)); err != nil {
			return err
		}
	}
	s := begin(c, a)
	s.tag = tagGather
	if s.rank != root {
		if n := send.Bytes(); n <= allgatherShown {
			s.show(send)
		} else if _, ok := s.place(0); ok {
			a.PublishSize(n)
			s.send(send, root)
		}
		return s.end(false)
	}
	if !send.InPlace() {
		s.copied(recv.Of(root), send)
	}
	var w wave
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		b := recv.Of(r)
		switch s.await(r, r+1); {
		case s.dead || a.Bytes(r) <= allgatherShown:
			s.takeWhole(b, r)
		case b.Bytes() == 0: // a mistake, which is told
			s.recv(b, r)
		default:
			w.recv(&s.Team, b, r)
			w.room(&s.Team)
		}
	}
	w.wait(&s.Team)
	return s.end(true)
}
