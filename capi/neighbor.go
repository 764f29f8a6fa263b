package main

import (
	"gompi/runtime/coll"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/info"
	"gompi/runtime/request"
	"gompi/runtime/topo"
)

// Collective communication among neighbors (MPI 5.0, 8.6 to 8.8).

// neighborhood is the neighbors of the calling rank; without a topology the call fails.
func (a *args) neighborhood(c *comm.Comm) topo.Neighborhood {
	n, err := topo.NeighborhoodOf(c)
	if a.err == nil {
		a.err = err
	}
	return n
}

// indegree is the number of blocks that the calling rank receives.
func (a *args) indegree(c *comm.Comm) int { return len(a.neighborhood(c).Sources) }

// outdegree is the number of blocks that the calling rank sends.
func (a *args) outdegree(c *comm.Comm) int { return len(a.neighborhood(c).Destinations) }

func mpiNeighbor_allgather(send, recv datatype.Buffer, c *comm.Comm) error {
	in := coll.Even(recv)
	return coll.NeighborAllgather(c, send, &in)
}

func mpiNeighbor_allgatherv(send datatype.Buffer, recv *coll.Blocks, c *comm.Comm) error {
	return coll.NeighborAllgather(c, send, recv)
}

func mpiNeighbor_alltoall(send, recv datatype.Buffer, c *comm.Comm) error {
	out, in := coll.Even(send), coll.Even(recv)
	return coll.NeighborAlltoall(c, &out, &in)
}

func mpiNeighbor_alltoallv(send, recv *coll.Blocks, c *comm.Comm) error {
	return coll.NeighborAlltoall(c, send, recv)
}

func mpiNeighbor_alltoallw(send, recv *coll.Blocks, c *comm.Comm) error {
	return coll.NeighborAlltoall(c, send, recv)
}

func mpiIneighbor_allgather(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	in := coll.Even(recv)
	return begin(c, func(t *coll.Team) error { return t.NeighborAllgather(send, &in) })
}

func mpiIneighbor_allgatherv(send datatype.Buffer, recv *coll.Blocks, c *comm.Comm) (*request.Request,
	error) {
	return begin(c, func(t *coll.Team) error { return t.NeighborAllgather(send, recv) })
}

func mpiIneighbor_alltoall(send, recv datatype.Buffer, c *comm.Comm) (*request.Request, error) {
	out, in := coll.Even(send), coll.Even(recv)
	return begin(c, func(t *coll.Team) error { return t.NeighborAlltoall(&out, &in) })
}

func mpiIneighbor_alltoallv(send, recv *coll.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}

func mpiIneighbor_alltoallw(send, recv *coll.Blocks, c *comm.Comm) (*request.Request, error) {
	return begin(c, func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}

func mpiNeighbor_allgather_init(send, recv datatype.Buffer, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	in := coll.Even(recv)
	return coll.Prepare(c, func(t *coll.Team) error { return t.NeighborAllgather(send, &in) })
}

func mpiNeighbor_allgatherv_init(send datatype.Buffer, recv *coll.Blocks, c *comm.Comm,
	_ *info.Info) (*request.Request, error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.NeighborAllgather(send, recv) })
}

func mpiNeighbor_alltoall_init(send, recv datatype.Buffer, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	out, in := coll.Even(send), coll.Even(recv)
	return coll.Prepare(c, func(t *coll.Team) error { return t.NeighborAlltoall(&out, &in) })
}

func mpiNeighbor_alltoallv_init(send, recv *coll.Blocks, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}

func mpiNeighbor_alltoallw_init(send, recv *coll.Blocks, c *comm.Comm, _ *info.Info) (*request.Request,
	error) {
	return coll.Prepare(c, func(t *coll.Team) error { return t.NeighborAlltoall(send, recv) })
}
