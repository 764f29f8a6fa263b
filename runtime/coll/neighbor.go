package coll

import (
	"gompi/runtime/coll/algorithm"
	"gompi/runtime/coll/node"
	"gompi/runtime/coll/partition"
	"gompi/runtime/coll/schedule"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/tool"
	"gompi/runtime/topo"
)

// NeighborAllgather sends the send buffer to all destinations of this rank in the topology of c, and receives
// block i of recv from source i (MPI_Neighbor_allgather and MPI_Neighbor_allgatherv, MPI 5.0, 8.6.1).
func NeighborAllgather(c *comm.Comm, send datatype.Buffer, recv *partition.Blocks) error {
	if isWritten(c) {
		return atOnce(c, func(t *Team) error { return t.NeighborAllgather(send, recv) })
	}
	t := join(c, schedule.TagNeighbor)
	return t.close(t.NeighborAllgather(send, recv))
}

// NeighborAlltoall sends block i of send to destination i of this rank, and receives block i of recv from
// source i (MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw, MPI 5.0, 8.6.2).
func NeighborAlltoall(c *comm.Comm, send, recv *partition.Blocks) error {
	if isWritten(c) {
		return atOnce(c, func(t *Team) error { return t.NeighborAlltoall(send, recv) })
	}
	t := join(c, schedule.TagNeighbor)
	return t.close(t.NeighborAlltoall(send, recv))
}

// isWritten reports whether a blocking operation is written down first: it goes through cells, or crowded
// holds.
func isWritten(c *comm.Comm) bool {
	return node.CommOf(c, nbcLimits) != nil && c.Pins()[tool.Neighbor] != tool.Straight || crowded(c)
}

// crowded reports whether this rank has more neighbors than fit into a window. As their messages come in any
// order, all of them must be under way together: such operations are written down first.
func crowded(c *comm.Comm) bool {
	n, err := topo.NeighborhoodOf(c)
	return err == nil && len(n.Sources)+len(n.Destinations) > schedule.WindowSize
}

// atOnce carries out an operation by writing it down: it goes through cells, or by messages, in which case
// other ranks may do so or not.
func atOnce(c *comm.Comm, plan func(t *Team) error) error {
	if err := c.Recovery.Whole(); err != nil {
		return err
	}
	s, err := writtenUnder(c, schedule.TagNeighbor, false, plan)
	if err != nil {
		return err
	}
	r, err := s.Begin()
	if err != nil {
		return err
	}
	return s.Engine.Wait(r, nil)
}

// NeighborAllgather is MPI_Neighbor_allgather and MPI_Neighbor_allgatherv.
func (t *Team) NeighborAllgather(send datatype.Buffer, recv *partition.Blocks) error {
	t.Operation = tool.Neighbor
	n, err := topo.NeighborhoodOf(t.Comm)
	if err != nil {
		return err
	}
	if err := apartFrom(send.Addr, send.Bytes() > 0 && len(n.Destinations) > 0, recv,
		len(n.Sources)); err != nil {
		return err
	}
	q := t.ask(tool.Neighbor, 0)
	if t.choose(q).By == tool.NbcCells {
		w := t.operation.Over(fast.Neighbors, -1)
		w.Send.Buffer, w.Recv, w.Near = send, t.operation.Kept(recv), n
		return nil
	}
	algorithm.Neighbors(t.Exchange, n, func(int) datatype.Buffer { return send }, recv)
	return nil
}

// NeighborAlltoall is MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw.
func (t *Team) NeighborAlltoall(send, recv *partition.Blocks) error {
	t.Operation = tool.Neighbor
	n, err := topo.NeighborhoodOf(t.Comm)
	if err != nil {
		return err
	}
	if err := apartFrom(send.Addr, send.Total(len(n.Destinations)) > 0, recv, len(n.Sources)); err != nil {
		return err
	}
	q := t.ask(tool.Neighbor, 0)
	if t.choose(q).By == tool.NbcCells {
		w := t.operation.Over(fast.NeighborsV, -1)
		w.Send, w.Recv, w.Near = t.operation.Kept(send), t.operation.Kept(recv), n
		return nil
	}
	algorithm.Neighbors(t.Exchange, n, send.Of, recv)
	return nil
}

// apartFrom checks that what is sent is not where n blocks are received.
func apartFrom(send uintptr, sends bool, recv *partition.Blocks, n int) error {
	if send != recv.Addr || !sends || recv.Types != nil {
		return nil
	}
	return partition.Distinct(datatype.Raw(send, 1), datatype.Raw(recv.Addr, recv.Total(n)))
}
