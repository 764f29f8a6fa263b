package coll

import (
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/p2p"
	"gompi/runtime/tool"
	"gompi/runtime/topo"
)

// NeighborAllgather sends the send buffer to all destinations of this rank in the topology of c, and receives
// block i of recv from source i (MPI_Neighbor_allgather and MPI_Neighbor_allgatherv, MPI 5.0, 8.6.1).
func NeighborAllgather(c *comm.Comm, send datatype.Buffer, recv *Blocks) error {
	if isWritten(c) {
		return atOnce(c, func(t *Team) error { return t.NeighborAllgather(send, recv) })
	}
	t := join(c, tagNeighbor)
	return t.close(t.NeighborAllgather(send, recv))
}

// NeighborAlltoall sends block i of send to destination i of this rank, and receives block i of recv from
// source i (MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw, MPI 5.0, 8.6.2).
func NeighborAlltoall(c *comm.Comm, send, recv *Blocks) error {
	if isWritten(c) {
		return atOnce(c, func(t *Team) error { return t.NeighborAlltoall(send, recv) })
	}
	t := join(c, tagNeighbor)
	return t.close(t.NeighborAlltoall(send, recv))
}

// isWritten reports whether a blocking operation is written down first: it goes through cells, or crowded
// holds.
func isWritten(c *comm.Comm) bool {
	return nbcOf(c) != nil && c.Pins()[tool.Neighbor] != tool.Straight || crowded(c)
}

// crowded reports whether this rank has more neighbors than fit into a window. As their messages come in any
// order, all of them must be under way together: such operations are written down first.
func crowded(c *comm.Comm) bool {
	n, err := topo.NeighborhoodOf(c)
	return err == nil && len(n.Sources)+len(n.Destinations) > windowSize
}

// atOnce carries out an operation by writing it down: it goes through cells, or by messages, in which case
// other ranks may do so or not.
func atOnce(c *comm.Comm, plan func(t *Team) error) error {
	if err := c.Recovery.Whole(); err != nil {
		return err
	}
	s, err := writeUnder(c, tagNeighbor, false, plan)
	if err != nil {
		return err
	}
	r, err := s.begin(c)
	if err != nil {
		return err
	}
	return s.e.Wait(r, nil)
}

// NeighborAllgather is MPI_Neighbor_allgather and MPI_Neighbor_allgatherv.
func (t *Team) NeighborAllgather(send datatype.Buffer, recv *Blocks) error {
	t.op = tool.Neighbor
	n, err := topo.NeighborhoodOf(t.c)
	if err != nil {
		return err
	}
	if err := apartFrom(send.Addr, send.Bytes() > 0 && len(n.Destinations) > 0, recv,
		len(n.Sources)); err != nil {
		return err
	}
	q := t.ask(tool.Neighbor, 0)
	if t.choose(q).by == tool.NbcCells {
		w := t.onNbc(fast.Neighbors, -1)
		w.send.Buffer, w.recv, w.near = send, t.plan.kept(recv), n
		return nil
	}
	t.amongNeighbors(n, func(int) datatype.Buffer { return send }, recv)
	return nil
}

// NeighborAlltoall is MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw.
func (t *Team) NeighborAlltoall(send, recv *Blocks) error {
	t.op = tool.Neighbor
	n, err := topo.NeighborhoodOf(t.c)
	if err != nil {
		return err
	}
	if err := apartFrom(send.Addr, send.bytes(len(n.Destinations)) > 0, recv, len(n.Sources)); err != nil {
		return err
	}
	q := t.ask(tool.Neighbor, 0)
	if t.choose(q).by == tool.NbcCells {
		w := t.onNbc(fast.NeighborsV, -1)
		w.send, w.recv, w.near = t.plan.kept(send), t.plan.kept(recv), n
		return nil
	}
	t.amongNeighbors(n, send.Of, recv)
	return nil
}

// amongNeighbors receives all blocks, in the order in which a rank that is a source several times sends them,
// and sends out(i) to destination i.
func (t *Team) amongNeighbors(n topo.Neighborhood, out func(i int) datatype.Buffer, recv *Blocks) {
	t.algorithm = tool.Straight // even to itself
	w := window{x: &t.exchange, empty: sentAlways}
	for i := range n.Sources {
		if n.Crossed {
			i ^= 1
		}
		if from := n.Sources[i]; from != p2p.ProcNull {
			w.recv(recv.Of(i), int(from))
		}
	}
	for i, to := range n.Destinations {
		if to != p2p.ProcNull {
			w.send(out(i), int(to))
		}
	}
	w.wait()
}

// apartFrom checks that what is sent is not where n blocks are received.
func apartFrom(send uintptr, sends bool, recv *Blocks, n int) error {
	if send != recv.Addr || !sends || recv.Types != nil {
		return nil
	}
	return distinct(datatype.Raw(send, 1), datatype.Raw(recv.Addr, recv.bytes(n)))
}
