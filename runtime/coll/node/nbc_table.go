package node

import (
	"gompi/runtime/coll/schedule"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/request"
	"gompi/shm"
)

// Contributions with a table (fast.BlockIn). Those for neighbors begin with the number of entries and their
// destinations, int32 each, ahead of the table.

// layOut writes a table of n entries and, behind it, the blocks that belong to them, as far as they fit into
// most bytes together with it. block is the block of an entry; false when there is none. put copies the n
// bytes of one to an address, message sends one that does not fit. The result is how many bytes there are.
func layOut(table uintptr, n int, most int64, block func(i int) (datatype.Buffer, bool),
	put func(addr uintptr, b datatype.Buffer, n int64), message func(i int)) int64 {
	head, end := int64(n)*fast.TableEntry, int64(0)
	for i := range n {
		entry := uint32(end)
		if b, ok := block(i); ok {
			if bytes := b.Bytes(); head+end+bytes <= most {
				put(table+uintptr(head+end), b, bytes)
				end += bytes
				entry = uint32(end)
			} else {
				entry |= fast.TableMessage
				message(i)
			}
		}
		*fast.EntryAt(table, uint32(i)) = entry
	}
	return head + end
}

// spreadBytes is how many bytes this rank has for the others, with the table.
func (w *Nonblocking) spreadBytes() int64 {
	but := w.rank
	if w.pattern == fast.NeighborsV {
		but = -1
	}
	n := w.Send.Others(w.entries(), but)
	if w.tabled() {
		n += w.head()
	}
	return n
}

// tabled reports whether a table stands before the blocks.
func (w *Nonblocking) tabled() bool {
	return w.pattern == fast.ScatteredV || w.pattern == fast.CrossedV || w.pattern == fast.NeighborsV
}

// entries is how many blocks this rank has: one for each rank, or for each destination.
func (w *Nonblocking) entries() int {
	if w.neighbors() {
		return len(w.Near.Destinations)
	}
	return w.size
}

// ahead is how many bytes stand before the table.
func (w *Nonblocking) ahead() int64 {
	if w.pattern == fast.NeighborsV {
		return 4 + int64(w.entries())*4
	}
	return 0
}

// head is how many bytes the table takes, with what is ahead of it.
func (w *Nonblocking) head() int64 { return w.ahead() + int64(w.entries())*fast.TableEntry }

// outgoing is the i-th block of this rank, and for whom it is; ok is false when it is for nobody else.
func (w *Nonblocking) outgoing(i int) (to int, b datatype.Buffer, ok bool) {
	to, ok = i, i != w.rank
	if w.pattern == fast.NeighborsV {
		to = int(w.Near.Destinations[i])
		ok = to >= 0
	}
	if ok {
		b = w.Send.Of(i)
	}
	return to, b, ok
}

// writeBlocks writes a block for each rank or destination to memory of most bytes, and returns how many bytes
// there are. Behind a table those that do not fit go as messages.
func (s *Operation) writeBlocks(r *request.Request, at uintptr, most int64) int64 {
	w := &s.nbc
	put := func(addr uintptr, b datatype.Buffer, n int64) { s.Pack(r, addr, b, 0, n) }
	if !w.tabled() {
		n := w.Send.Bytes()
		for to := range w.size {
			if to != w.rank {
				put(at, w.Send.Of(to), n)
				at += uintptr(n)
			}
		}
		return n * int64(w.size-1)
	}
	n, ahead := w.entries(), w.ahead()
	if ahead > 0 {
		*shm.Word32(at) = uint32(n)
		for i, d := range w.Near.Destinations {
			*shm.Word32(at + 4 + uintptr(i)*4) = uint32(d)
		}
	}
	bytes := layOut(at+uintptr(ahead), n, most-ahead, func(i int) (datatype.Buffer, bool) {
		_, b, ok := w.outgoing(i)
		return b, ok
	}, put, func(i int) { s.sendBlock(r, i) })
	return ahead + bytes
}

// announceBlocks sends all blocks as messages, because not even the table fits into the cell.
func (s *Operation) announceBlocks(r *request.Request) {
	w := &s.nbc
	for i := range w.entries() {
		s.sendBlock(r, i)
	}
	w.row.Announce(w.k)
}

// sendBlock sends the i-th block as a message. In place that waits for its turn (makeWay).
func (s *Operation) sendBlock(r *request.Request, i int) {
	w := &s.nbc
	if to, b, ok := w.outgoing(i); ok && !w.replaces() {
		s.Engine.Ops.PartSend(r, s.Exchange.Context, b, to, w.tag)
	}
}

// block finds the block for this rank in the contribution of length bytes at addr that rank from, the i-th
// source, publishes: where it begins, and its size.
func (w *Nonblocking) block(i, from int, addr uintptr, length uint32) (offset, size uint32, err error) {
	n, which, ahead := uint32(w.size), w.rank, uint32(0)
	if w.pattern == fast.NeighborsV {
		if length >= 4 {
			n = *shm.Word32(addr)
		}
		if length < 4 || n > (length-4)/(4+fast.TableEntry) {
			return 0, 0, schedule.Malformed(from)
		}
		ahead = 4 + n*4
		if which = w.entryNearby(i, from, addr+4, int(n)); which < 0 || which >= int(n) {
			return 0, 0, mpierr.New(mpierr.ErrTopology, "rank %d, a source of this rank, does not have it among its destinations", from)
		}
	}
	offset, size = fast.BlockIn(addr+uintptr(ahead), length-ahead, n, uint32(which))
	if size > fast.TableMessage {
		return 0, 0, schedule.Malformed(from)
	}
	return ahead + offset, size, nil
}

// entryNearby is the number of the entry: see topo.Neighborhood.Crossed.
func (w *Nonblocking) entryNearby(i, from int, addr uintptr, n int) int {
	if w.Near.Crossed {
		return i
	}
	pass := 0 // entries for this rank that belong to earlier sources
	for _, before := range w.Near.Sources[:i] {
		if int(before) == from {
			pass++
		}
	}
	for which := range n {
		if *shm.Word32(addr + uintptr(which)*4) != uint32(w.rank) {
			continue
		}
		if pass == 0 {
			return which
		}
		pass--
	}
	return -1
}
