package main

import (
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/info"
	"gompi/runtime/op"
	"gompi/runtime/request"
)

// Persistent collective communication (MPI 5.0, 6.13). There are no hints that would change anything.

func mpiBarrier_init(c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Barrier() })
}

func mpiBcast_init(b datatype.Buffer, root int, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Bcast(b, root) })
}

func mpiReduce_init(send, recv datatype.Buffer, o *op.Op, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Reduce(send, recv, o, root) })
}

func mpiAllreduce_init(send, recv datatype.Buffer, o *op.Op, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Allreduce(send, recv, o) })
}

func mpiReduce_scatter_block_init(send, recv datatype.Buffer, o *op.Op, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.ReduceScatterBlock(send, recv, o) })
}

func mpiReduce_scatter_init(send, recv datatype.Buffer, counts []int64, o *op.Op, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.ReduceScatter(send, recv, counts, o) })
}

func mpiScan_init(send, recv datatype.Buffer, o *op.Op, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Scan(send, recv, o) })
}

func mpiExscan_init(send, recv datatype.Buffer, o *op.Op, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Exscan(send, recv, o) })
}

func mpiGather_init(send, recv datatype.Buffer, root int, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Gather(send, recv, root) })
}

func mpiGatherv_init(send datatype.Buffer, recv *coll.Blocks, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Gatherv(send, recv, root) })
}

func mpiScatter_init(send, recv datatype.Buffer, root int, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Scatter(send, recv, root) })
}

func mpiScatterv_init(send *coll.Blocks, recv datatype.Buffer, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Scatterv(send, recv, root) })
}

func mpiAllgather_init(send, recv datatype.Buffer, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Allgather(send, recv) })
}

func mpiAllgatherv_init(send datatype.Buffer, recv *coll.Blocks, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Allgatherv(send, recv) })
}

func mpiAlltoall_init(send, recv datatype.Buffer, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Alltoall(send, recv) })
}

func mpiAlltoallv_init(send, recv *coll.Blocks, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}

func mpiAlltoallw_init(send, recv *coll.Blocks, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}
