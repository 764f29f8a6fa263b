package coll

import (
	"gompi/runtime/area"
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// A table stands at the begin of a slot.
const (
	tableFor   = fast.TableFor
	tableAt    = fast.TableAt
	tableBytes = fast.TableBytes
	tableEntry = fast.TableEntry
)

// noBlock stands for a block that is not in a table.
const noBlock = byMessage - 1

// showTable shows a block for each rank or destination: those that fit.
func (s *Schedule) showTable(r *request.Request, slot uintptr) {
	w := &s.post
	n := w.size
	if w.deal == nearbyV {
		n = len(w.near.Destinations)
	}
	end := int64(n) * tableEntry
	table := end <= area.MaxPosted // otherwise everything comes as a message
	for i := range n {
		to := i
		if w.deal == nearbyV {
			to = int(w.near.Destinations[i])
		} else if to == w.rank {
			continue
		}
		b := w.send.Of(i)
		bytes, at := b.Bytes(), uint64(end)
		switch {
		case to < 0:
			bytes, at = 0, 0
		case table && end+bytes <= area.MaxPosted:
			pack(slot+uintptr(end), b, bytes)
			end += bytes
		default:
			at = byMessage
			s.e.PartSend(r, s.x, b, to, w.tag)
		}
		if table {
			entry := slot + uintptr(i)*tableEntry
			*shm.Word64(entry + tableFor) = uint64(int64(to))
			*shm.Word64(entry + tableAt) = at
			*shm.Word64(entry + tableBytes) = uint64(bytes)
		}
	}
	if table {
		w.row.Publish(w.k, int64(n), 0)
	} else {
		w.row.Publish(w.k, int64(n), byMessage)
	}
}

// entry finds the block for this rank in the table of n entries at addr, which rank from, the i-th source, shows: where it
// begins behind the table's begin, and its size.
func (w *post) entry(i, from int, addr uintptr, n int) (at uint64, bytes int64) {
	n = min(n, area.MaxPosted/tableEntry)
	which := w.rank
	if w.deal == nearbyV {
		which = w.entryNearby(i, from, addr, n)
	}
	if which < 0 || which >= n {
		return noBlock, 0
	}
	entry := addr + uintptr(which)*tableEntry
	return *shm.Word64(entry + tableAt), int64(*shm.Word64(entry + tableBytes))
}

// entryNearby is the number of the entry: see topo.Neighborhood.Crossed.
func (w *post) entryNearby(i, from int, addr uintptr, n int) int {
	if w.near.Crossed {
		return i
	}
	pass := 0 // entries for this rank that belong to earlier sources
	for _, before := range w.near.Sources[:i] {
		if int(before) == from {
			pass++
		}
	}
	for which := range n {
		if *shm.Word64(addr + uintptr(which)*tableEntry + tableFor) != uint64(w.rank) {
			continue
		}
		if pass == 0 {
			return which
		}
		pass--
	}
	return -1
}
