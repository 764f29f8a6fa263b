package recovery

import (
	"slices"

	"gompi/runtime/group"
	"gompi/runtime/p2p"
)

// Members is the processes of a communicator: those of its group, or of both its groups, in an order that is
// the same on all of them.
type Members struct {
	Own    Side
	Remote Side // of an intercommunicator
	Second bool // the remote group comes first
}

// Side is one group of a communicator, and a context of messages to its processes.
type Side struct {
	Group   *group.Group
	Context *p2p.Context
}

func (m *Members) inter() bool { return m.Remote.Group != nil }

// size is how many members there are.
func (m *Members) size() int {
	if m.inter() {
		return m.Own.Group.Size() + m.Remote.Group.Size()
	}
	return m.Own.Group.Size()
}

// at is the side that member i is on, and its rank there.
func (m *Members) at(i int) (side *Side, rank int) {
	first, second := &m.Own, &m.Remote
	if m.Second {
		first, second = second, first
	}
	if n := first.Group.Size(); i >= n {
		return second, i - n
	}
	return first, i
}

// Member is the member that has a rank in the own group, or in the remote one.
func (m *Members) Member(rank int, remote bool) int {
	switch {
	case remote && !m.Second:
		return m.Own.Group.Size() + rank
	case !remote && m.Second:
		return m.Remote.Group.Size() + rank
	}
	return rank
}

// self is this process among the members.
func (m *Members) self() int { return m.Member(m.Own.Context.Rank, false) }

// peer is the number by which the engine knows a member.
func (m *Members) peer(i int) int {
	side, rank := m.at(i)
	return side.Context.Peers.Of(rank)
}

// process is the number of the process that a member is.
func (m *Members) process(i int) int {
	side, rank := m.at(i)
	return side.Group.Of(rank)
}

// find is the member that a peer of the engine is, -1 if it is none. Peers below jobSize are the ranks of the
// job, which have the same numbers as processes.
func (m *Members) find(peer, jobSize int) int {
	for _, side := range [...]*Side{&m.Own, &m.Remote} {
		if side.Group == nil {
			continue
		}
		rank := side.Group.Rank(peer)
		if peer >= jobSize {
			rank = slices.Index(side.Context.Peers.Table, int32(peer))
		}
		if rank >= 0 {
			return m.Member(rank, side == &m.Remote)
		}
	}
	return -1
}
