package epoch

import (
	"gompi/runtime/fast"
	"gompi/runtime/group"
	"gompi/wire/state"
)

// What a rank that waits for others of a window tells when it is asked (p2p.Grouped).

// Group implements p2p.Grouped.
func (t *turn) Group() (name string, g *group.Group) { return t.window.Identity() }

// Describe implements p2p.Describer.
func (t *turn) Describe(n *state.Need) {
	n.Kind, n.Absent, n.Text = state.WindowLock, []int32{int32(t.rank)}, "the lock of"
}

// Group implements p2p.Grouped.
func (a *arrivals) Group() (name string, g *group.Group) { return a.e.Identity() }

// Describe implements p2p.Describer.
func (a *arrivals) Describe(n *state.Need) {
	n.Kind, n.Text = state.Window, "the same call of"
	end := a.to
	if end == 0 {
		end = a.e.Desc.N
	}
	for r := a.from; r < end; r++ {
		if from := r; !a.e.Desc.Arrived(&from, r+1, a.count) {
			n.Absent = append(n.Absent, int32(r))
		}
	}
}

// Group implements p2p.Grouped.
func (c *counts) Group() (name string, g *group.Group) { return c.e.Identity() }

// Describe implements p2p.Describer.
func (c *counts) Describe(n *state.Need) {
	n.Kind, n.Text = state.Window, "MPI_Win_post of"
	listed := c.e.Desc.StartedRanks()
	if c.word != fast.LinePosted {
		n.Text, listed = "MPI_Win_complete of", c.e.Desc.ExposedRanks()
	}
	for i := c.from; i < c.n; i++ {
		if from := i; !c.e.Desc.Counted(c.ranks, i+1, &from, c.word) {
			n.Absent = append(n.Absent, int32(listed[i]))
		}
	}
}
