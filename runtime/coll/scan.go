package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Scan combines, on each rank, the send buffers of all ranks up to it (MPI_Scan, MPI 5.0, 6.11.1). send may
// be in place.
func Scan(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	t := join(c, tagScan)
	return t.close(t.Scan(send, recv, o))
}

// Scan is MPI_Scan.
func (t *Team) Scan(send, recv datatype.Buffer, o *op.Op) error {
	t.op = tool.Scan
	return t.scan(send, recv, o, fast.PrefixIn)
}

// Exscan combines, on each rank but the first, the send buffers of all ranks before it (MPI_Exscan, MPI 5.0,
// 6.11.2). send may be in place. recv is not written on the first rank.
func Exscan(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	t := join(c, tagExscan)
	return t.close(t.Exscan(send, recv, o))
}

// Exscan is MPI_Exscan.
func (t *Team) Exscan(send, recv datatype.Buffer, o *op.Op) error {
	t.op = tool.Exscan
	return t.scan(send, recv, o, fast.PrefixEx)
}

// scan is either.
func (t *Team) scan(send, recv datatype.Buffer, o *op.Op, p fast.Pattern) error {
	if t.c.Inter() {
		return mpierr.New(mpierr.ErrComm, "communicator %q is an intercommunicator, on which there are no scans", t.c.Label())
	}
	if err := combinable(o, send, recv); err != nil || recv.Bytes() == 0 {
		return err
	}
	own, exclusive := send, p == fast.PrefixEx
	if send.InPlace() {
		own = recv
	}
	kind := tool.Scan
	if exclusive {
		kind = tool.Exscan
	}
	q := t.asking(kind, recv, o)
	how := t.choose(q).by
	switch how {
	case tool.Cells:
		scanAtOnce(t, own, recv, o, exclusive)
		return nil
	case tool.Steps:
		scanInSteps(t, own, recv, o, exclusive)
		return nil
	case tool.NbcCells:
		w := t.onNbc(p, -1)
		w.send.Buffer, w.recv.Buffer, w.op = own, recv, o
		return nil
	}
	if !exclusive {
		t.copied(recv, send)
	}
	switch how {
	case tool.OverNodes:
		sum := recv
		if exclusive {
			if t.rank == 0 && !send.InPlace() { // whose recv is not written
				sum = t.like(recv)
			}
			t.copied(sum, send)
		}
		n := t.over(t.c.Layout())
		n.scan(sum, o, p)
	case tool.Chain:
		t.scanChain(own, recv, o, exclusive)
	default:
		t.scanDoubling(own, recv, o, exclusive)
	}
	return nil
}

// scanDoubling has each rank pass on the sum of a row of ranks up to itself, which grows twice as long each
// round. Unless it is exclusive, recv holds the own contribution.
func (t *Team) scanDoubling(own, recv datatype.Buffer, o *op.Op, exclusive bool) {
	t.countAlgorithm(tool.Doubling)
	sum, first := recv, exclusive
	if exclusive {
		sum = t.like(recv)
		t.copied(sum, own)
	}
	room := t.like(sum)
	for k := 1; k < t.size; k <<= 1 {
		out, in := sum, room
		if t.rank+k >= t.size {
			out.Count = 0
		}
		if t.rank < k {
			in.Count = 0
		}
		t.sendrecv(out, t.rank+k, in, t.rank-k)
		if in.Count == 0 {
			continue
		}
		if first {
			t.copy(recv, room)
			first = false
		} else if exclusive {
			t.apply(o, room, recv)
		}
		if !exclusive || t.rank+2*k < t.size { // it is passed on again
			t.apply(o, room, sum)
		}
	}
}

// link is how much goes on at a time from each rank to the next, in bytes.
const link = 256 << 10

// scanChain has each rank pass on what the ranks up to it come to, to the next one, in pieces: while one goes
// on, the next comes. Less is sent and combined than where the distance doubles, and where ranks share cores
// nobody waits in vain for long. Unless it is exclusive, recv holds the own contribution.
func (t *Team) scanChain(own, recv datatype.Buffer, o *op.Op, exclusive bool) {
	t.countAlgorithm(tool.Chain)
	p := division{recv.Count, max(link/max(recv.Type.Size(), 1), 1)}
	first, last := t.rank == 0, t.rank == t.size-1
	var room [2]datatype.Buffer
	for i := range room {
		if !exclusive && i == 0 || exclusive && !first && !last {
			room[i] = t.like(p.of(recv, 0))
		}
	}
	// what comes from below, which is the result of an exclusive scan, and what this rank makes of it
	parts := func(k uint64) (below, sum datatype.Buffer) {
		piece := p.of(recv, k)
		switch {
		case !exclusive:
			return room[0].Slice(0, piece.Count), piece
		case first:
			return piece, p.of(own, k)
		case last: // passes nothing on
			return piece, datatype.Buffer{}
		}
		return piece, room[k%2].Slice(0, piece.Count)
	}
	n := p.steps()
	for k := uint64(0); k <= n; k++ {
		in, out := recv.Slice(0, 0), recv.Slice(0, 0)
		var sum datatype.Buffer
		if k > 0 && !last {
			_, out = parts(k - 1)
		}
		if k < n && !first {
			in, sum = parts(k)
			if exclusive && !last {
				t.copy(sum, p.of(own, k))
			}
		}
		t.sendrecv(out, t.rank+1, in, t.rank-1)
		if in.Count > 0 && !(exclusive && last) {
			t.apply(o, in, sum)
		}
	}
}
