package coll

import (
	"gompi/runtime/area"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// Operations that move blocks, through shared memory. Where a rank has something else for each other rank, a table stands
// at the begin of its slot: for each rank where its block is and how long.

// entry is the size of a table's entry: uint64 where, uint64 bytes.
const entry = 16

func (s *sharing) tableSize() int64 { return int64(s.size) * entry }

func (s *sharing) setEntry(r int, where uint64, n int64) {
	at := s.a.Data(s.rank) + uintptr(r)*entry
	*shm.Word64(at) = where
	*shm.Word64(at + 8) = uint64(n)
}

// entryOf is what stands for this rank in the table of rank r.
func (s *sharing) entryOf(r int) (where uint64, n int64) {
	at := s.a.Data(r) + uintptr(s.rank)*entry
	return *shm.Word64(at), int64(*shm.Word64(at + 8))
}

// spread shows a block for each rank but this one: behind the table in the slot, or by where they lie.
func (s *sharing) spread(b *Blocks) {
	if s.room(); s.dead {
		return
	}
	total := int64(0)
	for r := range s.size {
		if r != s.rank {
			x := b.Of(r)
			total += x.Bytes()
		}
	}
	at := s.tableSize()
	if total <= area.MaxData-at {
		for r := range s.size {
			if r == s.rank {
				continue
			}
			x := b.Of(r)
			n := x.Bytes()
			pack(s.a.Data(s.rank)+uintptr(at), x, n)
			s.setEntry(r, uint64(at), n)
			at += n
		}
		s.a.Publish(at, 0)
		return
	}
	s.lent = true
	gaps := int64(0) // bytes of the blocks that have to be packed
	for r := range s.size {
		if x := b.Of(r); r != s.rank && !x.Contiguous() {
			gaps += x.Bytes()
		}
	}
	packed := s.raw(gaps)
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
		s.setEntry(r, uint64(where)-1, n)
	}
	s.a.Publish(total, 1) // addresses in the table are less 1
}

// fetch copies what rank r has spread for this rank to b.
func (s *sharing) fetch(b datatype.Buffer, r int) {
	if s.await(r, r+1); s.dead {
		return
	}
	if s.stepped(r) {
		s.note(mpierr.New(mpierr.ErrTruncate, "rank %d contributes more than the %d bytes that this rank expects", r, b.Bytes()))
	} else if where, n := s.entryOf(r); s.expect(r, n, b.Bytes()) {
		s.pull(b, r, int64(where))
	}
}

// allgatherShown is the largest contribution to an allgather or a gather that is shown in a slot.
const allgatherShown = 8 << 10

// spreadShown is how much fits into a slot behind the largest table.
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
		s.pullWhole(recv.Of(r), r)
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
		s.fetch(recv.Of(r), r)
	}
	return s.end(true)
}

// sharedScatter lets everybody read its part of what the root has.
func sharedScatter(c *comm.Comm, a *area.Area, send *Blocks, recv datatype.Buffer, root int) error {
	if c.Rank() == root && !recv.InPlace() {
		if err := distinct(send.Of(root), recv); err != nil {
			return err
		}
	}
	s := begin(c, a)
	if s.rank != root {
		s.fetch(recv, root)
		s.follow(root)
		return s.end(false)
	}
	s.spread(send)
	if !recv.InPlace() {
		s.copied(recv, send.Of(root))
	}
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
		s.pullWhole(recv.Of(r), r)
		if s.stepped(r) && !told { // it waits to be told how the root goes on
			s.show(datatype.Raw(0, 0))
			told = true
		}
	}
	return s.end(true)
}
