package mpi

import (
	"gompi/runtime/coll"
	"gompi/runtime/coll/partition"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/runtime/tool"
)

// Blocking collective communication (MPI 5.0, 6.3 to 6.11).

func Barrier(c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Barrier"}); err != nil {
		return err
	}
	return coll.Barrier(c)
}

func Bcast(b datatype.Buffer, root int, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Bcast", Root: root, Data: b}); err != nil {
		return err
	}
	odd := coll.Alike(c, b, b)
	return first(coll.Bcast(c, b, root), odd)
}

// agreed notes what is called, for reports of what a rank waits for, and compares it with the calls of the
// other ranks if GOMPI_CHECK=collectives asks for that.
func agreed(c *comm.Comm, what coll.Call) error {
	c.Calling = comm.Calling{Name: what.Name, Root: what.Root, Op: what.Op, Data: what.Data}
	if err := c.Recovery.Whole(); err != nil {
		return err
	}
	if l := library.Load(); l == nil || !l.settings.Check.Has(tool.CheckCollectives) {
		return nil
	}
	if n := call(); n != nil {
		what.Where = n.Spell(n.place)
		what.InPlace = n.inPlace && inPlaceAll[base(what.Name)]
	}
	return coll.Agree(c, what)
}

// inPlaceAll are the operations to which all ranks have to pass MPI_IN_PLACE or none (MPI 5.0, 6.7 to 6.10).
var inPlaceAll = map[string]bool{"allgather": true, "allgatherv": true, "alltoall": true, "alltoallv": true,
	"alltoallw": true, "allreduce": true, "reduce_scatter": true, "reduce_scatter_block": true}

// first is the error of a call, or else what is odd about it.
func first(err, odd error) error {
	if err != nil {
		return err
	}
	return odd
}

func Reduce(send, recv datatype.Buffer, o *op.Op, root int, c *comm.Comm) error {
	gives := send
	if send.InPlace() {
		gives = recv
	}
	if err := agreed(c, coll.Call{Name: "MPI_Reduce", Root: root, Op: o, Data: gives}); err != nil {
		return err
	}
	odd := coll.Alike(c, gives, gives)
	return first(coll.Reduce(c, send, recv, o, root), odd)
}

func Allreduce(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Allreduce", Op: o, Data: recv}); err != nil {
		return err
	}
	odd := coll.Alike(c, send, recv)
	return first(coll.Allreduce(c, send, recv, o), odd)
}

func ReduceScatterBlock(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Reduce_scatter_block", Op: o, Data: recv}); err != nil {
		return err
	}
	return coll.ReduceScatterBlock(c, send, recv, o)
}

func ReduceScatter(send, recv datatype.Buffer, counts []int64, o *op.Op, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Reduce_scatter", Op: o}); err != nil {
		return err
	}
	return coll.ReduceScatter(c, send, recv, counts, o)
}

func Scan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Scan", Op: o, Data: recv}); err != nil {
		return err
	}
	odd := coll.Alike(c, send, recv)
	return first(coll.Scan(c, send, recv, o), odd)
}

func Exscan(send, recv datatype.Buffer, o *op.Op, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Exscan", Op: o, Data: recv}); err != nil {
		return err
	}
	odd := coll.Alike(c, send, recv)
	return first(coll.Exscan(c, send, recv, o), odd)
}

func Gather(send, recv datatype.Buffer, root int, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Gather", Root: root, Data: block(send, recv, root, c)}); err != nil {
		return err
	}
	odd := coll.Alike(c, block(send, recv, root, c), block(send, recv, root, c))
	return first(coll.Gather(c, send, recv, root), odd)
}

func Gatherv(send datatype.Buffer, recv *partition.Blocks, root int, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Gatherv", Root: root}); err != nil {
		return err
	}
	return coll.Gatherv(c, send, recv, root)
}

func Scatter(send, recv datatype.Buffer, root int, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Scatter", Root: root, Data: block(recv, send, root, c)}); err != nil {
		return err
	}
	odd := coll.Alike(c, block(recv, send, root, c), block(recv, send, root, c))
	return first(coll.Scatter(c, send, recv, root), odd)
}

func Scatterv(send *partition.Blocks, recv datatype.Buffer, root int, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Scatterv", Root: root}); err != nil {
		return err
	}
	return coll.Scatterv(c, send, recv, root)
}

func Allgather(send, recv datatype.Buffer, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Allgather", Data: recv}); err != nil {
		return err
	}
	odd := coll.Alike(c, send, recv)
	return first(coll.Allgather(c, send, recv), odd)
}

func Allgatherv(send datatype.Buffer, recv *partition.Blocks, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Allgatherv"}); err != nil {
		return err
	}
	return coll.Allgatherv(c, send, recv)
}

func Alltoall(send, recv datatype.Buffer, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Alltoall", Data: recv}); err != nil {
		return err
	}
	odd := coll.Alike(c, send, recv)
	return first(coll.Alltoall(c, send, recv), odd)
}

// block is the data of one rank in a call with a root: the root describes it for all.
func block(own, all datatype.Buffer, root int, c *comm.Comm) datatype.Buffer {
	if c.Coll.Rank == root {
		return all
	}
	return own
}

func Alltoallv(send, recv *partition.Blocks, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Alltoallv"}); err != nil {
		return err
	}
	return coll.Alltoallw(c, send, recv)
}

func Alltoallw(send, recv *partition.Blocks, c *comm.Comm) error {
	if err := agreed(c, coll.Call{Name: "MPI_Alltoallw"}); err != nil {
		return err
	}
	return coll.Alltoallw(c, send, recv)
}

func ReduceLocal(in, inout datatype.Buffer, o *op.Op) error {
	if in.Addr == inout.Addr && in.Addr != 0 && in.Bytes() > 0 {
		return mpierr.New(mpierr.ErrBuffer, "inbuf and inoutbuf are the same buffer")
	}
	o.Apply(in.Addr, inout.Addr, inout.Count, inout.Type)
	return nil
}
