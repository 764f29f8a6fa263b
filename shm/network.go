package shm

import "sync/atomic"

// NetworkState is what the launcher knows of a job's use of the network between its machines, for ranks at
// their end that have not used it: those of other machines may wait for them.
type NetworkState uint32

// The states. The first of the other two stays.
const (
	NetworkOpen   NetworkState = iota // nobody has used it yet, and somebody may
	NetworkUsed                       // some rank has begun to
	NetworkUnused                     // all ranks are at their end, and none has
)

// Network is the state on this node.
func Network(s *Segment) NetworkState {
	return NetworkState(atomic.LoadUint32(Word32(s.Base + HdrNetwork)))
}

// SetNetwork tells the ranks of the node, and wakes those that sleep.
func SetNetwork(s *Segment, to NetworkState) {
	if atomic.CompareAndSwapUint32(Word32(s.Base+HdrNetwork), uint32(NetworkOpen), uint32(to)) {
		for r := range s.Ranks() {
			BellOf(s, r).Wake()
		}
	}
}
