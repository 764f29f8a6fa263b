package mpi

import (
	"gompi/runtime/coll"
	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/info"
	"gompi/runtime/request"
	"gompi/runtime/topo"
)

// Collective communication among neighbors (MPI 5.0, 8.6 to 8.8).

// neighborhood is the neighbors of the calling rank; without a topology the call fails.
func (a *Args) neighborhood(c *comm.Comm) topo.Neighborhood {
	n, err := topo.NeighborhoodOf(c)
	if a.Err == nil {
		a.Err = err
	}
	return n
}

// Indegree is the number of blocks that the calling rank receives.
func (a *Args) Indegree(c *comm.Comm) int { return len(a.neighborhood(c).Sources) }

// Outdegree is the number of blocks that the calling rank sends.
func (a *Args) Outdegree(c *comm.Comm) int { return len(a.neighborhood(c).Destinations) }

func NeighborAllgather(send, recv datatype.Buffer, c *comm.Comm) error {
	in := partition.Even(recv)
	return coll.NeighborAllgather(c, send, &in)
}

func NeighborAllgatherv(send datatype.Buffer, recv *partition.Blocks, c *comm.Comm) error {
	return coll.NeighborAllgather(c, send, recv)
}

func NeighborAlltoall(send, recv datatype.Buffer, c *comm.Comm) error {
	out, in := partition.Even(send), partition.Even(recv)
	return coll.NeighborAlltoall(c, &out, &in)
}

func NeighborAlltoallv(send, recv *partition.Blocks, c *comm.Comm) error {
	return coll.NeighborAlltoall(c, send, recv)
}

func NeighborAlltoallw(send, recv *partition.Blocks, c *comm.Comm) error {
	return coll.NeighborAlltoall(c, send, recv)
}

func IneighborAllgather(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	in := partition.Even(recv)
	return begin(c, "MPI_Ineighbor_allgather", func(t *coll.Team) error { return t.NeighborAllgather(send, &in) })
}

func IneighborAllgatherv(send datatype.Buffer, recv *partition.Blocks,
	c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ineighbor_allgatherv", func(t *coll.Team) error { return t.NeighborAllgather(send, recv) })
}

func IneighborAlltoall(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	out, in := partition.Even(send), partition.Even(recv)
	return begin(c, "MPI_Ineighbor_alltoall", func(t *coll.Team) error { return t.NeighborAlltoall(&out, &in) })
}

func IneighborAlltoallv(send, recv *partition.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ineighbor_alltoallv", func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}

func IneighborAlltoallw(send, recv *partition.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, "MPI_Ineighbor_alltoallw", func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}

func NeighborAllgatherInit(send, recv datatype.Buffer, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	in := partition.Even(recv)
	return prepare(c, "MPI_Neighbor_allgather_init", func(t *coll.Team) error { return t.NeighborAllgather(send, &in) })
}

func NeighborAllgathervInit(send datatype.Buffer, recv *partition.Blocks, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Neighbor_allgatherv_init", func(t *coll.Team) error { return t.NeighborAllgather(send, recv) })
}

func NeighborAlltoallInit(send, recv datatype.Buffer, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	out, in := partition.Even(send), partition.Even(recv)
	return prepare(c, "MPI_Neighbor_alltoall_init", func(t *coll.Team) error { return t.NeighborAlltoall(&out, &in) })
}

func NeighborAlltoallvInit(send, recv *partition.Blocks, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Neighbor_alltoallv_init", func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}

func NeighborAlltoallwInit(send, recv *partition.Blocks, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return prepare(c, "MPI_Neighbor_alltoallw_init", func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}
