package mpi

import (
	"gompi/runtime/comm"
	"gompi/runtime/group"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/object"
	"gompi/runtime/request"
)

// Making communicators (MPI 5.0, 7.4.2 and 7.6.2).

func CommDup(c *comm.Comm) (uintptr, error) {
	if err := rehearse(&c.Attributes, &c.Base); err != nil {
		return 0, err
	}
	making(c)
	return newComm(registry().Dup(c, "MPI_Comm_dup"))
}

func CommDupWithInfo(c *comm.Comm, hints *info.Info) (uintptr, error) {
	if err := rehearse(&c.Attributes, &c.Base); err != nil {
		return 0, err
	}
	making(c)
	d, err := registry().Dup(c, "MPI_Comm_dup_with_info")
	if err == nil {
		d.SetHints(hints)
	}
	return newComm(d, err)
}

func CommIdup(c *comm.Comm) (uintptr, *request.Request, error) {
	return idup(c, nil, "MPI_Comm_idup")
}

func CommIdupWithInfo(c *comm.Comm, hints *info.Info) (uintptr, *request.Request, error) {
	return idup(c, hints, "MPI_Comm_idup_with_info")
}

// idup begins to duplicate a communicator. Until the request is done the handle of the duplicate is good for
// calls that do not communicate (whileMade).
func idup(c *comm.Comm, hints *info.Info, origin string) (uintptr, *request.Request, error) {
	if err := rehearse(&c.Attributes, &c.Base); err != nil {
		return commNull, nil, err
	}
	h := comms.reserve()
	if h == 0 {
		return commNull, nil, tooMany("communicators")
	}
	process := library.Load().process
	_, r, err := registry().Idup(c, hints, origin, comm.Birth{
		Begun: func(d *comm.Comm) {
			d.Handle = h
			comms.hold(h, d)
		},
		Ready: func(d *comm.Comm, ok bool) {
			if !ok {
				comms.giveUp(h)
				return
			}
			comms.fill(h, d)
			_ = addRecord(process, d) // without one, its calls come to Go
		},
	})
	if err != nil {
		comms.giveUp(h)
		return commNull, nil, err
	}
	r.Called = origin
	return h, r, nil
}

// whileMade are the functions that may be called with a communicator whose MPI_Comm_idup is not complete. The
// standard promises nothing of the kind; other implementations allow it, and programs rely on it.
var whileMade = map[string]bool{
	"MPI_Comm_set_errhandler": true, "MPI_Comm_get_errhandler": true, "MPI_Comm_call_errhandler": true,
	"MPI_Comm_set_name": true, "MPI_Comm_get_name": true, "MPI_Comm_set_info": true, "MPI_Comm_get_info": true,
	"MPI_Comm_set_attr": true, "MPI_Comm_get_attr": true, "MPI_Comm_delete_attr": true,
	"MPI_Comm_rank": true, "MPI_Comm_size": true, "MPI_Comm_group": true, "MPI_Comm_test_inter": true,
	"MPI_Comm_remote_size": true, "MPI_Comm_remote_group": true, "MPI_Topo_test": true,
}

func CommCreate(c *comm.Comm, g *group.Group) (uintptr, error) {
	making(c)
	return newComm(registry().Create(c, g))
}

func CommCreateGroup(c *comm.Comm, g *group.Group, tag int) (uintptr, error) {
	return newComm(registry().CreateGroup(c, g, tag))
}

func CommSplit(c *comm.Comm, color, key int) (uintptr, error) {
	making(c)
	return newComm(registry().Split(c, color, key))
}

func CommSplitType(c *comm.Comm, how, key int, hints *info.Info) (uintptr, error) {
	making(c)
	return newComm(registry().SplitType(c, how, key, hints))
}

// maxStringTag is MPI_MAX_STRINGTAG_LEN.
const maxStringTag = 1024

func checkStringTag(tag string) error {
	if len(tag) >= maxStringTag {
		return mpierr.New(mpierr.ErrArg, "stringtag has %d characters, at most %d are allowed", len(tag), maxStringTag-1)
	}
	return nil
}

func CommCreateFromGroup(g *group.Group, tag string, hints *info.Info, e *Errhandler) (uintptr, error) {
	if err := checkStringTag(tag); err != nil {
		return commNull, err
	}
	if err := e.is(object.Comm); err != nil {
		return commNull, err
	}
	c, err := registry().CreateFromGroup(g, tag)
	if c != nil {
		c.SetErrhandler(e.handler)
		c.SetHints(hints)
	}
	return newComm(c, err)
}

func IntercommCreate(local *comm.Comm, leader int, peer *comm.Comm, remote, tag int) (uintptr, error) {
	return newComm(registry().Connect(local, leader, peer, remote, tag))
}

func IntercommCreateFromGroups(local *group.Group, leader int, remote *group.Group, remoteLeader int,
	tag string, hints *info.Info, e *Errhandler) (uintptr, error) {
	if err := checkStringTag(tag); err != nil {
		return commNull, err
	}
	if err := e.is(object.Comm); err != nil {
		return commNull, err
	}
	c, err := registry().ConnectGroups(local, leader, remote, remoteLeader, tag)
	if c != nil {
		c.SetErrhandler(e.handler)
		c.SetHints(hints)
	}
	return newComm(c, err)
}

func IntercommMerge(c *comm.Comm, high bool) (uintptr, error) {
	return newComm(registry().Merge(c, high))
}
