package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Scan combines, on each rank, the send buffers of all ranks up to it (MPI_Scan, MPI 5.0, 6.11.1). send may
// be in place.
func Scan(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	t := join(c, tagScan)
	if err := t.scannable(o, send, recv); err != nil {
		return err
	}
	if a := scansShared(c, recv); a != nil {
		return scanShared(c, a, send, recv, o, false)
	}
	return t.close(t.Scan(send, recv, o))
}

// Scan is MPI_Scan.
func (t *Team) Scan(send, recv datatype.Buffer, o *op.Op) error {
	if err := t.scannable(o, send, recv); err != nil || recv.Bytes() == 0 {
		return err
	}
	if t.scanNbc(send, recv, o, fast.PrefixIn) {
		return nil
	}
	if !send.InPlace() {
		t.copied(recv, send)
	}
	if l := t.c.Layout(); l != nil && l.Straight {
		t.countAlgorithm(tool.OverNodes)
		t.scanNodes(l, recv, o)
		return nil
	}
	if t.chained(recv.Bytes()) {
		t.scanChain(recv, o)
		return nil
	}
	t.prefixes(recv, func(room datatype.Buffer, _ bool) { t.apply(o, room, recv) })
	return nil
}

// Exscan combines, on each rank but the first, the send buffers of all ranks before it (MPI_Exscan, MPI 5.0,
// 6.11.2). send may be in place. recv is not written on the first rank.
func Exscan(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	t := join(c, tagExscan)
	if err := t.scannable(o, send, recv); err != nil {
		return err
	}
	if a := scansShared(c, recv); a != nil {
		return scanShared(c, a, send, recv, o, true)
	}
	return t.close(t.Exscan(send, recv, o))
}

// Exscan is MPI_Exscan.
func (t *Team) Exscan(send, recv datatype.Buffer, o *op.Op) error {
	if err := t.scannable(o, send, recv); err != nil || recv.Bytes() == 0 {
		return err
	}
	if t.scanNbc(send, recv, o, fast.PrefixEx) {
		return nil
	}
	if l := t.c.Layout(); l != nil && l.Straight {
		t.countAlgorithm(tool.OverNodes)
		if sum := recv; t.rank == 0 && !send.InPlace() { // whose recv is not written
			sum = t.like(recv)
			t.copied(sum, send)
			t.exscanNodes(l, sum, o)
		} else {
			if !send.InPlace() {
				t.copied(recv, send)
			}
			t.exscanNodes(l, recv, o)
		}
		return nil
	}
	if send.InPlace() {
		send = recv
	}
	if t.chained(recv.Bytes()) {
		t.exscanChain(send, recv, o)
		return nil
	}
	sum := t.like(recv) // of those up to this rank, as far as it is known
	t.copied(sum, send)
	first := true
	t.prefixes(sum, func(room datatype.Buffer, more bool) {
		if first {
			t.copy(recv, room)
			first = false
		} else {
			t.apply(o, room, recv)
		}
		if more {
			t.apply(o, room, sum)
		}
	})
	return nil
}

// prefixes has each rank pass on the sum of a row of ranks up to itself, which grows twice as long each
// round. take adds what comes from the row before; more says that sum will be passed on again.
func (t *Team) prefixes(sum datatype.Buffer, take func(room datatype.Buffer, more bool)) {
	t.countAmongAll(tool.Doubling)
	room := t.like(sum)
	for k := 1; k < t.size; k <<= 1 {
		out, in := sum, room
		if t.rank+k >= t.size {
			out.Count = 0
		}
		if t.rank < k {
			in.Count = 0
		}
		t.exchange(out, t.rank+k, in, t.rank-k)
		if in.Count > 0 {
			take(room, t.rank+2*k < t.size)
		}
	}
}

// scanNbc writes down a scan through the cells of nonblocking operations, if it is one for them.
func (t *Team) scanNbc(send, recv datatype.Buffer, o *op.Op, p fast.Pattern) bool {
	w := t.onNbc(recv.Type.Dense() && isReducedInCells(t.size, recv), p, -1)
	if w == nil {
		return false
	}
	if send.InPlace() {
		send = recv
	}
	w.send.Buffer, w.recv.Buffer, w.op = send, recv, o
	return true
}
