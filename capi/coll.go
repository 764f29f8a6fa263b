package main

import (
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
)

// Blocking collective communication (MPI 5.0, 6.3 to 6.11).

func mpiBarrier(c *comm.Comm) error { return coll.Barrier(c) }

func mpiBcast(b datatype.Buffer, root int, c *comm.Comm) error { return coll.Bcast(c, b, root) }

func mpiReduce(send, recv datatype.Buffer, o *op.Op, root int, c *comm.Comm) error {
	return coll.Reduce(c, send, recv, o, root)
}

func mpiAllreduce(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	return coll.Allreduce(c, send, recv, o)
}

func mpiReduce_scatter_block(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	return coll.ReduceScatterBlock(c, send, recv, o)
}

func mpiReduce_scatter(send, recv datatype.Buffer, counts []int64, o *op.Op, c *comm.Comm) error {
	return coll.ReduceScatter(c, send, recv, counts, o)
}

func mpiScan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	return coll.Scan(c, send, recv, o)
}

func mpiExscan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	return coll.Exscan(c, send, recv, o)
}

func mpiGather(send, recv datatype.Buffer, root int, c *comm.Comm) error {
	return coll.Gather(c, send, recv, root)
}

func mpiGatherv(send datatype.Buffer, recv *coll.Blocks, root int, c *comm.Comm) error {
	return coll.Gatherv(c, send, recv, root)
}

func mpiScatter(send, recv datatype.Buffer, root int, c *comm.Comm) error {
	return coll.Scatter(c, send, recv, root)
}

func mpiScatterv(send *coll.Blocks, recv datatype.Buffer, root int, c *comm.Comm) error {
	return coll.Scatterv(c, send, recv, root)
}

func mpiAllgather(send, recv datatype.Buffer, c *comm.Comm) error {
	return coll.Allgather(c, send, recv)
}

func mpiAllgatherv(send datatype.Buffer, recv *coll.Blocks, c *comm.Comm) error {
	return coll.Allgatherv(c, send, recv)
}

func mpiAlltoall(send, recv datatype.Buffer, c *comm.Comm) error { return coll.Alltoall(c, send, recv) }

func mpiAlltoallv(send, recv *coll.Blocks, c *comm.Comm) error { return coll.Alltoallw(c, send, recv) }

func mpiAlltoallw(send, recv *coll.Blocks, c *comm.Comm) error { return coll.Alltoallw(c, send, recv) }

func mpiReduce_local(in, inout datatype.Buffer, o *op.Op) error {
	if in.Addr == inout.Addr && in.Addr != 0 && in.Bytes() > 0 {
		return mpierr.New(mpierr.ErrBuffer, "inbuf and inoutbuf are the same buffer")
	}
	o.Apply(in.Addr, inout.Addr, inout.Count, inout.Type)
	return nil
}
