package launch

import (
	"gompi/launch/host"
	"gompi/launch/world"
	"gompi/shm"
)

// A rank opens the network between machines when it needs it, which takes longer than the rest of a start.
// One that has not needed it by its end waits for word from the launcher: either some rank has begun to use
// it, and wants to talk to all others before they leave; or all are at their end, and it was not needed.

// useNetwork notes that a rank has begun to use the network.
func (j *job) useNetwork(w *world.World) {
	if !w.Network {
		w.Network = true
		j.tellNetwork(w, shm.NetworkUsed)
	}
}

// rest notes that a rank is at its end without having done so.
func (j *job) rest(r *world.Rank) {
	if w := r.World; !r.Rests {
		r.Rests = true
		if w.Resting++; w.Resting == w.Size() {
			j.tellNetwork(w, shm.NetworkUnused)
		}
	}
}

// tellNetwork tells all ranks of a world.
func (j *job) tellNetwork(w *world.World, to shm.NetworkState) {
	w.MarkNetwork(to)
	w.Tell(&host.Frame{Kind: host.FrameNetwork, Rank: int(to)})
}
