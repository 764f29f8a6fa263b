package comm

import (
	"gompi/runtime/group"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/shm"
)

// createInter makes an intercommunicator of subsets of the two groups of c, of which g is this rank's.
func (r *Registry) createInter(c *Comm, g *group.Group, origin string) (*Comm, error) {
	own := make([]int32, g.Size()) // as ranks in c, which mean the same to all
	for i := range own {
		own[i] = int32(c.group.Rank(g.Of(i)))
	}
	p := c.pair()
	other, err := p.swapTable(own)
	if err != nil {
		return nil, err
	}
	for i := range other {
		other[i] = int32(c.remote.Of(int(other[i])))
	}
	return r.bind(c, p, g.Table(), other, g.Rank(r.Processes.Rank()) != group.Undefined, origin)
}

// splitInter makes intercommunicators of the ranks with equal colors; all are the color and key of each local
// rank.
func (r *Registry) splitInter(c *Comm, all []int32, color int, origin string) (*Comm, error) {
	p := c.pair()
	other, err := p.swapTable(all)
	if err != nil {
		return nil, err
	}
	if color == group.Undefined {
		return r.bind(c, p, nil, nil, false, origin)
	}
	return r.bind(c, p, byColor(all, color, c.group), byColor(other, color, c.remote), true, origin)
}

// bind agrees on contexts among all ranks of both groups. Members get a communicator unless a side is empty;
// on the other ranks the contexts stay free.
func (r *Registry) bind(c *Comm, p *pair, own, other []int32, member bool, origin string) (*Comm, error) {
	u, err := r.agree(uint64(c.cid), p.and)
	if err != nil {
		return nil, err
	}
	if !member || len(own) == 0 || len(other) == 0 {
		r.ids.giveBack(u)
		return nil, nil
	}
	return r.addFrom(c, u, group.New(own), group.New(other), origin)
}

// leadersTag keeps what leaders say in groupContext of a communicator apart from what MPI_Comm_create_group
// says there under the same tag of the user's.
const leadersTag = 1 << 30

// Connect makes an intercommunicator between the group of local and a group whose leader is a rank of peer
// (MPI_Intercomm_create). peer and remote are significant at the local leader only; peer may be nil
// elsewhere.
func (r *Registry) Connect(local *Comm, leader int, peer *Comm, remote, tag int) (*Comm, error) {
	if local.Inter() {
		return nil, notIntra(local)
	}
	if leader < 0 || leader >= local.Size() {
		return nil, mpierr.New(mpierr.ErrRank, "local_leader: rank %d is not in communicator %q of size %d", leader, local.Label(), local.Size())
	}
	p := &pair{local: local.members(), root: leader, remote: remote, tag: tag | leadersTag}
	if local.Rank() == leader {
		if peer == nil {
			return nil, mpierr.New(mpierr.ErrComm, "peer_comm is MPI_COMM_NULL at the local leader")
		}
		if remote < 0 || remote >= peer.Targets() {
			return nil, mpierr.New(mpierr.ErrRank, "remote_leader: rank %d is not in communicator %q of size %d", remote, peer.Label(), peer.Targets())
		}
		p.x = peer.P2P
		p.x.ID = peer.cid*contextsEach + groupContext
	}
	c, err := r.connect(p, local, "MPI_Intercomm_create")
	if err != nil {
		return nil, err
	}
	return c.inherit(local), nil
}

// connect makes an intercommunicator between the group of c and another one.
func (r *Registry) connect(p *pair, c *Comm, origin string) (*Comm, error) {
	same, err := r.sameJob(p, c.group)
	if err != nil {
		return nil, err
	}
	if !same {
		return r.Meet(c, p.root, func(own, other []byte) error {
			return bridge.Exchange(p.local.e, &p.x, own, p.remote, other, p.remote, p.tag)
		}, origin)
	}
	return r.bindGroups(p, c.group, uint64(c.cid), origin)
}

// bindGroups makes an intercommunicator between two groups of this process's job.
func (r *Registry) bindGroups(p *pair, local *group.Group, seed uint64, origin string) (*Comm, error) {
	table, err := p.swapTable(local.Table())
	if err != nil {
		return nil, err
	}
	remote := group.New(table)
	if group.Intersection(local, remote).Size() > 0 {
		return nil, mpierr.New(mpierr.ErrComm, "the two groups have a process in common")
	}
	u, err := r.agree(seed, p.and)
	if err != nil {
		return nil, err
	}
	return r.add(u, local, remote, nil, origin)
}

// Merge makes an intracommunicator of both groups of c, first the group that says low (MPI_Intercomm_merge).
// If both say the same, the group of the process with the lowest job rank comes first.
func (r *Registry) Merge(c *Comm, high bool) (*Comm, error) {
	if !c.Inter() {
		return nil, mpierr.New(mpierr.ErrComm, "communicator %q is no intercommunicator", c.Label())
	}
	p := c.pair()
	var own, other [1]byte
	if high {
		own[0] = 1
	}
	if err := p.swap(own[:], other[:]); err != nil {
		return nil, err
	}
	local, remote := c.group.Table(), c.remote.Table()
	second := own[0] > other[0]
	if own[0] == other[0] {
		second = bridge.Before(r.Processes.First(c.group), r.Processes.First(c.remote)) > 0
	}
	all := append(local, remote...)
	if second {
		all = append(remote, local...)
	}
	u, err := r.agree(uint64(c.cid), p.and)
	if err != nil {
		return nil, err
	}
	return r.addFrom(c, u, group.New(all), nil, "MPI_Intercomm_merge")
}

// sameJob reports whether two groups that are about to be connected are of one job.
func (r *Registry) sameJob(groups *pair, local *group.Group) (bool, error) {
	p := r.Processes
	id := p.Identity(p.Rank()).Job
	var own, other [shm.JobIDSize + 1]byte
	copy(own[:], id[:])
	if !p.AtHome(local) {
		own[shm.JobIDSize] = 1
	}
	err := groups.swap(own[:], other[:])
	return own == other && own[shm.JobIDSize] == 0, err
}
