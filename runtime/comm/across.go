package comm

import (
	"gompi/runtime/group"
	"gompi/runtime/jobs/bridge"
	"gompi/runtime/mpierr"
	"gompi/runtime/p2p"
)

// Groups with processes of several jobs that have no communicator in common (MPI 5.0, 7.4.2 and 7.6.2). The
// members of each job, a part of the group, make a communicator of their own first. The first process of a
// part speaks for it. The one of the first part tells those of the others, and hears from them, whether all
// is well; then it has its part connected with one of the others after the other, and all are merged each
// time, until all are together.

// chain is one such call.
type chain struct {
	r      *Registry
	x      p2p.Context // in which the speakers talk, by the numbers of their parts
	tag    int
	name   string
	origin string
	parts  [][]int32 // processes, in the order of the group
	own    int       // number of this process's part
}

// createAcross is CreateFromGroup for processes of several jobs.
func (r *Registry) createAcross(g *group.Group, name, origin string) (*Comm, error) {
	m := &chain{r: r, name: name, origin: origin}
	m.parts, m.own = r.Processes.Parts(g)
	m.x, m.tag = bootstrap(r.Processes, "parts\x00"+name)
	m.x.Rank, m.x.Size = m.own, len(m.parts)
	home, err := r.createAtHome(group.New(m.parts[m.own]).From(g.Session()), name, origin)
	if err = m.verdict(home, err); err != nil {
		if home != nil {
			r.Free(home)
		}
		return nil, err
	}
	all, err := m.gather(home)
	if err != nil {
		return nil, err
	}
	c, err := r.among(all, g, tagMembers, setupContext, origin)
	r.Free(all)
	return c, err
}

// speaker is the process that speaks for a part.
func (m *chain) speaker(part int) int { return int(m.parts[part][0]) }

// verdict tells all processes of the group whether the call can go on. home is the communicator of the own
// part, unless there was an error.
func (m *chain) verdict(home *Comm, err error) error {
	if m.r.Processes.Rank() == m.speaker(m.own) {
		err = m.confer(err)
	}
	if home == nil {
		return err
	}
	return home.SpreadError(err, 0)
}

// confer is what speakers do for a verdict: all get the same one. Who is not connected with the first speaker
// has no way to hear it, but knows it.
func (m *chain) confer(own error) error {
	if m.own > 0 {
		heard, err := m.exchange(0, own)
		if err == nil {
			heard, err = m.exchange(0, own)
		}
		if err == nil {
			err = heard
		}
		return first(own, err)
	}
	met := make([]bool, len(m.parts))
	for k := 1; k < len(m.parts); k++ {
		heard, err := m.exchange(k, own)
		met[k] = err == nil
		own = first(own, first(err, heard))
	}
	for k := 1; k < len(m.parts); k++ {
		if met[k] {
			_, err := m.exchange(k, own)
			own = first(own, err)
		}
	}
	return own
}

// first is the first of two errors that is one. That a process has died goes before that there is no
// connection: whoever has heard of the death may have given that up already.
func first(a, b error) error {
	if a == nil || mpierr.CodeOf(a) == int(mpierr.ErrGroup) &&
		mpierr.CodeOf(b) == int(mpierr.ErrProcAborted) {
		return b
	}
	return a
}

// exchange tells the speaker of a part of an error, nil for none, and hears what that has to say; err is why
// it cannot.
func (m *chain) exchange(part int, own error) (heard, err error) {
	return m.r.bridges.Confer(m.x, part, m.tag, m.speaker(part), m.name, own)
}

// gather makes one communicator of those of all parts; home, that of the own part, goes by that.
func (m *chain) gather(home *Comm) (*Comm, error) {
	all := home
	for k := 1; k < len(m.parts); k++ {
		if m.own > k {
			continue
		}
		joins := m.own == k
		inter, err := m.r.Meet(all, 0, func(own, other []byte) error {
			if joins {
				return m.r.bridges.Call(m.x, 0, m.tag, m.speaker(0), own, other)
			}
			return m.r.bridges.Call(m.x, k, m.tag, m.speaker(k), own, other)
		}, m.origin)
		var merged *Comm
		if err == nil {
			merged, err = m.r.Merge(inter, joins)
			m.r.Free(inter)
		}
		m.r.Free(all)
		if err != nil {
			m.giveUp(k + 1)
			return nil, err
		}
		all = merged
	}
	return all, nil
}

// giveUp has the first speaker tell those of the parts from number next on that there will be nothing: an
// empty note.
func (m *chain) giveUp(next int) {
	if m.own > 0 || m.r.Processes.Rank() != m.speaker(0) {
		return
	}
	for k := next; k < len(m.parts); k++ {
		// who cannot be told has seen the end
		_ = m.r.bridges.Call(m.x, k, m.tag, m.speaker(k), make([]byte, NoteSize), make([]byte, NoteSize))
	}
}

// connectAcross makes an intercommunicator between two groups that are not both of this process's job. err is
// what is wrong on the leader's side; remote and the other leader's rank there matter at the leader.
func (r *Registry) connectAcross(local *group.Group, leader int, remote *group.Group, remoteLeader int, name,
	origin string, err error) (*Comm, error) {
	create := r.createAtHome
	if !r.Processes.AtHome(local) {
		create = r.createAcross
	}
	c, failed := create(local, name, origin)
	leads := local.Rank(r.Processes.Rank()) == leader
	x, tag := bootstrap(r.Processes, "leaders\x00"+name)
	x.Rank, x.Size = 0, 1
	if leads {
		err = first(err, failed)
		if remoteLeader >= 0 && remoteLeader < remote.Size() {
			heard, silent := r.bridges.Confer(x, 0, tag, remote.Of(remoteLeader), name, err)
			err = first(err, first(silent, heard))
		}
	}
	if failed != nil {
		return nil, failed
	}
	if err = c.SpreadError(err, leader); err != nil {
		r.Free(c)
		return nil, err
	}
	inter, err := r.Meet(c, leader, func(own, other []byte) error {
		return r.bridges.Call(x, 0, tag, remote.Of(remoteLeader), own, other)
	}, origin)
	r.Free(c)
	return inter, err
}

// NoteSize is the length of the notes by which Meet has two leaders find each other, in bytes.
const NoteSize = 64

// SpreadError gives all ranks of c the root's error, with its class and text; nil if it has none.
func (c *Comm) SpreadError(err error, root int) error {
	b := make([]byte, bridge.ErrorSize)
	if c.Rank() == root {
		b = bridge.EncodeError("", err)
	}
	if failed := c.Spread(b, root); failed != nil {
		return first(err, failed)
	}
	if c.Rank() == root {
		return err
	}
	return bridge.DecodeError(b, "")
}
