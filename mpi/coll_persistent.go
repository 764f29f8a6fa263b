package mpi

import (
	"gompi/runtime/coll"
	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/info"
	"gompi/runtime/op"
	"gompi/runtime/request"
)

// Persistent collective communication (MPI 5.0, 6.13). There are no hints that would change anything.

func BarrierInit(c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Barrier_init", func(t *coll.Team) error { return t.Barrier() })
}

func BcastInit(b datatype.Buffer, root int, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Bcast_init", func(t *coll.Team) error { return t.Bcast(b, root) })
}

func ReduceInit(send, recv datatype.Buffer, o *op.Op, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Reduce_init", func(t *coll.Team) error { return t.Reduce(send, recv, o, root) })
}

func AllreduceInit(send, recv datatype.Buffer, o *op.Op, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Allreduce_init", func(t *coll.Team) error { return t.Allreduce(send, recv, o) })
}

func ReduceScatterBlockInit(send, recv datatype.Buffer, o *op.Op, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Reduce_scatter_block_init", func(t *coll.Team) error { return t.ReduceScatterBlock(send, recv, o) })
}

func ReduceScatterInit(send, recv datatype.Buffer, counts []int64, o *op.Op, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Reduce_scatter_init", func(t *coll.Team) error { return t.ReduceScatter(send, recv, counts, o) })
}

func ScanInit(send, recv datatype.Buffer, o *op.Op, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Scan_init", func(t *coll.Team) error { return t.Scan(send, recv, o) })
}

func ExscanInit(send, recv datatype.Buffer, o *op.Op, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Exscan_init", func(t *coll.Team) error { return t.Exscan(send, recv, o) })
}

func GatherInit(send, recv datatype.Buffer, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Gather_init", func(t *coll.Team) error { return t.Gather(send, recv, root) })
}

func GathervInit(send datatype.Buffer, recv *partition.Blocks, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Gatherv_init", func(t *coll.Team) error { return t.Gatherv(send, recv, root) })
}

func ScatterInit(send, recv datatype.Buffer, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Scatter_init", func(t *coll.Team) error { return t.Scatter(send, recv, root) })
}

func ScattervInit(send *partition.Blocks, recv datatype.Buffer, root int, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Scatterv_init", func(t *coll.Team) error { return t.Scatterv(send, recv, root) })
}

func AllgatherInit(send, recv datatype.Buffer, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Allgather_init", func(t *coll.Team) error { return t.Allgather(send, recv) })
}

func AllgathervInit(send datatype.Buffer, recv *partition.Blocks, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Allgatherv_init", func(t *coll.Team) error { return t.Allgatherv(send, recv) })
}

func AlltoallInit(send, recv datatype.Buffer, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Alltoall_init", func(t *coll.Team) error { return t.Alltoall(send, recv) })
}

func AlltoallvInit(send, recv *partition.Blocks, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Alltoallv_init", func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}

func AlltoallwInit(send, recv *partition.Blocks, c *comm.Comm, _ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Alltoallw_init", func(t *coll.Team) error { return t.Alltoallw(send, recv) })
}

// prepare makes the request of the operation that a function of that name has described.
func prepare(c *comm.Comm, name string, plan func(t *coll.Team) error) (*request.Request, error) {
	r, err := coll.Prepare(c, plan)
	if err == nil {
		r.Called = name
	}
	return r, err
}
