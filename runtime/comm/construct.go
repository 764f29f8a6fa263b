package comm

import (
	"gompi/runtime/group"
	"gompi/runtime/mpierr"
)

// inherit gives a new communicator what it takes over from the one that it was made from (MPI 5.0, 9.3).
func (c *Comm) inherit(from *Comm) *Comm {
	c.TakeErrhandler(&from.Base)
	c.P2P.Session = from.P2P.Session
	c.group = c.group.From(c.P2P.Session)
	return c
}

// addFrom is add of a communicator that is made from c.
func (r *Registry) addFrom(c *Comm, u agreed, local, remote *group.Group, origin string) (*Comm, error) {
	d, err := r.add(u, local, remote, c, origin)
	if err != nil {
		return nil, err
	}
	return d.inherit(c), nil
}

// Dup makes a communicator with the same groups (MPI_Comm_dup). Attributes are copied with their callbacks;
// when one of these fails on this rank it gets no communicator. Hints are not copied (MPI 5.0, 7.4.2).
func (r *Registry) Dup(c *Comm, origin string) (*Comm, error) {
	d, err := r.DupBare(c, origin)
	if err != nil {
		return nil, err
	}
	d.held, d.Topology = false, c.Topology
	if err := c.Attributes.CopyTo(&c.Base, &d.Attributes, &d.Base); err != nil {
		r.Free(d)
		return nil, err
	}
	return d, nil
}

// DupBare is Dup without attributes, for objects that need contexts of their own, such as files.
func (r *Registry) DupBare(c *Comm, origin string) (*Comm, error) {
	u, err := r.agree(uint64(c.cid), c.and)
	if err != nil {
		return nil, err
	}
	d, err := r.addFrom(c, u, c.group, c.remote, origin)
	if err == nil {
		d.held = true
	}
	return d, err
}

// Create makes a communicator of a subset of c's ranks (MPI_Comm_create). All ranks of c call it; disjoint
// groups may be made at once. A rank that is not in its group gets nil. Between two groups it makes an
// intercommunicator.
func (r *Registry) Create(c *Comm, g *group.Group) (*Comm, error) {
	const origin = "MPI_Comm_create"
	if err := subset(g, c); err != nil {
		return nil, err
	}
	if c.Inter() {
		return r.createInter(c, g, origin)
	}
	return r.among(c, g, tagMembers, setupContext, origin)
}

// CreateGroup makes a communicator of the ranks of g, who alone call it (MPI_Comm_create_group). Several
// threads may do so at once with different tags.
func (r *Registry) CreateGroup(c *Comm, g *group.Group, tag int) (*Comm, error) {
	if c.Inter() {
		return nil, notIntra(c)
	}
	if err := subset(g, c); err != nil {
		return nil, err
	}
	return r.among(c, g, tag, groupContext, "MPI_Comm_create_group")
}

// Subset makes a communicator of the ranks of g, which must be ranks of c, for a call that all ranks of c
// make and in which all of them agree on the groups. Several disjoint groups may be made at once. A rank that
// is not in its group gets nil. origin is the MPI function.
func (r *Registry) Subset(c *Comm, g *group.Group, origin string) (*Comm, error) {
	if c.Inter() {
		return nil, notIntra(c)
	}
	return r.among(c, g, tagMembers, setupContext, origin)
}

func notIntra(c *Comm) error {
	return mpierr.New(mpierr.ErrComm, "communicator %q is an intercommunicator", c.Label())
}

func subset(g *group.Group, c *Comm) error {
	for i := 0; g != c.group && i < g.Size(); i++ {
		if c.group.Rank(g.Of(i)) == group.Undefined {
			return mpierr.New(mpierr.ErrGroup, "rank %d of the group is not in communicator %q", i, c.Label())
		}
	}
	return nil
}

// among makes a communicator of the ranks of g, a subset of those of c, who talk in one of its contexts under
// a tag.
func (r *Registry) among(c *Comm, g *group.Group, tag int, context uint32, origin string) (*Comm, error) {
	me := g.Rank(r.Processes.Rank())
	if me == group.Undefined {
		return nil, nil
	}
	x := c.Coll
	x.ID = c.cid*contextsEach + context
	var ranks []int32
	if g != c.group {
		ranks = make([]int32, g.Size())
		for i := range ranks {
			ranks[i] = int32(c.group.Rank(g.Of(i)))
		}
	}
	team := memberSet{e: r.engine, x: x, ranks: ranks, me: me, size: g.Size(), tag: tag}
	if context == groupContext {
		defer r.recovery.Together(x.ID, tag, ranks)()
	}
	u, err := r.agree(team.seed(), team.and)
	if err != nil {
		return nil, err
	}
	return r.addFrom(c, u, g, nil, origin)
}
