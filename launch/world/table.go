package world

import (
	"sort"

	"gompi/launch/output"
)

// Table is the worlds of a job.
type Table struct {
	Worlds []*World // the first one is that of the command line
	Ranks  []*Rank  // of all worlds
}

// Enter takes a world into the job.
func (t *Table) Enter(w *World) {
	t.Worlds = append(t.Worlds, w)
	t.Ranks = append(t.Ranks, w.Ranks...)
}

// WorldNumbered is the world of that number, nil when it has ended.
func (t *Table) WorldNumbered(id int) *World {
	for _, w := range t.Worlds {
		if w.ID == id {
			return w
		}
	}
	return nil
}

// RankNumbered is a rank of the world by its number; nil when it is not one of those that this process knows.
func (w *World) RankNumbered(number int) *Rank {
	i := sort.Search(len(w.Ranks), func(i int) bool { return w.Ranks[i].Number >= number })
	if i == len(w.Ranks) || w.Ranks[i].Number != number {
		return nil
	}
	return w.Ranks[i]
}

// WorldByKVS finds a world by the name of its values; nil when there is none.
func (t *Table) WorldByKVS(name string) *World {
	for _, w := range t.Worlds {
		if w.KVSName == name {
			return w
		}
	}
	return nil
}

// RankOf is the child of that number, nil for a process that some rank has left behind.
func (t *Table) RankOf(pid int) *Rank {
	for _, r := range t.Ranks {
		if r.Pid == pid && !r.Guest && !r.Away() && (!r.Exited || r.Kept) {
			return r
		}
	}
	return nil
}

// Streams are the relayed outputs of all ranks.
func (t *Table) Streams(yield func(*output.Stream) bool) {
	for _, r := range t.Ranks {
		for s := range r.streams {
			if !yield(s) {
				return
			}
		}
	}
}

// Connected lists the worlds that end together with w, itself included.
func (t *Table) Connected(w *World) []*World {
	group := []*World{w}
	member := map[*World]bool{w: true}
	for i := 0; i < len(group); i++ {
		for _, other := range t.Worlds {
			if !member[other] && joined(group[i], other) {
				member[other] = true
				group = append(group, other)
			}
		}
	}
	return group
}

// joined reports whether some communicator connects two worlds, or is about to.
func joined(a, b *World) bool {
	for _, w := range [2][2]*World{{a, b}, {b, a}} {
		if w[0].Parent == w[1] && w[0].Linked < w[0].Size() {
			return true // a rank that has just been started connects to who asked for it
		}
		for _, r := range w[0].Ranks {
			if r.Links[w[1]] {
				return true
			}
		}
	}
	return false
}
