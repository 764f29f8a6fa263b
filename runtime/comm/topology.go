package comm

import "gompi/runtime/group"

// Subset makes a communicator of the ranks of g, which must be ranks of c, for a call that all ranks of c
// make and in which all of them agree on the groups. Several disjoint groups may be made at once. A rank that
// is not in its group gets nil. origin is the MPI function.
func (r *Registry) Subset(c *Comm, g *group.Group, origin string) (*Comm, error) {
	if c.Inter() {
		return nil, notIntra(c)
	}
	return r.among(c, g, tagMembers, setupContext, origin)
}

// Swap sends out to one rank and receives in from another one, in the context of the calls that make
// communicators. in has the length of what comes.
func (c *Comm) Swap(out []byte, to int, in []byte, from int) error {
	return c.members().exchange(out, to, in, from)
}
