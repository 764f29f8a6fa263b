package node

import (
	"math"

	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/collseg"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/tool"
	"gompi/shm"
)

// Operations that move blocks, through shared memory. A rank that has something else for each other rank
// publishes all of it in one piece, in the order of ranks without its own. Where blocks may differ in size, a
// table stands before them: for each rank uint32 where, behind the table, its block ends. What is too long is
// published as a table of addresses (for each rank uint64 address, uint64 bytes), in steps or as a message.
// Where sizes may differ each rank decides by its own, and those who read what it publishes do as its cell
// says.

// EntrySize is the size of what stands for one rank in a table of addresses, or of parts in a step.
const EntrySize = 16

func setEntry(table uintptr, r int, where uintptr, n int64) {
	at := table + uintptr(r)*EntrySize
	*shm.Word64(at) = uint64(where)
	*shm.Word64(at + 8) = uint64(n)
}

// entryOf is entry i in the table of addresses of rank r, which has n entries.
func (s *cellOp) entryOf(r, i, n int) (where uintptr, size int64) {
	at, length := s.a.Contribution(r)
	if length != int64(n)*EntrySize {
		at = fast.NoData
	}
	if !s.inside(r, at) {
		return 0, 0
	}
	at += uintptr(i) * EntrySize
	return uintptr(*shm.Word64(at)), int64(*shm.Word64(at + 8))
}

// spread publishes a block for each rank but this one: themselves, or by where they lie.
func (s *cellOp) spread(b *partition.Blocks, w collseg.Route) {
	if w == collseg.Single {
		s.publishBlockAddresses(b)
		return
	}
	head := headOf(s.a, b)
	if at, ok := s.reserve(head + b.Others(s.Size, s.Rank)); ok {
		s.write(at, b, head > 0)
		s.a.Publish()
	}
}

// publishBlockAddresses publishes where the blocks for the others lie. Those with gaps are packed.
func (s *cellOp) publishBlockAddresses(b *partition.Blocks) {
	s.drainOf(0, s.Size)
	s.CountAlgorithm(tool.SingleCopy)
	gaps := int64(0) // bytes of the blocks that have to be packed
	for r := range s.Size {
		if x := b.Of(r); r != s.Rank && !x.Contiguous() {
			gaps += x.Bytes()
		}
	}
	packed := s.Raw(gaps)
	table, ok := s.reserve(int64(s.Size) * EntrySize)
	if !ok {
		return
	}
	for r := range s.Size {
		if r == s.Rank {
			continue
		}
		x := b.Of(r)
		n := x.Bytes()
		where := x.Start()
		if !x.Contiguous() {
			where = packed.Addr
			x.PackTo(0, where, n)
			packed.Addr += uintptr(n)
		}
		setEntry(table, r, where, n)
	}
	s.a.PublishTable()
}

// headOf is the size of the table before blocks that are published themselves: none is needed where all are
// alike.
func headOf(a *collseg.Segment, b *partition.Blocks) int64 {
	if b.Counts == nil {
		return 0
	}
	return int64(a.Size()) * fast.TableEntry
}

// write writes the blocks for the others to at, behind a table if there is to be one.
func (s *cellOp) write(at uintptr, b *partition.Blocks, table bool) {
	others := func(r int) (datatype.Buffer, bool) { return b.Of(r), r != s.Rank }
	if table {
		put := func(addr uintptr, b datatype.Buffer, n int64) { b.PackTo(0, addr, n) }
		layOut(at, s.Size, math.MaxInt64, others, put, nil)
		return
	}
	for r := range s.Size {
		if x, ok := others(r); ok {
			n := x.Bytes()
			x.PackTo(0, at, n)
			at += uintptr(n)
		}
	}
}

// fetch copies what rank r has spread for this rank to b. alike says that all blocks have the same size.
func (s *cellOp) fetch(b datatype.Buffer, r int, alike bool) {
	if s.await(r, r+1); s.Dead {
		return
	}
	switch {
	case s.stepped(r):
		s.Note(mpierr.New(mpierr.ErrTruncate, "rank %d contributes more than the %d bytes that this rank expects", r, b.Bytes()))
	case s.a.HasPointers(r):
		if where, n := s.entryOf(r, s.Rank, s.Size); s.expect(r, n, b.Bytes()) {
			s.pull(b, r, where)
		}
	case alike:
		n := b.Bytes()
		at, length := s.a.Contribution(r)
		if s.expect(r, length/int64(s.Size-1), n) && s.inside(r, at) {
			s.take(b, at+uintptr(fast.BlockFor(uint32(r), uint32(s.Rank)))*uintptr(n))
		}
	default:
		table, length := s.a.Contribution(r)
		if !s.inside(r, table) {
			return
		}
		if length == 0 {
			s.expect(r, 0, b.Bytes())
			return
		}
		offset, n := fast.BlockIn(table, uint32(length), uint32(s.Size), uint32(s.Rank))
		if n >= fast.TableMessage {
			s.Note(schedule.Malformed(r))
		} else if s.expect(r, int64(n), b.Bytes()) {
			s.take(b, table+uintptr(offset))
		}
	}
}

// Allgather lets everybody read everybody's contribution.
func (g Group) Allgather(send datatype.Buffer, recv *partition.Blocks) error {
	own := recv.Of(g.Rank)
	if send.InPlace() {
		send = own
	} else if err := partition.Distinct(send, own); err != nil {
		return err
	}
	if g.how != (Choice{By: tool.Cells}) {
		s := g.stepping(recv.Total(g.Size))
		s.allgather(send, recv, recv.Largest(g.Size))
		return nil
	}
	s := g.cells()
	if !s.publishEmpty() {
		s.publish(send)
	}
	if send.Addr != own.Addr {
		s.copied(own, send)
	}
	for i := 1; i < s.Size; i++ {
		r := (s.Rank + i) % s.Size
		s.takeWhole(recv.Of(r), r)
	}
	s.end(true)
	return nil
}

// AlltoallAtOnce lets everybody read its block of what the others have.
func (g Group) AlltoallAtOnce(send, recv *partition.Blocks) {
	s := g.cells()
	out := partition.Outgoing(send, recv)
	s.spread(out, collseg.Shared)
	if out != recv {
		s.copied(recv.Of(s.Rank), out.Of(s.Rank))
	}
	for i := 1; i < s.Size; i++ {
		r := (s.Rank + i) % s.Size
		s.fetch(recv.Of(r), r, out.Counts == nil)
	}
	s.end(true)
}

// Scatter publishes everybody its part, on the root, which the others take, however it does so. alike
// says that all parts have the same size.
func (g Group) Scatter(send *partition.Blocks, recv datatype.Buffer, root int, alike bool) error {
	a := g.a
	if g.Rank != root {
		s := g.stepping(recv.Bytes())
		if s.await(root, root+1); s.stepped(root) {
			s.takeParts(recv, root)
		} else {
			s.fetch(recv, root, alike)
			s.end(false)
		}
		return nil
	}
	if err := partition.Distinct(send.Of(root), recv); err != nil {
		return err
	}
	s := g.stepping(0)
	if s.publishEmpty() {
		s.end(false)
		return nil
	}
	first := collseg.Shared
	atOnce := g.how.By == tool.Cells
	if !atOnce && !a.Crowded() && a.Size() > scatterInSteps {
		first = collseg.Single
	}
	route := s.routeAtRoot(collseg.Scatters, send.Largest(s.Size), first, send.Dense(s.Size, root))
	if route == collseg.Shared && !atOnce {
		s.scatter(send, recv)
		return nil
	}
	s.spread(send, route)
	s.copied(recv, send.Of(root))
	s.end(false)
	return nil
}

// GatherAtOnce has the root read what the others publish.
func (g Group) GatherAtOnce(send datatype.Buffer, recv *partition.Blocks, root int) error {
	if g.Rank != root {
		s := g.cells()
		if !s.publishEmpty() && !s.publishesAddressTo(collseg.Gathers, send, root) {
			s.publish(send)
		}
		s.end(false)
		return nil
	}
	own := recv.Of(root)
	if err := partition.Distinct(send, own); err != nil {
		return err
	}
	s := g.cells()
	s.route(collseg.Gathers, own.Bytes(), root, collseg.Shared, true)
	s.copied(own, send)
	s.arrived()
	told := false
	for i := 1; i < s.Size; i++ {
		r := (s.Rank + i) % s.Size
		s.takeWhole(recv.Of(r), r)
		if s.stepped(r) && !told { // it waits to be told how the root goes on
			s.publish(datatype.Raw(0, 0))
			told = true
		}
	}
	s.end(true)
	return nil
}

// publishesAddressTo publishes where the contribution to a kind of gather lies, if it is to be read from
// there, and reports whether it has.
func (s *cellOp) publishesAddressTo(k collseg.Kind, send datatype.Buffer, root int) bool {
	if s.route(k, send.Bytes(), root, collseg.Shared, send.Contiguous()) != collseg.Single {
		return false
	}
	s.publishAddress(send, root, root+1)
	return true
}

// GathervAtOnce has the root read what the others publish, or receive what is too long for that: of it they
// publish the size.
func (g Group) GathervAtOnce(send datatype.Buffer, recv *partition.Blocks, root int) error {
	a := g.a
	if g.Rank != root {
		s := g.cells()
		switch n := send.Bytes(); {
		case s.publishEmpty() || s.publishesAddressTo(collseg.Gathervs, send, root):
		case n <= MaxGathered:
			s.publish(send)
		default:
			if _, ok := s.reserve(0); ok {
				a.PublishSize(n)
				s.Send(send, root)
			}
		}
		s.end(false)
		return nil
	}
	if err := partition.Distinct(send, recv.Of(root)); err != nil {
		return err
	}
	s := g.cells()
	s.route(collseg.Gathervs, recv.Largest(s.Size), root, collseg.Shared, true)
	s.copied(recv.Of(root), send)
	s.arrived()
	w := schedule.Window{Exchange: g.Exchange}
	for i := 1; i < s.Size; i++ {
		r := (s.Rank + i) % s.Size
		b := recv.Of(r)
		switch s.await(r, r+1); {
		case s.Dead || a.Bytes(r) <= MaxGathered:
			s.takeWhole(b, r)
		case b.Bytes() == 0: // a mistake, which is told
			s.Recv(b, r)
		default:
			w.Recv(b, r)
			w.Room()
		}
	}
	w.Wait()
	s.end(true)
	return nil
}
