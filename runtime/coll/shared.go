package coll

import (
	"gompi/runtime/area"
	"gompi/runtime/comm"
	"gompi/runtime/datatype"
	"gompi/runtime/mpierr"
	"gompi/runtime/op"
	"gompi/shm"
)

// Small collectives among ranks of one node go through shared memory: whoever contributes writes once, and whoever
// needs the data reads it. In a reduction every rank that wants the outcome reads all contributions and combines them
// by itself, in the order that messages would have given.

// sharedArea is the area to use for an operation of n bytes per rank; nil when it goes by messages. The answer is the
// same on all ranks.
func sharedArea(c *comm.Comm, n int64) *area.Area {
	if a := c.Area(); a != nil && n <= area.MaxData {
		return a
	}
	return nil
}

// contribute publishes this rank's data.
func contribute(c *comm.Comm, a *area.Area, b datatype.Buffer) error {
	if !a.Free() {
		if err := c.Engine().WaitFor((*area.Room)(a)); err != nil {
			return err
		}
	}
	n := b.Bytes()
	if b.Contiguous() {
		shm.Copy(a.Data(c.Rank()), b.Start(), n)
	} else {
		b.Pack(0, shm.Bytes(a.Data(c.Rank()), n))
	}
	a.Publish(int(n))
	return nil
}

// sharedBarrier is a barrier in which everybody says that it has come and waits for everybody.
func sharedBarrier(c *comm.Comm, a *area.Area) error {
	a.Begin()
	if err := contribute(c, a, datatype.Raw(0, 0)); err != nil {
		return err
	}
	err := c.Engine().WaitFor(a.Await(0, a.Size()))
	a.Done(err == nil)
	return err
}

// sharedBcast lets all others read the root's data.
func sharedBcast(c *comm.Comm, a *area.Area, b datatype.Buffer, root int) error {
	a.Begin()
	if c.Rank() == root {
		err := contribute(c, a, b)
		a.Done(false)
		return err
	}
	if err := c.Engine().WaitFor(a.Await(root, root+1)); err != nil {
		return err
	}
	n := b.Bytes()
	err := sameSize(a, root, n)
	if err == nil {
		if b.Contiguous() {
			shm.Copy(b.Start(), a.Data(root), n)
		} else {
			b.Unpack(0, shm.Bytes(a.Data(root), n))
		}
	}
	a.Done(false)
	return err
}

// sharedReduce combines all contributions on this rank if it wants the outcome (recv is not nil). send is this rank's
// contribution.
func sharedReduce(c *comm.Comm, a *area.Area, send datatype.Buffer, recv *datatype.Buffer, o *op.Op) error {
	a.Begin()
	if err := contribute(c, a, send); err != nil {
		return err
	}
	if recv == nil {
		a.Done(false)
		return nil
	}
	if err := c.Engine().WaitFor(a.Await(0, a.Size())); err != nil {
		return err
	}
	n := send.Bytes()
	values := a.Scratch()
	var err error
	for r := range a.Size() {
		if e := sameSize(a, r, n); e != nil && err == nil {
			err = e
		}
		shm.Copy(values+uintptr(r)*area.MaxData, a.Data(r), n)
	}
	a.Done(true)
	if err != nil {
		return err
	}
	g := arrange(a.Size(), -1)
	// The value of a group, and then of a row of groups, stands where that of its last rank stood.
	at := func(group int) uintptr {
		if group < g.pairs {
			return values + uintptr(2*group+1)*area.MaxData
		}
		return values + uintptr(group+g.pairs)*area.MaxData
	}
	for group := range g.pairs {
		o.Apply(at(group)-area.MaxData, at(group), send.Count, send.Type)
	}
	for half := 1; half < g.count; half <<= 1 {
		for group := 0; group < g.count; group += 2 * half {
			o.Apply(at(group+half-1), at(group+2*half-1), send.Count, send.Type)
		}
	}
	shm.Copy(recv.Start(), at(g.count-1), n)
	return nil
}

// sameSize checks that rank r's contribution has the size that this rank expects.
func sameSize(a *area.Area, r int, want int64) error {
	if n := a.Bytes(r); n != want {
		return mpierr.New(mpierr.ErrTruncate, "rank %d contributes %d bytes where this rank expects %d", r, n, want)
	}
	return nil
}
