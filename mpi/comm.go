package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/session"
)

// Communicators: inquiry, names, hints and their end (MPI 5.0, 7.4 to 7.6, 7.8).

// Results of comparing communicators.
const (
	ident     = int(fast.Ident)
	congruent = int(fast.Congruent)
	similar   = int(fast.Similar)
	unequal   = int(fast.Unequal)
)

func CommRank(c *comm.Comm) (int, error) { return c.Rank(), nil }

func CommSize(c *comm.Comm) (int, error) { return c.Size(), nil }

func CommCompare(a, b *comm.Comm) (int, error) {
	return [...]int{comm.Identical: ident, comm.Congruent: congruent, comm.Similar: similar,
		comm.Unequal: unequal}[comm.Compare(a, b)], nil
}

func CommGetName(c *comm.Comm) (string, error) { return c.Name(), nil }

func CommSetName(c *comm.Comm, name string) error { return setName(&c.Base, "comm_name", name) }

func CommTestInter(c *comm.Comm) (bool, error) { return c.Inter(), nil }

func CommGroup(c *comm.Comm) (uintptr, error) {
	return handOut(c.Group(), func(h uintptr) { library.Load().process.Endpoint.KeepCommGroup(c.Handle, h) })
}

// inter refuses an intracommunicator.
func inter(c *comm.Comm) error {
	if !c.Inter() {
		return mpierr.New(mpierr.ErrComm, "communicator %q is no intercommunicator", c.Label())
	}
	return nil
}

func CommRemoteGroup(c *comm.Comm) (uintptr, error) {
	if err := inter(c); err != nil {
		return groupNull, err
	}
	return newGroup(c.Remote(), nil)
}

func CommRemoteSize(c *comm.Comm) (int, error) {
	if err := inter(c); err != nil {
		return 0, err
	}
	return c.Targets(), nil
}

func CommSetInfo(c *comm.Comm, hints *info.Info) error {
	if err := present(hints); err != nil {
		return err
	}
	c.SetHints(hints)
	return nil
}

// CommGetInfo also tells which kinds of memory may be passed to calls (MPI 5.0, 11.4.3).
func CommGetInfo(c *comm.Comm) (uintptr, error) {
	return newInfo(c.Hints(func() object.Hint {
		return object.Hint{Key: session.KindsKey, Default: session.Kinds(library.Load().settings.MemoryKinds)}
	}))
}

// CommFree deletes the attributes first; when a callback fails the communicator stays (MPI 5.0, 7.7.2).
func CommFree(cell CommCell) error {
	return cell.end(func(c *comm.Comm) error {
		registry().Free(c)
		return nil
	})
}

// CommDisconnect is CommFree for when everything on the communicator has been done (MPI 5.0,
// 11.10.4).
func CommDisconnect(cell CommCell) error {
	return cell.end(registry().Disconnect)
}

// end takes a communicator away from the program. last is what becomes of it.
func (cell CommCell) end(last func(*comm.Comm) error) error {
	h := LoadWord(uintptr(cell))
	c := lookupComm(h)
	switch {
	case c == nil:
		a := Args{}
		a.badComm("comm", h)
		return a.Err
	case h <= maxPredefined:
		return object.Locate(&c.Base, mpierr.New(mpierr.ErrComm, "comm is %s, which is predefined and cannot be freed", c.Label()))
	}
	if err := c.Attributes.Clear(&c.Base); err != nil {
		return object.Locate(&c.Base, err)
	}
	dropRecord(library.Load().process.Endpoint, c)
	c.Handle = 0 // so that the stubs are not told of it again, by an operation on its way
	if err := last(c); err != nil {
		c.Handle = h
		return object.Locate(&c.Base, err)
	}
	comms.remove(h)
	StoreWord(uintptr(cell), commNull)
	return nil
}
