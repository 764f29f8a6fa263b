package mpi

import (
	"gompi/runtime/coll"
	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/runtime/request"
)

// Nonblocking collective communication (MPI 5.0, 6.12).

func Ibarrier(c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ibarrier", func(t *coll.Team) error { return t.Barrier() })
}

func Ibcast(b datatype.Buffer, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ibcast", func(t *coll.Team) error { return t.Bcast(b, root) })
}

func Ireduce(send, recv datatype.Buffer, o *op.Op, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ireduce", func(t *coll.Team) error { return t.Reduce(send, recv, o, root) })
}

func Iallreduce(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Iallreduce", func(t *coll.Team) error { return t.Allreduce(send, recv, o) })
}

func IreduceScatterBlock(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ireduce_scatter_block", func(t *coll.Team) error { return t.ReduceScatterBlock(send, recv, o) })
}

func IreduceScatter(send, recv datatype.Buffer, counts []int64, o *op.Op,
	c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ireduce_scatter", func(t *coll.Team) error { return t.ReduceScatter(send, recv, counts, o) })
}

func Iscan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Iscan", func(t *coll.Team) error { return t.Scan(send, recv, o) })
}

func Iexscan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Iexscan", func(t *coll.Team) error { return t.Exscan(send, recv, o) })
}

func Igather(send, recv datatype.Buffer, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Igather", func(t *coll.Team) error { return t.Gather(send, recv, root) })
}

func Igatherv(send datatype.Buffer, recv *partition.Blocks, root int,
	c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Igatherv", func(t *coll.Team) error { return t.Gatherv(send, recv, root) })
}

func Iscatter(send, recv datatype.Buffer, root int, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Iscatter", func(t *coll.Team) error { return t.Scatter(send, recv, root) })
}

func Iscatterv(send *partition.Blocks, recv datatype.Buffer, root int,
	c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Iscatterv", func(t *coll.Team) error { return t.Scatterv(send, recv, root) })
}

func Iallgather(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Iallgather", func(t *coll.Team) error { return t.Allgather(send, recv) })
}

func Iallgatherv(send datatype.Buffer, recv *partition.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Iallgatherv", func(t *coll.Team) error { return t.Allgatherv(send, recv) })
}

func Ialltoall(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ialltoall", func(t *coll.Team) error { return t.Alltoall(send, recv) })
}

func Ialltoallv(send, recv *partition.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ialltoallv", func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}

func Ialltoallw(send, recv *partition.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ialltoallw", func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}

// begin begins an operation.
func begin(c *comm.Comm, name string, plan func(t *coll.Team) error) (*request.Request, error) {
	if err := c.Recovery.Whole(); err != nil {
		return nil, err
	}
	r, err := coll.Begin(c, plan)
	if err == nil {
		r.Called = name
	}
	return r, err
}
