package comm

import (
	"runtime"

	"gompi/runtime/group"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
	"gompi/runtime/request"
)

// Communicators made from groups alone: their ranks have no communicator in common, only a name for the
// occasion (MPI 5.0, 7.4.2 and 7.6.2).

// bootstrap is the context for calls with that name, and their tag in it. Contexts of this kind belong to no
// CID. Names that meet in all 61 bits are told apart by sameName.
func bootstrap(p *bridge.Processes, name string) (x p2p.Context, tag int) {
	sum := uint64(0xcbf29ce484222325) // FNV-1a
	for i := range len(name) {
		sum = (sum ^ uint64(name[i])) * 0x100000001b3
	}
	x = p2p.Context{ID: bridge.BeyondCIDs | uint32(sum>>32), Rank: p.Rank(), Size: p.Job().Size(),
		Peers: bridge.PeersOf(p.Job())}
	return x, int(sum & (leadersTag - 1))
}

// sameName finds out whether all members go by the same name, each by asking its neighbor.
func (s memberSet) sameName(name string) error {
	if s.size == 1 {
		return nil
	}
	return s.compareNames(name)
}

func (s memberSet) compareNames(name string) error {
	return compareNames(s.e, &s.x, name, s.rank((s.me+1)%s.size), s.rank((s.me-1+s.size)%s.size), s.tag)
}

// compareNames sends a name to one rank and compares with that of another one.
func compareNames(e *p2p.Engine, x *p2p.Context, name string, to, from, tag int) error {
	out := []byte(name)
	in := make([]byte, maxName)
	var st request.Status
	err := e.Sendrecv(x, bridge.Raw(out), to, tag, bridge.Raw(in), from, tag, &st)
	runtime.KeepAlive(out)
	runtime.KeepAlive(in)
	if err != nil {
		return err
	}
	if other := string(in[:st.Bytes]); other != name {
		return mpierr.New(mpierr.ErrOther, "stringtag %q cannot be told apart from %q, which is used at the same time; use another one", name, other)
	}
	return nil
}

// maxName is the length that names stay below, MPI_MAX_STRINGTAG_LEN.
const maxName = 1024

// CreateFromGroup makes a communicator of the ranks of g, from nothing else (MPI_Comm_create_from_group).
// name tells apart what is made at the same time. Processes of other jobs must be connected with this one:
// the first of each job in g with the first of all.
func (r *Registry) CreateFromGroup(g *group.Group, name string) (*Comm, error) {
	const origin = "MPI_Comm_create_from_group"
	if g.Size() == 0 {
		return nil, nil // without asking anybody (MPI 5.0, 7.4.2)
	}
	if g.Rank(r.Processes.Rank()) == group.Undefined {
		return nil, mpierr.New(mpierr.ErrGroup, "this process is not in the group")
	}
	if !r.Processes.AtHome(g) {
		return r.createAcross(g, name, origin)
	}
	return r.createAtHome(g, name, origin)
}

// createAtHome is CreateFromGroup for processes of this one's job.
func (r *Registry) createAtHome(g *group.Group, name, origin string) (*Comm, error) {
	team := newTeam(r.Processes, g, name)
	if err := team.sameName(name); err != nil {
		return nil, err
	}
	u, err := r.agree(team.seed(), team.and)
	if err != nil {
		return nil, err
	}
	return r.add(u, g, nil, nil, origin)
}

// newTeam is the ranks of g, processes of this one's job, as they talk under a name.
func newTeam(p *bridge.Processes, g *group.Group, name string) memberSet {
	x, tag := bootstrap(p, name)
	return memberSet{e: p.Engine, x: x, group: g, me: g.Rank(p.Rank()), size: g.Size(), tag: tag}
}

// ConnectGroups makes an intercommunicator between two groups from nothing else
// (MPI_Intercomm_create_from_groups). remote and remoteLeader are significant at the local leader only. If
// there are processes of several jobs, the two leaders must be connected with each other.
func (r *Registry) ConnectGroups(local *group.Group, leader int, remote *group.Group, remoteLeader int,
	name string) (*Comm, error) {
	const origin = "MPI_Intercomm_create_from_groups"
	if local.Size() == 0 {
		return nil, nil // without asking anybody (MPI 5.0, 7.6.2)
	}
	me := local.Rank(r.Processes.Rank())
	if me == group.Undefined {
		return nil, mpierr.New(mpierr.ErrGroup, "this process is not in local_group")
	}
	if leader < 0 || leader >= local.Size() {
		return nil, mpierr.New(mpierr.ErrRank, "local_leader: rank %d is not in a group of size %d", leader, local.Size())
	}
	var err error
	if me == leader {
		switch {
		case remote == nil: // MPI_GROUP_NULL, which the other ranks may pass
			err = mpierr.New(mpierr.ErrGroup, "remote_group is MPI_GROUP_NULL at the leader")
			remote = group.Range(0, 1, 0)
		case remoteLeader < 0 || remoteLeader >= remote.Size():
			err = mpierr.New(mpierr.ErrRank, "remote_leader: rank %d is not in a group of size %d", remoteLeader, remote.Size())
		case group.Intersection(local, remote).Size() > 0:
			err = mpierr.New(mpierr.ErrComm, "the two groups have a process in common")
		}
	}
	if !r.Processes.AtHome(local) {
		return r.connectAcross(local, leader, remote, remoteLeader, name, origin, err)
	}
	members := newTeam(r.Processes, local, name)
	team := &members
	if err := team.sameName(name); err != nil {
		return nil, err
	}
	p := &pair{local: team, root: leader, x: team.x, tag: team.tag | leadersTag}
	// What the leader tells: whether the other group is in another job, and the class of what is wrong with
	// it.
	across := []byte{0, 0}
	if me == leader && remote.Size() > 0 && !r.Processes.AtHome(remote) {
		across[0] = 1
	}
	if err != nil {
		across[1] = byte(mpierr.CodeOf(err))
	}
	if e := team.bcast(across, leader); e != nil {
		return nil, e
	}
	if across[0] != 0 {
		return r.connectAcross(local, leader, remote, remoteLeader, name, origin, err)
	}
	if across[1] != 0 && err == nil {
		err = mpierr.New(mpierr.Class(across[1]), "the leader of local_group has passed a wrong remote_group or remote_leader")
	}
	if err != nil {
		return nil, err
	}
	if me == leader {
		p.remote = remote.Of(remoteLeader)
		if err := compareNames(r.engine, &p.x, name, p.remote, p.remote, p.tag); err != nil {
			return nil, err
		}
	}
	return r.bindGroups(p, local, team.seed(), origin)
}
