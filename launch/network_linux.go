package launch

import (
	"gompi/launch/host"
	"gompi/shm"
)

// A rank opens the network between machines when it needs it, which takes longer than the rest of a start.
// One that has not needed it by its end waits for word from the launcher: either some rank has begun to use
// it, and wants to talk to all others before they leave; or all are at their end, and it was not needed.

// useNetwork notes that a rank has begun to use the network.
func (j *job) useNetwork(w *world) {
	if !w.network {
		w.network = true
		j.tellNetwork(w, shm.NetworkUsed)
	}
}

// rest notes that a rank is at its end without having done so.
func (j *job) rest(r *rank) {
	if w := r.world; !r.rests {
		r.rests = true
		if w.resting++; w.resting == w.size() {
			j.tellNetwork(w, shm.NetworkUnused)
		}
	}
}

// tellNetwork tells all ranks of a world.
func (j *job) tellNetwork(w *world, to shm.NetworkState) {
	w.markNetwork(to)
	w.tell(&host.Frame{Kind: host.FrameNetwork, Rank: int(to)})
}

// markNetwork tells those of this machine.
func (w *world) markNetwork(to shm.NetworkState) {
	for _, n := range w.nodes {
		if n.segment != nil {
			shm.SetNetwork(n.segment, to)
		}
	}
}
