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
	put func(addr uintptr, b datatype.Buffer, n int64), message func(i int, b datatype.Buffer)) int64 {
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
				message(i, b)
			}
		}
		*fast.EntryAt(table, uint32(i)) = entry
	}
	return head + end
}

// writeTable writes a block for each rank or destination into the cell: those that fit.
func (s *Operation) writeTable(r *request.Request) {
	w := &s.nbc
	n, ahead := w.size, int64(0)
	if w.pattern == fast.NeighborsV {
		n = len(w.Near.Destinations)
		ahead = 4 + int64(n)*4
	}
	to := func(i int) int {
		if w.pattern == fast.NeighborsV {
			return int(w.Near.Destinations[i])
		}
		return i
	}
	put := func(addr uintptr, b datatype.Buffer, n int64) { s.Pack(r, addr, b, 0, n) }
	message := func(i int, b datatype.Buffer) {
		if !w.replaces() {
			s.Engine.Ops.PartSend(r, s.Exchange.Context, b, to(i), w.tag)
		}
	}
	if ahead+int64(n)*fast.TableEntry > fast.MaxNbcData { // everything comes as a message
		for i := range n {
			if to(i) >= 0 && (ahead > 0 || i != w.rank) {
				message(i, w.Send.Of(i))
			}
		}
		w.row.Announce(w.k)
		return
	}
	cell := w.row.OwnData(w.k, fast.MaxNbcData)
	if ahead > 0 {
		*shm.Word32(cell) = uint32(n)
		for i, d := range w.Near.Destinations {
			*shm.Word32(cell + 4 + uintptr(i)*4) = uint32(d)
		}
	}
	bytes := layOut(cell+uintptr(ahead), n, fast.MaxNbcData-ahead, func(i int) (datatype.Buffer, bool) {
		if to(i) < 0 || ahead == 0 && i == w.rank {
			return datatype.Buffer{}, false
		}
		return w.Send.Of(i), true
	}, put, message)
	w.row.OwnData(w.k, uint32(ahead+bytes))
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
