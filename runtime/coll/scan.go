package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/schedule"
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
	t := join(c, schedule.TagScan)
	return t.close(t.Scan(send, recv, o))
}

// Scan is MPI_Scan.
func (t *Team) Scan(send, recv datatype.Buffer, o *op.Op) error {
	t.Operation = tool.Scan
	return t.scan(send, recv, o, fast.PrefixIn)
}

// Exscan combines, on each rank but the first, the send buffers of all ranks before it (MPI_Exscan, MPI 5.0,
// 6.11.2). send may be in place. recv is not written on the first rank.
func Exscan(c *comm.Comm, send, recv datatype.Buffer, o *op.Op) error {
	t := join(c, schedule.TagExscan)
	return t.close(t.Exscan(send, recv, o))
}

// Exscan is MPI_Exscan.
func (t *Team) Exscan(send, recv datatype.Buffer, o *op.Op) error {
	t.Operation = tool.Exscan
	return t.scan(send, recv, o, fast.PrefixEx)
}

// scan is either.
func (t *Team) scan(send, recv datatype.Buffer, o *op.Op, p fast.Pattern) error {
	if t.Comm.Inter() {
		return mpierr.New(mpierr.ErrComm, "communicator %q is an intercommunicator, on which there are no scans", t.Comm.Label())
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
	how := t.choose(q).By
	switch how {
	case tool.Cells:
		t.group().ScanAtOnce(own, recv, o, exclusive)
		return nil
	case tool.Steps:
		t.group().ScanInSteps(own, recv, o, exclusive)
		return nil
	case tool.NbcCells:
		w := t.operation.Over(p, -1)
		w.Send.Buffer, w.Recv.Buffer, w.Op = own, recv, o
		return nil
	}
	if !exclusive {
		t.CopyOwn(recv, send)
	}
	switch how {
	case tool.OverNodes:
		sum := recv
		if exclusive {
			if t.Rank == 0 && !send.InPlace() { // whose recv is not written
				sum = t.Like(recv)
			}
			t.CopyOwn(sum, send)
		}
		n := t.over(t.Comm.Layout())
		n.scan(sum, o, p)
	case tool.Chain:
		algorithm.ScanChain(t.Exchange, own, recv, o, exclusive)
	default:
		algorithm.ScanDoubling(t.Exchange, own, recv, o, exclusive)
	}
	return nil
}
