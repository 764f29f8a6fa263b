package mpi

import (
	"sync/atomic"

	core "gompi/runtime"
	"gompi/runtime/comm"
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/runtime/info"
	"gompi/runtime/mpierr"
	"gompi/runtime/topo"
)

// Communicators, groups and info objects as handles.

var (
	comms  = table[comm.Comm]{kind: kindComm}
	groups = table[group.Group]{kind: kindGroup}
	infos  = table[info.Info]{kind: kindInfo}
)

// Predefined handles (MPI 5.0, 20.3).
const (
	groupNull  = 0x108
	groupEmpty = 0x109
	infoNull   = 0x130
	infoEnv    = 0x131
)

func tooMany(what string) error {
	return mpierr.New(mpierr.ErrNoMem, "more than %d %s", most, what)
}

// newComm gives a communicator that was just made its handle; none was made when c is nil.
func newComm(c *comm.Comm, err error) (uintptr, error) {
	if c == nil || err != nil {
		return commNull, err
	}
	if c.Handle = comms.put(c); c.Handle == 0 {
		registry().Free(c)
		return commNull, tooMany("communicators")
	}
	if err := addRecord(library.Load().process, c); err != nil {
		comms.remove(c.Handle)
		c.Handle = 0
		registry().Free(c)
		return commNull, err
	}
	return c.Handle, nil
}

// addRecord lets the C stubs tell of a communicator that has a handle, and use it unless some process of it
// has failed. Where calls are checked, all of them come to Go.
func addRecord(p *core.Process, c *comm.Comm) error {
	if checking.Load() != nil {
		return nil
	}
	endpoint, x, flags := p.Endpoint, &c.P2P, uint32(0)
	if c.Inter() {
		flags |= fast.CommInter
	}
	if x.Session != 0 {
		flags |= fast.CommOfSession
	}
	at := p.Places(x)
	if at.Far {
		flags |= fast.CommFar
	}
	var room [16]int32
	topology, numbers := topologyOf(c, room[:0])
	err := endpoint.AddComm(fast.Comm{
		Handle: c.Handle, Ctx: x.ID, Rank: int32(x.Rank), Size: uint32(c.Size()), Targets: uint32(x.Size),
		Base: int32(at.Base), Stride: int32(at.Stride), Object: c.Shared().Address(),
		Attributes: c.Attributes.Shared().Address(), Flags: flags, Topology: topology,
	}, fast.CommLists{Row: at.Row, Topology: numbers}, !c.Recovery.Impaired())
	if err != nil {
		return mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	if t := topo.Of(c); t != nil && c.Size() == 1 {
		n := t.Neighborhood(0)
		fast.SetNeighborsAlone(endpoint, c.Handle, n.Sources, n.Destinations, n.Crossed)
	}
	if c.Recovery.Impaired() { // another thread may have heard of that meanwhile
		endpoint.HideComm(c.Handle)
	}
	return nil
}

// dropRecord ends what the C stubs tell of a communicator, which has its handle still.
func dropRecord(endpoint *fast.Endpoint, c *comm.Comm) {
	c.CountAlone(endpoint.CarriedAlone(c.Handle))
	leaveGroup(endpoint, endpoint.DropComm(c.Handle))
}

// leaveGroup ends the use of a group by an object that has handed it out; 0 where it has not.
func leaveGroup(endpoint *fast.Endpoint, h uintptr) {
	if h != 0 && endpoint.LeaveGroup(h) {
		dropGroup(h)
	}
}

// handOut is the first handle of a group that an object hands out, and each one where calls are checked. keep
// has the object give the same one from then on.
func handOut(g *group.Group, keep func(h uintptr)) (uintptr, error) {
	h, err := newGroup(g, nil)
	if err == nil && h != groupEmpty {
		keep(h)
	}
	return h, err
}

// newGroup gives a group its handle.
func newGroup(g *group.Group, err error) (uintptr, error) {
	if err != nil {
		return groupNull, err
	}
	if g.Size() == 0 {
		return groupEmpty, nil
	}
	groups.prepare()
	h := groups.put(g)
	if h == 0 {
		return groupNull, tooMany("groups")
	}
	if err := addGroup(library.Load().process.Endpoint, h, g); err != nil {
		groups.remove(h)
		return groupNull, err
	}
	return h, nil
}

// addGroup lets the C stubs tell of a group that has a handle.
func addGroup(endpoint *fast.Endpoint, h uintptr, g *group.Group) error {
	if checking.Load() != nil {
		return nil
	}
	base, stride, table := g.Form()
	err := endpoint.AddGroup(h, fast.Group{Size: uint32(g.Size()), Session: g.Session(),
		Rank: int32(g.Rank(registry().Processes.Rank())), Base: int32(base), Stride: int32(stride)}, table)
	if err != nil {
		return mpierr.New(mpierr.ErrNoMem, "%v", err)
	}
	return nil
}

// dropGroup takes the handle of a group away that nobody uses any more.
func dropGroup(h uintptr) {
	library.Load().process.Endpoint.DropGroup(h) // before another group gets its place
	groups.remove(h)
}

// newInfo gives an info object its handle.
func newInfo(i *info.Info) (uintptr, error) {
	infos.prepare()
	h := infos.put(i)
	if h == 0 {
		return infoNull, tooMany("info objects")
	}
	if endpoint := recording(); endpoint != nil {
		endpoint.AddInfo(h, i.Shared())
	}
	return h, nil
}

// records is the endpoint that the C stubs know. It stays when MPI has been finalized.
var records atomic.Pointer[fast.Endpoint]

// recording is the endpoint with the records of objects; nil before there is one, and where calls are checked
// and all of them are to come to Go.
func recording() *fast.Endpoint {
	if l := library.Load(); l != nil && checking.Load() == nil {
		return l.process.Endpoint
	}
	return nil
}

// retire ends an object that a C stub has freed.
func retire(h uintptr) {
	switch h >> fast.KindShift {
	case fast.KindErrhandler:
		errhandlers.remove(h)
	case fast.KindDatatype:
		removeType(h)
	case fast.KindGroup:
		dropGroup(h)
	case fast.KindInfo:
		records.Load().DropInfo(h)
		infos.remove(h)
	case fast.KindOp:
		removeOp(h)
	case fast.KindKeyval:
		keyvals.remove(h)
	}
}

// registry holds the communicators of this process. Preconditions: MPI is initialized.
func registry() *comm.Registry { return library.Load().process.Comms }

var emptyGroup = group.Range(0, 1, 0)

func lookupGroup(h uintptr) *group.Group {
	if h == groupEmpty {
		return emptyGroup
	}
	if g := groups.get(h); g != nil && !library.Load().process.Endpoint.Freed(h) {
		return g
	}
	return nil
}

// CommOrNull is the communicator of an argument that may be null on some ranks; nil when it names none.
func (a *Args) CommOrNull(_ string, h uintptr) *comm.Comm { return lookupComm(h) }

// GroupOrNull is the group of an argument that may be null on some ranks; nil when it names none.
func (a *Args) GroupOrNull(_ string, h uintptr) *group.Group { return lookupGroup(h) }

func (a *Args) Group(name string, h uintptr) *group.Group {
	g := lookupGroup(h)
	if g == nil && h == groupNull {
		a.wrong(mpierr.ErrGroup, "%s is MPI_GROUP_NULL", name)
	} else if g == nil && a.Err == nil {
		a.Err = badHandle(mpierr.ErrGroup, name, h, "a group")
	}
	return g
}

// Info finds an info object; nil stands for MPI_INFO_NULL.
func (a *Args) Info(name string, h uintptr) *info.Info {
	switch h {
	case infoNull:
		return nil
	case infoEnv:
		return environment()
	}
	i := infos.get(h)
	if i == nil && a.Err == nil {
		a.Err = badHandle(mpierr.ErrInfo, name, h, "an info object")
	}
	return i
}

// Handles that a call may take away.
type (
	CommCell  uintptr
	GroupCell uintptr
	InfoCell  uintptr
)

func PutComm(addr, handle uintptr)     { StoreWord(addr, handle) }
func PutGroup(addr, handle uintptr)    { StoreWord(addr, handle) }
func PutInfo(addr, handle uintptr)     { PutAddress(addr, handle) }
func (c IntCell) load() int            { return int(loadInt32(uintptr(c))) }
func (c IntCell) store(v int)          { storeInt32(uintptr(c), int32(v)) }
func (a IntArray) number(i int) int    { return int(loadInt32(a.Addr + uintptr(i)*4)) }
func (a IntArray) numbers(n int) []int { return a.numbersIn(nil, n) }

// numbersIn is numbers, in the room of a slice if there is enough.
func (a IntArray) numbersIn(all []int, n int) []int {
	if n > cap(all) {
		affordable(int64(n))
		all = make([]int, 0, n)
	}
	for i := range n {
		all = append(all, a.number(i))
	}
	return all
}

// CharArray is room for a string, whose length is another argument.
type CharArray uintptr

// put writes as much of s as fits into room bytes, the final zero included.
func (c CharArray) put(s string, room int) {
	if room > 0 {
		PutText(uintptr(c), room, 0, s)
	}
}
