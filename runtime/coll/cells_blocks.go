package coll

import (
	"math"

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

// entry is the size of what stands for one rank in a table of addresses, or of parts in a step.
const entry = 16

func setEntry(table uintptr, r int, where uintptr, n int64) {
	at := table + uintptr(r)*entry
	*shm.Word64(at) = uint64(where)
	*shm.Word64(at + 8) = uint64(n)
}

// entryOf is entry i in the table of addresses of rank r, which has n entries.
func (s *cellOp) entryOf(r, i, n int) (where uintptr, size int64) {
	at, length := s.a.Contribution(r)
	if length != int64(n)*entry {
		at = fast.NoData
	}
	if !s.inside(r, at) {
		return 0, 0
	}
	at += uintptr(i) * entry
	return uintptr(*shm.Word64(at)), int64(*shm.Word64(at + 8))
}

// spread publishes a block for each rank but this one: themselves, or by where they lie.
func (s *cellOp) spread(b *Blocks, w collseg.Route) {
	if w == collseg.Single {
		s.publishBlockAddresses(b)
		return
	}
	head := headOf(s.a, b)
	if at, ok := s.reserve(head + b.others(s.size, s.rank)); ok {
		s.write(at, b, head > 0)
		s.a.Publish()
	}
}

// publishBlockAddresses publishes where the blocks for the others lie. Those with gaps are packed.
func (s *cellOp) publishBlockAddresses(b *Blocks) {
	s.drainOf(0, s.size)
	s.countAlgorithm(tool.SingleCopy)
	gaps := int64(0) // bytes of the blocks that have to be packed
	for r := range s.size {
		if x := b.Of(r); r != s.rank && !x.Contiguous() {
			gaps += x.Bytes()
		}
	}
	packed := s.raw(gaps)
	table, ok := s.reserve(int64(s.size) * entry)
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
			x.PackTo(0, where, n)
			packed.Addr += uintptr(n)
		}
		setEntry(table, r, where, n)
	}
	s.a.PublishTable()
}

// headOf is the size of the table before blocks that are published themselves: none is needed where all are
// alike.
func headOf(a *collseg.Segment, b *Blocks) int64 {
	if b.Counts == nil {
		return 0
	}
	return int64(a.Size()) * fast.TableEntry
}

// spreadBytes is what the blocks for all ranks but me take with their table, as if shared out evenly.
func (b *Blocks) spreadBytes(size, me int) int64 {
	return (b.others(size, me) + int64(size)*fast.TableEntry + int64(size) - 1) / int64(size)
}

// write writes the blocks for the others to at, behind a table if there is to be one.
func (s *cellOp) write(at uintptr, b *Blocks, table bool) {
	others := func(r int) (datatype.Buffer, bool) { return b.Of(r), r != s.rank }
	if table {
		put := func(addr uintptr, b datatype.Buffer, n int64) { b.PackTo(0, addr, n) }
		layOut(at, s.size, math.MaxInt64, others, put, nil)
		return
	}
	for r := range s.size {
		if x, ok := others(r); ok {
			n := x.Bytes()
			x.PackTo(0, at, n)
			at += uintptr(n)
		}
	}
}

// fetch copies what rank r has spread for this rank to b. alike says that all blocks have the same size.
func (s *cellOp) fetch(b datatype.Buffer, r int, alike bool) {
	if s.await(r, r+1); s.dead {
		return
	}
	switch {
	case s.stepped(r):
		s.note(mpierr.New(mpierr.ErrTruncate, "rank %d contributes more than the %d bytes that this rank expects", r, b.Bytes()))
	case s.a.HasPointers(r):
		if where, n := s.entryOf(r, s.rank, s.size); s.expect(r, n, b.Bytes()) {
			s.pull(b, r, where)
		}
	case alike:
		n := b.Bytes()
		at, length := s.a.Contribution(r)
		if s.expect(r, length/int64(s.size-1), n) && s.inside(r, at) {
			s.take(b, at+uintptr(fast.BlockFor(uint32(r), uint32(s.rank)))*uintptr(n))
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
		offset, n := fast.BlockIn(table, uint32(length), uint32(s.size), uint32(s.rank))
		if n >= fast.TableMessage {
			s.note(malformed(r))
		} else if s.expect(r, int64(n), b.Bytes()) {
			s.take(b, table+uintptr(offset))
		}
	}
}

// allgatherShared lets everybody read everybody's contribution.
func allgatherShared(t *Team, send datatype.Buffer, recv *Blocks) error {
	own := recv.Of(t.rank)
	if send.InPlace() {
		send = own
	} else if err := distinct(send, own); err != nil {
		return err
	}
	a := t.segment()
	if t.how != (choice{by: tool.Cells}) {
		s := t.stepping(a, recv.bytes(t.size))
		s.allgather(send, recv, recv.largest(t.size))
		return nil
	}
	s := t.cells(a)
	if !s.publishEmpty() {
		s.publish(send)
	}
	if send.Addr != own.Addr {
		s.copied(own, send)
	}
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		s.takeWhole(recv.Of(r), r)
	}
	s.end(true)
	return nil
}

// alltoallAtOnce lets everybody read its block of what the others have.
func alltoallAtOnce(t *Team, send, recv *Blocks) {
	s := t.cells(t.segment())
	out := outgoing(send, recv)
	s.spread(out, collseg.Shared)
	if out != recv {
		s.copied(recv.Of(s.rank), out.Of(s.rank))
	}
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		s.fetch(recv.Of(r), r, out.Counts == nil)
	}
	s.end(true)
}

// scatterShared publishes everybody its part, on the root, which the others take, however it does so. alike
// says that all parts have the same size.
func scatterShared(t *Team, send *Blocks, recv datatype.Buffer, root int, alike bool) error {
	a := t.segment()
	if t.rank != root {
		s := t.stepping(a, recv.Bytes())
		if s.await(root, root+1); s.stepped(root) {
			s.takeParts(recv, root)
		} else {
			s.fetch(recv, root, alike)
			s.end(false)
		}
		return nil
	}
	if err := distinct(send.Of(root), recv); err != nil {
		return err
	}
	s := t.stepping(a, 0)
	if s.publishEmpty() {
		s.end(false)
		return nil
	}
	first := collseg.Shared
	atOnce := t.how.by == tool.Cells
	if !atOnce && !a.Crowded() && a.Size() > scatterInSteps {
		first = collseg.Single
	}
	route := s.routeAtRoot(collseg.Scatters, send.largest(s.size), first, send.dense(s.size, root))
	if route == collseg.Shared && !atOnce {
		s.scatter(send, recv)
		return nil
	}
	s.spread(send, route)
	s.copied(recv, send.Of(root))
	s.end(false)
	return nil
}

// gatherAtOnce has the root read what the others publish.
func gatherAtOnce(t *Team, send datatype.Buffer, recv *Blocks, root int) error {
	a := t.segment()
	if t.rank != root {
		s := t.cells(a)
		if !s.publishEmpty() && !s.publishesAddressTo(collseg.Gathers, send, root) {
			s.publish(send)
		}
		s.end(false)
		return nil
	}
	own := recv.Of(root)
	if err := distinct(send, own); err != nil {
		return err
	}
	s := t.cells(a)
	s.route(collseg.Gathers, own.Bytes(), root, collseg.Shared, true)
	s.copied(own, send)
	s.arrived()
	told := false
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
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

// gathervAtOnce has the root read what the others publish, or receive what is too long for that: of it they
// publish the size.
func gathervAtOnce(t *Team, send datatype.Buffer, recv *Blocks, root int) error {
	a := t.segment()
	if t.rank != root {
		s := t.cells(a)
		switch n := send.Bytes(); {
		case s.publishEmpty() || s.publishesAddressTo(collseg.Gathervs, send, root):
		case n <= maxGathered:
			s.publish(send)
		default:
			if _, ok := s.reserve(0); ok {
				a.PublishSize(n)
				s.send(send, root)
			}
		}
		s.end(false)
		return nil
	}
	if err := distinct(send, recv.Of(root)); err != nil {
		return err
	}
	s := t.cells(a)
	s.route(collseg.Gathervs, recv.largest(s.size), root, collseg.Shared, true)
	s.copied(recv.Of(root), send)
	s.arrived()
	w := window{x: &t.exchange}
	for i := 1; i < s.size; i++ {
		r := (s.rank + i) % s.size
		b := recv.Of(r)
		switch s.await(r, r+1); {
		case s.dead || a.Bytes(r) <= maxGathered:
			s.takeWhole(b, r)
		case b.Bytes() == 0: // a mistake, which is told
			s.recv(b, r)
		default:
			w.recv(b, r)
			w.room()
		}
	}
	w.wait()
	s.end(true)
	return nil
}
