package node

import (
	"gompi/runtime/fast"
	"gompi/runtime/request"
	"gompi/shm"
)

// An alltoall with blocks of different sizes in place, on the nonblocking segment. Blocks that fit into the
// cell, or all of them into a wide chunk, have been published before those that replace them are taken. The
// others go as messages, one at a time, from a copy that is as large as the largest. All ranks in place go
// through their partners in the order of Exchange.Partner; one that is not in place has all its messages
// under way from the begin, so nobody waits for ever.

// Replace has the operation send what stands in w.recv: in one piece of most bytes at most.
func (s *Operation) Replace(most int64) {
	w := &s.nbc
	w.Send = w.Recv
	if s.Cut(most); w.pieces == 0 && w.spreadBytes() > fast.MaxNbcData {
		w.aside = s.Exchange.Raw(w.Recv.Largest(w.size))
	}
}

// replaces reports whether there are blocks in place that do not fit into the cell.
func (w *Nonblocking) replaces() bool { return w.aside.Count > 0 }

// sourceInPlace is the rank whose block is taken i-th then, -1 where it is this rank's.
func (w *Nonblocking) sourceInPlace(i int) int {
	if p := (i - w.rank + w.size) % w.size; p != w.rank {
		return p
	}
	return -1
}

// makeWay begins to send the block for a rank where it goes as a message, from the copy. It returns false
// while another one is still under way from there.
func (s *Operation) makeWay(r *request.Request, to int) bool {
	w := &s.nbc
	if r.Left > 1 { // one stands for the caller
		return false
	}
	me := uint32(w.rank)
	said := w.row.Said(me, w.k)
	if said != shm.CellMessage {
		if *fast.EntryAt(w.row.Data(me, w.k, said), uint32(to))&fast.TableMessage == 0 {
			return true
		}
	}
	b := w.Send.Of(to)
	out := w.aside.Slice(0, b.Bytes())
	s.Pack(r, out.Addr, b, 0, out.Count)
	s.Engine.Ops.PartSend(r, s.Exchange.Context, out, to, w.tag)
	return true
}
