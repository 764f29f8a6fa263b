package world

import (
	"gompi/launch/host"
	"gompi/shm"
)

// What all ranks of a world are to know stands in their segments; other hosts are told.

// MarkDead lets all ranks of this one's world know that it is dead.
func (r *Rank) MarkDead() {
	for _, n := range r.World.Nodes {
		if n.Segment != nil {
			shm.MarkDead(n.Segment, r.Number)
		}
	}
	r.World.Tell(&host.Frame{Kind: host.FrameDead, Rank: r.Number})
}

// SaidSo reports whether the rank has told the user why it ends the job, and could not tell the launcher.
func (r *Rank) SaidSo() bool {
	s := r.Node.Segment
	if s == nil || !r.Status.Exited() || shm.DeadRank(s) != r.Number {
		return false
	}
	code, known := shm.ExitCode(s)
	return known && code == r.Status.ExitStatus()
}

// MarkFailed lets all ranks of this one's world know that it is no more, and that they go on.
func (r *Rank) MarkFailed() {
	for _, n := range r.World.Nodes {
		if n.Segment != nil {
			shm.MarkFailed(n.Segment, r.Number)
		}
	}
	r.World.Tell(&host.Frame{Kind: host.FrameFailed, Rank: r.Number})
}

// Rouse has the ranks of a world look whether processes of others live that they are connected with.
func (w *World) Rouse() {
	for _, n := range w.Nodes {
		if n.Segment != nil {
			shm.Rouse(n.Segment)
		}
	}
}

// StartAll lets the ranks of a world go on that wait for all to be started.
func (w *World) StartAll() {
	for _, n := range w.Nodes {
		if n.Segment != nil {
			shm.SetStarted(n.Segment)
		}
	}
	w.Tell(&host.Frame{Kind: host.FrameGo})
}

// MarkNetwork tells those of this machine.
func (w *World) MarkNetwork(to shm.NetworkState) {
	for _, n := range w.Nodes {
		if n.Segment != nil {
			shm.SetNetwork(n.Segment, to)
		}
	}
}
