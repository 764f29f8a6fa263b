package main

import (
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
)

// Collective communication (MPI 5.0, chapter 6).

func mpiBarrier(c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Barrier(c)
}

func mpiBcast(b datatype.Buffer, root int, c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Bcast(c, b, root)
}

func mpiReduce(send, recv datatype.Buffer, o *op.Op, root int, c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Reduce(c, send, recv, o, root)
}

func mpiAllreduce(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Allreduce(c, send, recv, o)
}

func mpiGather(send, recv datatype.Buffer, root int, c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Gather(c, send, recv, root)
}

func mpiScatter(send, recv datatype.Buffer, root int, c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Scatter(c, send, recv, root)
}

func mpiAllgather(send, recv datatype.Buffer, c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Allgather(c, send, recv)
}

func mpiAlltoall(send, recv datatype.Buffer, c *comm.Comm) error {
	if err := intra(c); err != nil {
		return err
	}
	return coll.Alltoall(c, send, recv)
}

func mpiOp_commutative(o *op.Op) (bool, error) { return o.Commutative(), nil }

func mpiReduce_local(in, inout datatype.Buffer, o *op.Op) error {
	o.Apply(in.Addr, inout.Addr, inout.Count, inout.Type)
	return nil
}

// intra refuses an intercommunicator: collective operations between two groups are not written yet.
func intra(c *comm.Comm) error {
	if c.Inter() {
		return mpierr.New(mpierr.ErrUnsupportedOperation, "gompi does not offer this function on intercommunicators yet")
	}
	return nil
}
