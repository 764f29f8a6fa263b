package main

import (
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/request"
)

// Nonblocking collective communication (MPI 5.0, 6.12).

func mpiIbarrier(c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Barrier() })
}

func mpiIbcast(b datatype.Buffer, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Bcast(b, root) })
}

func mpiIreduce(send, recv datatype.Buffer, o *op.Op, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Reduce(send, recv, o, root) })
}

func mpiIallreduce(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Allreduce(send, recv, o) })
}

func mpiIreduce_scatter_block(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.ReduceScatterBlock(send, recv, o) })
}

func mpiIreduce_scatter(send, recv datatype.Buffer, counts []int64, o *op.Op, c *comm.Comm) (*request.Request,
	error) {
	return begin(c, func(t *coll.Team) error { return t.ReduceScatter(send, recv, counts, o) })
}

func mpiIscan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Scan(send, recv, o) })
}

func mpiIexscan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Exscan(send, recv, o) })
}

func mpiIgather(send, recv datatype.Buffer, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Gather(send, recv, root) })
}

func mpiIgatherv(send datatype.Buffer, recv *coll.Blocks, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Gatherv(send, recv, root) })
}

func mpiIscatter(send, recv datatype.Buffer, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Scatter(send, recv, root) })
}

func mpiIscatterv(send *coll.Blocks, recv datatype.Buffer, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Scatterv(send, recv, root) })
}

func mpiIallgather(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Allgather(send, recv) })
}

func mpiIallgatherv(send datatype.Buffer, recv *coll.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Allgatherv(send, recv) })
}

func mpiIalltoall(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Alltoall(send, recv) })
}

func mpiIalltoallv(send, recv *coll.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}

func mpiIalltoallw(send, recv *coll.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}

// begin begins an operation. One that is done at once, the stubs end by themselves.
func begin(c *comm.Comm, plan func(t *coll.Team) error) (*request.Request, error) {
	r, err := coll.Begin(c, plan)
	if err == nil && r.Done {
		r = c.Engine().Shed(r)
	}
	return r, err
}
